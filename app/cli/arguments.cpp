// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arguments.h"

#include "cli/commands.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>
#include <functional>

namespace kw::cli {
namespace {

using Run = std::function<int(const Options&)>;

constexpr const char* footer =
    "Exit codes: 0 done; 1 the request failed and a sentence on standard error says why; 2 wrong command line;\n"
    "3 optimize finished and no kernel beat the library; 130 interrupted, the session is kept.";

/// Turns "3m" into seconds while CLI11 parses.
const CLI::Validator duration(
    [](std::string& text) -> std::string {
        const double seconds = secondsOf(text.c_str());
        if (seconds < 0)
            return "'" + text + "' is no time; write 90s, 3m or 1h30m";
        text = std::to_string(seconds);
        return {};
    },
    "TIME");

class Program {
public:
    Program() : m_app("Supervised kernel optimisation of exported PyTorch models.", "kernelwright-cli")
    {
        m_app.require_subcommand(1);
        m_app.footer(footer);
        m_app.set_version_flag("--version", std::string(KW_VERSION));
        m_options.language = languageFromEnvironment();
        addRunCommands();
        addLookCommands();
        addSteerCommands();
    }

    int run(int argc, char** argv)
    {
        try {
            m_app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            const int code = m_app.exit(error);
            return code == 0 ? Success : Usage;
        }
        return m_run(m_options);
    }

private:
    CLI::App* add(const std::string& name, const std::string& what, Run command)
    {
        CLI::App* sub = m_app.add_subcommand(name, what);
        sub->add_flag("--json", m_options.json, "machine-readable output");
        sub->add_flag("--verbose", m_options.verbose, "also print the technical detail of an error");
        sub->add_option_function<std::string>("--language", [this](const std::string& code) { m_options.language = languageFromLocale(code); }, "en or tr")
            ->check(CLI::IsMember({"en", "tr"}));
        sub->callback([this, command = std::move(command)] { m_run = command; });
        return sub;
    }

    void session(CLI::App* sub, bool mustExist = true)
    {
        CLI::Option* option = sub->add_option("--session", m_options.session, "the session's folder")->required();
        if (mustExist)
            option->check(CLI::ExistingDirectory);
    }

    void searching(CLI::App* sub)
    {
        sub->add_option("--budget", m_options.seconds, "how long to search: 90s, 3m, 1h30m (default: until nothing promising is left)")->transform(duration);
        sub->add_option("--supervise", m_options.supervision, "what a person approves")->check(CLI::IsMember({"none", "improvements", "all"}))->capture_default_str();
        sub->add_flag("--no-apply", m_options.noApply, "do not put the kept kernels into the model at the end");
        sub->add_option("--seed", m_options.seed, "seed of the built-in agent");
        sub->add_flag("--unsafe", m_options.unsafe, "run although a required sandbox layer is missing; stamped on every record");
    }

    void addRunCommands()
    {
        CLI::App* profile = add("profile", "show where a model's time goes and what there is to win", profileModelFile);
        profile->add_option("MODEL", m_options.model, "an exported model (.pt2)")->required()->check(CLI::ExistingFile);
        profile->add_option("--html", m_options.html, "also write a page with a treemap");
        profile->add_option("--seconds", m_options.seconds, "how long to measure")->transform(duration);
        profile->add_flag("--unsafe", m_options.unsafe, "run although a required sandbox layer is missing");

        CLI::App* optimise = add("optimize", "profile, search, verify, apply: the whole job", cli::optimize);
        optimise->add_option("MODEL", m_options.model, "an exported model (.pt2)")->required()->check(CLI::ExistingFile);
        session(optimise, false);
        searching(optimise);

        CLI::App* resuming = add("resume", "go on with a session", cli::resume);
        session(resuming);
        searching(resuming);

        session(add("watch", "follow a session that another process runs", watch));
        add("doctor", "look at compiler, sandbox, torch and disk", doctor)->add_flag("--unsafe", m_options.unsafe, "accept missing sandbox layers");
    }

