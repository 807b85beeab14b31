// SPDX-License-Identifier: GPL-3.0-or-later
// status, problems, show, diff, report: commands that only look at a session.
#include "cli/commands.h"
#include "cli/applied_text.h"
#include "cli/connection.h"

#include "base/file.h"
#include "base/json_io.h"
#include "present/catalogue.h"
#include "present/diff_rows.h"
#include "present/labels.h"
#include "present/numbers.h"
#include "present/visible.h"
#include "session/report.h"
#include "session/session_info.h"

#include <algorithm>
#include <cstdio>

namespace kw::cli {
namespace {

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

/// Opens the session, asks once, prints.
template <typename Ask> int look(const Options& options, Ask ask)
{
    auto connection = connect(options, Want::Look);
    if (!connection)
        return fail(options, connection.error());
    auto snapshot = connection->client->snapshot();
    if (!snapshot)
        return fail(options, snapshot.error());
    const Result<std::string> text = ask(*connection->client, **snapshot);
    if (!text)
        return fail(options, text.error());
    print(*text);
    return Success;
}

std::string statusText(const Options& options, const Snapshot& snapshot)
{
    const Language language = options.language;
    std::string text = labelOf(snapshot.state, language) + ": " + render(snapshot.now, language) + "\n";
    if (!snapshot.next.empty())
        text += render(snapshot.next, language) + "\n";
    text += say(options, Message("cli.status").with("count", snapshot.experiments->size()).with("seconds", snapshot.usedSeconds)
                             .with("ratio", snapshot.modelSpeedup)) + "\n";
    if (snapshot.applied)
        text += appliedText(options, *snapshot.applied);
    for (const ApprovalRequest& request : snapshot.approvals)
        text += say(options, Message("cli.waits").with("number", request.experiment)) + "\n";
    if (snapshot.error)
        text += render(*snapshot.error, language) + "\n";
    return text;
}

std::string problemsText(const Options& options, const Snapshot& snapshot)
{
    const Language language = options.language;
    std::vector<std::vector<std::string>> rows;
    for (const ProblemRow& row : *snapshot.problems)
        rows.push_back({row.id, visibleShort(row.name, 48), labelOf(row.state, language), countText(row.calls, language),
            timeText(row.seconds, language), timeText(row.predictedSeconds, language), countText(row.experiments, language),
            row.best.empty() ? noNumber() : spreadText(row.ratio, row.low, row.high, language)});
    return table({"id", say(options, "report.region"), say(options, "cli.state"), say(options, "report.calls"), say(options, "report.time"),
                     say(options, "report.predicted_ratio"), say(options, "cli.tried"), say(options, "report.measured_ratio")},
        rows, {3, 4, 5, 6, 7});
}

std::string experimentDetails(const Options& options, const Experiment& experiment)
{
    const Language language = options.language;
    std::string text = say(options, Message("cli.experiment").with("number", experiment.number).with("problem", experiment.problem)
                                        .with("candidate", experiment.candidate.id.substr(0, 12))) + "\n";
    text += authorText(experiment.candidate.author, language) + ": " + render(experiment.candidate.hypothesis, language) + "\n";
    for (const std::string& move : movesText(experiment.candidate.moves, language))
        text += "  " + move + "\n";
    text += labelOf(experiment.decision, language) + "\n";
    if (!experiment.note.empty())
        text += render(experiment.note, language) + "\n";
    if (experiment.verdict.reason != experiment.note || experiment.note.empty())
        text += verdictText(experiment.verdict, language) + "\n";
    for (const StageResult& stage : experiment.verdict.stages) {
        if (!stage.run)
            continue;
        text += "  " + labelOf(stage.stage, language) + ": " + countText(std::ssize(stage.cases), language) + ", "
            + timeText(stage.seconds, language) + "\n";
        for (const CaseResult& result : stage.cases)
            if (!result.passed)
                text += "    " + render(result.name, language) + ": " + render(result.reason, language) + "\n";
    }
    for (const auto* measured : {&experiment.screening, &experiment.measurement, &experiment.confirmation, &experiment.total})
        if (*measured)
            text += "  " + measurementText(**measured, language) + "\n";
    if (options.sourceText)
        text += "\n" + visible(experiment.candidate.source, Lines::Keep);
    return text;
}

Result<ReportInput> gather(SessionClient& client, const Snapshot& snapshot)
{
    ReportInput input;
    input.snapshot = snapshot;
    for (const ProblemRow& row : *snapshot.problems) {
        if (row.experiments == 0)
            continue;
        KW_TRY(Problem problem, client.problem(row.id));
        input.problems.push_back(std::move(problem));
        for (const ExperimentRow& experiment : *snapshot.experiments) {
            if (experiment.problem != row.id || experiment.candidate != row.best || row.best.empty() || isOpen(experiment.decision))
                continue;
            KW_TRY(Experiment best, client.experiment(experiment.number));
            const auto& newest = best.total ? best.total : best.measurement;
            if (newest)
                input.environment = newest->environment;
            input.bests.push_back(std::move(best));
        }
    }
    return input;
}

} // namespace

int status(const Options& options)
{
    return look(options, [&](SessionClient&, const Snapshot& snapshot) -> Result<std::string> {
        return options.json ? dump(Json(snapshot), 1) + "\n" : statusText(options, snapshot);
    });
}

int problems(const Options& options)
{
    return look(options, [&](SessionClient&, const Snapshot& snapshot) -> Result<std::string> {
        return options.json ? dump(Json(*snapshot.problems), 1) + "\n" : problemsText(options, snapshot);
    });
}

int show(const Options& options)
{
    return look(options, [&](SessionClient& client, const Snapshot&) -> Result<std::string> {
        KW_TRY(const Experiment experiment, client.experiment(options.experiment));
        return options.json ? dump(Json(experiment), 1) + "\n" : experimentDetails(options, experiment);
    });
}

int difference(const Options& options)
{
    return look(options, [&](SessionClient& client, const Snapshot&) -> Result<std::string> {
        KW_TRY(const Experiment experiment, client.experiment(options.experiment));
        std::string from = experiment.candidate.parent.value_or("");
        if (options.against == "best")
            from = experiment.best;
        else if (options.against == "library")
            from.clear();
        else if (!options.against.empty() && options.against != "parent") {
            KW_TRY(const Experiment other, client.experiment(std::strtoll(options.against.c_str(), nullptr, 10)));
            from = other.candidate.id;
        }
        KW_TRY(const TextDiff changes, client.difference(from, experiment.candidate.id));
        return options.json ? dump(Json(changes), 1) + "\n" : unifiedText(changes);
    });
}

int report(const Options& options)
{
    return look(options, [&](SessionClient& client, const Snapshot& snapshot) -> Result<std::string> {
        KW_TRY(ReportInput input, gather(client, snapshot));
        KW_TRY(const SessionInfo info, readSessionInfo(options.session));
        input.foreign = info.foreign;
        if (!options.html.empty())
            KW_CHECK(writeFileAtomically(options.html, reportHtml(input, options.language)));
        if (!options.markdown.empty())
            KW_CHECK(writeFileAtomically(options.markdown, reportMarkdown(input, options.language)));
        return options.html.empty() && options.markdown.empty() ? reportMarkdown(input, options.language) : std::string();
    });
}

} // namespace kw::cli
