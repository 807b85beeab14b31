// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/report_lines.h"

#include "present/catalogue.h"
#include "present/labels.h"
#include "present/numbers.h"
#include "present/visible.h"

#include <algorithm>
#include <filesystem>

namespace kw {

namespace {

class Writer {
public:
    Writer(const SessionReport& report, Language language) : m_report(report), m_language(language) {}

    ReportText write()
    {
        ReportText text;
        const Snapshot& snapshot = m_report.snapshot;
        text.title = say(Message("report.title").with("model", nameOf(snapshot.model)));
        summarise(text.summary);
        for (const char* id : {"report.column.problem", "report.column.calls", "report.column.time", "report.column.predicted",
                 "report.column.measured", "report.column.tried", "report.column.kept", "report.column.move"})
            text.columns.push_back(say(Message(id)));
        for (const ProblemEvidence& problem : m_report.problems)
            text.rows.push_back(cells(problem));
        text.kernelsTitle = say(Message("report.kernels"));
        for (const ProblemEvidence& problem : m_report.problems) {
            if (problem.best)
                text.kernels.push_back(kernel(problem));
        }
        text.methodTitle = say(Message("report.method"));
        describeMethod(text.method);
        return text;
    }

private:
    std::string say(const Message& message) const { return render(message, m_language); }
    static std::string nameOf(const std::string& path) { return visible(std::filesystem::path(path).filename().string()); }

    void summarise(std::vector<std::string>& lines) const
    {
        const Snapshot& snapshot = m_report.snapshot;
        if (snapshot.report)
            lines.push_back(say(Message("report.before").with("seconds", snapshot.report->seconds).with("speedup", snapshot.predictedSpeedup)));
        lines.push_back(say(Message("report.tried").with("count", snapshot.experiments->size()).with("kept", kept())));
        if (snapshot.modelSpeedup > 1)
            lines.push_back(say(Message("report.from_kernels").with("speedup", snapshot.modelSpeedup)));
        if (const auto& applied = snapshot.applied) {
            lines.push_back(say(Message("report.applied")
                                    .with("before", applied->baselineSeconds)
                                    .with("after", applied->seconds)
                                    .with("spread", spreadText(applied->ratio, applied->low, applied->high, m_language))));
            lines.push_back(say(Message("report.sites").with("kernels", applied->kernels).with("sites", applied->sites).with("out", applied->takenOut)));
            lines.push_back(say(Message("report.memory").with("gain", applied->memoryGain)));
            lines.push_back(say(Message("report.error").with("error", applied->maxError).with("allowed", applied->allowedError)));
        } else {
            lines.push_back(say(Message("report.not_applied")));
        }
        if (snapshot.report) {
            for (const Message& advice : snapshot.report->advice)
                lines.push_back(say(advice));
        }
        if (snapshot.unsafe)
            lines.push_back(say(Message("report.unsafe")));
        if (snapshot.readOnly)
            lines.push_back(say(Message("report.recorded")));
    }

    std::int64_t kept() const
    {
        const auto& rows = *m_report.snapshot.experiments;
        return std::count_if(rows.begin(), rows.end(), [](const ExperimentRow& row) { return row.decision == Decision::Kept; });
    }

    std::vector<std::string> cells(const ProblemEvidence& problem) const
    {
        const ProblemRow& row = problem.row;
        const bool improved = !row.best.empty();
        return {visible(row.name), countText(row.calls, m_language),
            improved ? fromToTime(row.seconds, row.seconds / std::max(row.ratio, 1e-9), m_language) : timeText(row.seconds, m_language),
            row.predictedSeconds > 0 ? ratioText(row.seconds / row.predictedSeconds, m_language) : noNumber(),
            improved ? spreadText(row.ratio, row.low, row.high, m_language) : labelOf(row.state, m_language),
            countText(row.experiments, m_language), countText(row.kept, m_language), winningMove(problem)};
    }

    std::string winningMove(const ProblemEvidence& problem) const
    {
        if (!problem.best)
            return noNumber();
        const auto moves = movesText(problem.best->candidate.moves, m_language);
        return moves.empty() ? say(problem.best->candidate.hypothesis) : moves.front();
    }

    ReportText::Kernel kernel(const ProblemEvidence& problem) const
    {
        const Experiment& best = *problem.best;
        ReportText::Kernel text;
        text.title = visible(problem.row.name);
        const auto add = [&](const char* id, const std::string& value) {
            if (!value.empty())
                text.lines.push_back(say(Message(id)) + ": " + value);
        };
        add("report.kernel.module", visible(problem.row.modulePath));
        add("report.kernel.author", authorText(best.candidate.author, m_language));
        add("report.kernel.hypothesis", best.candidate.hypothesis.empty() ? std::string() : say(best.candidate.hypothesis));
        for (const std::string& move : movesText(best.candidate.moves, m_language))
            add("report.kernel.move", move);
        add("report.kernel.verdict", verdictText(best.verdict, m_language));
        if (best.confirmation)
            add("report.kernel.confirmation", measurementText(*best.confirmation, m_language));
        if (best.total)
            add("report.kernel.total", measurementText(*best.total, m_language));
        if (best.approval)
            add("report.kernel.approved", authorText({best.approval->kind, best.approval->approver}, m_language));
        add("report.kernel.experiment", std::to_string(best.number));
        add("report.kernel.candidate", best.candidate.id);
        return text;
    }

    void describeMethod(std::vector<std::string>& lines) const
    {
        lines.push_back(say(Message("report.method.kernels")));
        lines.push_back(say(Message("report.method.model")));
        lines.push_back(say(Message("report.method.verification")));
        for (const ProblemEvidence& problem : m_report.problems) {
            if (!problem.best || !problem.best->total)
                continue;
            const Environment& machine = problem.best->total->environment;
            lines.push_back(say(Message("report.method.machine")
                                    .with("cpu", machine.cpu)
                                    .with("threads", std::int64_t{machine.threads})
                                    .with("compiler", machine.compiler)
                                    .with("torch", machine.torch)
                                    .with("kernel", machine.kernel)));
            return;
        }
    }

    const SessionReport& m_report;
    Language m_language;
};

} // namespace

ReportText reportText(const SessionReport& report, Language language)
{
    return Writer(report, language).write();
}

} // namespace kw