    void addLookCommands()
    {
        session(add("status", "what the session does now", status));
        session(add("problems", "the regions that kernels are sought for", problems));
        CLI::App* showing = add("show", "one experiment with its verdict and numbers", show);
        session(showing);
        showing->add_option("EXPERIMENT", m_options.experiment, "its number")->required();
        showing->add_flag("--source", m_options.sourceText, "also print the kernel's text");
        CLI::App* comparing = add("diff", "what an experiment changed", difference);
        session(comparing);
        comparing->add_option("EXPERIMENT", m_options.experiment, "its number")->required();
        comparing->add_option("--against", m_options.against, "parent (default), best, library, or an experiment's number");
        CLI::App* reporting = add("report", "print or write the session's report", report);
        session(reporting);
        reporting->add_option("--html", m_options.html, "write a page with a treemap");
        reporting->add_option("--markdown", m_options.markdown, "write Markdown instead of printing it");
    }

    void addSteerCommands()
    {
        for (const auto& [name, what] : {std::pair{"pause", "pause at the next safe point"}, {"step", "do one experiment"}, {"stop", "stop at once"},
                 {"shutdown", "stop and end the process that runs the session"}, {"apply", "put the kept kernels into the whole model"}})
            session(add(name, what, [name](const Options& options) { return steer(options, name); }));
        for (const auto& [name, what] : {std::pair{"approve", "accept a win that waits"}, {"reject", "decline a win that waits"}}) {
            CLI::App* sub = add(name, what, [name](const Options& options) { return steer(options, name); });
            session(sub);
            sub->add_option("EXPERIMENT", m_options.experiment, "its number (default: the one that waits first)");
            sub->add_option("--comment", m_options.comment, "is kept with the decision");
            sub->add_option("--as", m_options.approver, "your name (default: the user's)");
        }
        CLI::App* back = add("rollback", "make an earlier experiment the best again, as a new commit", [](const Options& options) { return steer(options, "rollback"); });
        session(back);
        back->add_option("EXPERIMENT", m_options.experiment, "its number; 0 with --problem goes back to the library")->required();
        back->add_option("--problem", m_options.problem, "only needed with 0");
        for (const auto& [name, what] : {std::pair{"pin", "search a problem first"}, {"skip", "leave a problem out"}}) {
            CLI::App* sub = add(name, what, [name](const Options& options) { return steer(options, name); });
            session(sub);
            sub->add_option("PROBLEM", m_options.problem, "its id")->required();
        }
        CLI::App* evaluating = add("evaluate", "judge a kernel of your own", [](const Options& options) { return steer(options, "evaluate"); });
        session(evaluating);
        evaluating->add_option("PROBLEM", m_options.problem, "its id")->required();
        evaluating->add_option("SOURCE", m_options.source, "the kernel's text")->required()->check(CLI::ExistingFile);
        CLI::App* exporting = add("export", "write the optimised model as a folder that Python can load", exportTo);
        session(exporting);
        exporting->add_option("--output", m_options.output, "an empty or new folder")->required();
    }

    CLI::App m_app;
    Options m_options;
    Run m_run;
};

} // namespace

double secondsOf(const char* text)
{
    double total = 0;
    const char* at = text;
    while (*at) {
        char* end = nullptr;
        const double number = std::strtod(at, &end);
        if (end == at || number < 0 || !std::isfinite(number))
            return -1;
        const char unit = *end;
        if (unit != 0 && unit != 's' && unit != 'm' && unit != 'h')
            return -1;
        total += number * (unit == 'm' ? 60 : unit == 'h' ? 3600 : 1);
        at = unit ? end + 1 : end;
    }
    return at == text ? -1 : total;
}

int runProgram(int argc, char** argv)
{
    return Program().run(argc, argv);
}

} // namespace kw::cli
