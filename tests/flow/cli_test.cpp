// SPDX-License-Identifier: GPL-3.0-or-later
// The command line program as a person uses it: real worker, real models, exit codes, and a second process beside a running one.
#include "cli_run.h"
#include "personal_kernel.h"

#include "base/json_io.h"
#include "serve/host.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <signal.h>

#include <chrono>
#include <thread>

namespace kw {
namespace {

namespace fs = std::filesystem;
using test::CliProcess;
using test::CliResult;

constexpr double patience = 120;

std::string model(const char* name) { return (test::modelFolder() / (std::string(name) + ".pt2")).string(); }

std::size_t lines(const std::string& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

Json parsed(const std::string& text)
{
    auto json = parseJson(text);
    EXPECT_TRUE(json) << text;
    return json ? *std::move(json) : Json();
}

class CliFlow : public testing::Test {
protected:
    std::unique_ptr<CliProcess> start(std::vector<std::string> arguments)
    {
        // Without a Python: what eager costs is the eager test's matter.
        return std::make_unique<CliProcess>(m_folder.path(), std::to_string(m_count++), std::move(arguments),
            std::vector<std::string>{"KERNELWRIGHT_TORCH_PYTHON="});
    }
    CliResult run(std::vector<std::string> arguments) { return start(std::move(arguments))->finish(patience); }
    /// A command on the session of this test.
    CliResult on(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.end(), {"--session", m_session.string()});
        return run(std::move(arguments));
    }
    Json jsonOn(std::vector<std::string> arguments)
    {
        arguments.push_back("--json");
        const CliResult result = on(std::move(arguments));
        EXPECT_EQ(result.code, 0) << result.errors;
        return parsed(result.output);
    }

    TemporaryFolder m_folder;
    fs::path m_session = m_folder.path() / "session";
    int m_count = 0;
};

TEST_F(CliFlow, SaysHowItIsUsed)
{
    const CliResult help = run({"--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.output.find("Exit codes: 0 done; 1 "), std::string::npos);
    for (const char* command : {"profile", "problems", "optimize", "status", "show", "diff", "approve", "reject", "rollback", "resume",
             "apply", "export", "report", "doctor"})
        EXPECT_NE(help.output.find(std::string("\n  ") + command), std::string::npos) << command;
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{}, {"nonsense"}, {"profile"}, {"profile", "/no/such/file.pt2"},
             {"optimize", model("rms_norm")}, {"optimize", model("rms_norm"), "--session", "s", "--budget", "soon"},
             {"optimize", model("rms_norm"), "--session", "s", "--supervise", "never"}}) {
        const CliResult result = run(wrong);
        EXPECT_EQ(result.code, 2);
        EXPECT_TRUE(result.output.empty()) << result.output;
        EXPECT_FALSE(result.errors.empty());
    }
}

TEST_F(CliFlow, BadFilesAreOneSentence)
{
    for (const char* name : {"bad/text", "bad/truncated", "bad/state_dict", "bad/unknown_operator"}) {
        const CliResult result = run({"profile", model(name)});
        EXPECT_EQ(result.code, 1) << name;
        EXPECT_TRUE(result.output.empty()) << name;
        EXPECT_EQ(lines(result.errors), 1U) << name << ": " << result.errors;
        EXPECT_GT(result.errors.size(), 20U);
        EXPECT_EQ(result.errors.find("import."), std::string::npos) << "an identifier is no sentence: " << result.errors;
    }
    const CliResult json = run({"profile", model("bad/text"), "--json"});
    EXPECT_EQ(json.code, 1);
    EXPECT_TRUE(parsed(json.errors).at("text").is_string());
    const CliResult nothing = on({"status"});
    EXPECT_EQ(nothing.code, 2) << "there is no such folder";
    fs::create_directories(m_session);
    const CliResult empty = on({"status"});
    EXPECT_EQ(empty.code, 1);
    EXPECT_EQ(lines(empty.errors), 1U);
}

TEST_F(CliFlow, LooksAtTheMachine)
{
    const CliResult result = run({"doctor", "--json"});
    const Json findings = parsed(result.output);
    ASSERT_TRUE(findings.is_array());
    EXPECT_GT(findings.size(), 10U);
    bool fine = true;
    for (const Json& finding : findings)
        fine = fine && finding.at("fine").get<bool>();
    EXPECT_EQ(result.code, fine ? 0 : 1);
}

TEST_F(CliFlow, ProfilesAModel)
{
    const fs::path page = m_folder.path() / "page.html";
    const CliResult result = run({"profile", model("layer_norm"), "--seconds", "0.5s", "--json", "--html", page.string()});
    ASSERT_EQ(result.code, 0) << result.errors;
    const Json report = parsed(result.output);
    ASSERT_FALSE(report.at("hot_spots").empty()) << result.output;
    EXPECT_GT(report.at("seconds").get<double>(), 0);
    const auto html = readFile(page);
    ASSERT_TRUE(html);
    EXPECT_NE(html->find("<svg"), std::string::npos);
    EXPECT_EQ(html->find("<script"), std::string::npos);
    const CliResult table = run({"profile", model("layer_norm"), "--seconds", "0.5s"});
    EXPECT_EQ(table.code, 0);
    EXPECT_NE(table.output.find(report.at("hot_spots")[0].at("name").get<std::string>().substr(0, 30)), std::string::npos) << table.output;
    EXPECT_NE(table.output.find('%'), std::string::npos);
}

/// The whole main job, its parts in the order of a person's day.
class CliSession : public CliFlow {
protected:
    Json status() { return jsonOn({"status"}); }
    /// The session's best of its only problem.
    std::string best() { return status().at("problems")[0].at("best").get<std::string>(); }
    void awaitReport()
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (std::chrono::steady_clock::now() < end) {
            if (const auto client = attach(m_session)) {
                const auto snapshot = (*client)->snapshot();
                if (snapshot && !(*snapshot)->problems->empty())
                    return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        FAIL() << "the session was not profiled within a minute";
    }
    Problem problem()
    {
        HostOptions options;
        options.folder = m_session;
        options.readOnly = true;
        auto host = SessionHost::start(options);
        const std::string id = (*(*host)->client()->snapshot())->problems->front().id;
        return *(*host)->client()->problem(id);
    }
    std::string writtenByHand(const std::string& remark)
    {
        const fs::path text = m_folder.path() / (remark + ".cpp");
        EXPECT_TRUE(writeFileAtomically(text, test::rmsNormByHand(problem(), remark)));
        return text.string();
    }

    /// Until the session's host is in that state.
    void awaitState(CliProcess& host, LoopState state)
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        bool there = false;
        while (!there && host.running() && std::chrono::steady_clock::now() < end) {
            const auto client = attach(m_session);
            there = client && (*(*client)->snapshot())->state == state;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        ASSERT_TRUE(there) << host.errors();
    }

    /// A fresh Python process loads the export and compares it with the original model.
    void expectPythonAgrees(const fs::path& exported)
    {
        if (test::torchPython().empty())
            return; // the minimal set-up has none
        CliProcess python(m_folder.path(), "python", {"-B", (exported / "example.py").string()}, {"HOME=" + m_folder.path().string()},
            test::torchPython());
        const CliResult compared = python.finish(120);
        EXPECT_EQ(compared.code, 0) << compared.errors;
        const std::string word = "largest difference ";
        const std::size_t at = compared.output.find(word);
        ASSERT_NE(at, std::string::npos) << compared.output << compared.errors;
        EXPECT_LT(std::stod(compared.output.substr(at + word.size())), 1e-4);
        EXPECT_EQ(compared.errors.find("the original model runs"), std::string::npos) << compared.errors;
    }
};

TEST_F(CliSession, TheWholeJob)
{
    // A run in one process; another looks at it, puts a text in, and is refused what needs the folder for itself.
    const auto running = start({"optimize", model("rms_norm"), "--session", m_session.string(), "--budget", "5s", "--supervise", "improvements"});
    awaitReport();
    ASSERT_TRUE(running->running()) << running->errors();
    const Json early = status();
    EXPECT_EQ(early.at("supervision"), "improvements");
    ASSERT_EQ(early.at("problems").size(), 1U);
    const std::string id = early.at("problems")[0].at("id");
    const CliResult table = on({"problems"});
    EXPECT_NE(table.output.find(id), std::string::npos);
    const CliResult evaluated = on({"evaluate", id, writtenByHand("first")});
    EXPECT_EQ(evaluated.code, 0) << evaluated.errors;
    EXPECT_EQ(on({"evaluate", id, writtenByHand("first")}).code, 1) << "the same text twice";
    EXPECT_EQ(on({"rollback", "0", "--problem", "nonsense"}).code, 1);
    const CliResult ended = running->finish(patience);
    EXPECT_EQ(ended.code, 0) << ended.output << ended.errors;

    // A win waits: nothing has changed yet.
    Json now = status();
    ASSERT_EQ(now.at("approvals").size(), 1U) << ended.errors;
    EXPECT_EQ(now.at("history_head"), "");
    EXPECT_EQ(best(), "");
    EXPECT_EQ(on({"approve", "999"}).code, 1);
    const std::int64_t win = now.at("approvals")[0].at("experiment");
    const CliResult approved = on({"approve", "--comment", "well done", "--as", "Ada"});
    EXPECT_EQ(approved.code, 0) << approved.errors;
    EXPECT_EQ(on({"approve"}).code, 1) << "nothing waits any more";
    const std::string kept = best();
    EXPECT_EQ(kept, now.at("approvals")[0].at("candidate").get<std::string>());
    EXPECT_NE(status().at("history_head"), "");
    const Json shown = jsonOn({"show", std::to_string(win)});
    EXPECT_EQ(shown.at("decision"), "kept");
    EXPECT_EQ(shown.at("approval").at("approver"), "Ada");
    EXPECT_EQ(shown.at("approval").at("comment"), "well done");
    EXPECT_NE(on({"show", std::to_string(win), "--source"}).output.find("//! kernel"), std::string::npos);
    EXPECT_EQ(on({"show", "999"}).code, 1);
    EXPECT_NE(on({"diff", std::to_string(win), "--against", "library"}).output.find("+//! kernel"), std::string::npos);

    // Back to the library and forth again: two new commits.
    EXPECT_EQ(on({"rollback", "0", "--problem", id}).code, 0);
    EXPECT_EQ(best(), "");
    EXPECT_EQ(on({"rollback", std::to_string(win)}).code, 0);
    EXPECT_EQ(best(), kept);
    EXPECT_EQ(on({"rollback", std::to_string(win)}).code, 1) << "it is the best already";

    // The whole model.
    const CliResult applied = on({"apply"});
    EXPECT_EQ(applied.code, 0) << applied.errors;
    now = status();
    ASSERT_TRUE(now.contains("applied")) << now.dump();
    EXPECT_EQ(now.at("applied").at("kernels"), 1);
    EXPECT_TRUE(now.at("applied").at("within_budget").get<bool>());
    EXPECT_EQ(now.at("applied").at("eager_absent").at("id"), "eager.no_python");
    EXPECT_NE(on({"status"}).output.find("KERNELWRIGHT_TORCH_PYTHON"), std::string::npos) << "why Python eager was not timed, in words";
    const fs::path exported = m_folder.path() / "exported";
    const CliResult written = on({"export", "--output", exported.string()});
    EXPECT_EQ(written.code, 0) << written.errors;
    EXPECT_TRUE(fs::exists(exported / "load.py"));
    EXPECT_EQ(on({"export", "--output", exported.string()}).code, 1) << "the folder is not empty";
    expectPythonAgrees(exported);

    // An export that is interrupted does not claim to be there.
    const fs::path half = m_folder.path() / "half";
    const auto exporting = start({"export", "--session", m_session.string(), "--output", half.string()});
    awaitState(*exporting, LoopState::Applying);
    ::kill(exporting->process().pid(), SIGINT);
    const CliResult stopped = exporting->finish(20);
    EXPECT_EQ(stopped.code, 130) << stopped.output;
    EXPECT_EQ(stopped.output.find(half.string()), std::string::npos) << stopped.output;
    EXPECT_FALSE(fs::exists(half));

    const fs::path page = m_folder.path() / "report.html", text = m_folder.path() / "report.md";
    EXPECT_EQ(on({"report", "--html", page.string(), "--markdown", text.string()}).code, 0);
    EXPECT_NE(readFile(page)->find("<svg"), std::string::npos);
    const std::string name = now.at("problems")[0].at("name");
    EXPECT_NE(readFile(text)->find(name.substr(0, name.find('_'))), std::string::npos) << "its underscores are escaped";
    EXPECT_EQ(readFile(text)->find("another machine"), std::string::npos) << "it is looked at, but was recorded here";

    // It goes on where it stopped, and an interrupt keeps everything.
    const std::size_t before = now.at("experiments").size();
    const auto resumed = start({"resume", "--session", m_session.string(), "--budget", "60s", "--no-apply"});
    awaitState(*resumed, LoopState::Verifying);
    // Another process may ask for an export, but does not claim what is still to be done.
    const fs::path later = m_folder.path() / "later";
    const CliResult asked = on({"export", "--output", later.string()});
    EXPECT_EQ(asked.code, 0) << asked.errors;
    EXPECT_EQ(asked.output.find("load()"), std::string::npos) << asked.output;
    EXPECT_FALSE(fs::exists(later));
    ::kill(resumed->process().pid(), SIGINT);
    EXPECT_EQ(resumed->finish(20).code, 130);
    EXPECT_EQ(status().at("experiments").size(), before);
    EXPECT_EQ(best(), kept);
}

} // namespace
} // namespace kw
