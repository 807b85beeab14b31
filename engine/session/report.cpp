// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/report.h"

#include "present/catalogue.h"
#include "present/labels.h"
#include "present/numbers.h"
#include "present/treemap_svg.h"
#include "present/visible.h"
#include "session/report_writer.h"

#include <algorithm>
#include <set>

namespace kw {
namespace {

const Experiment* bestOf(const ReportInput& input, const ProblemRow& row)
{
    const auto found = std::find_if(input.bests.begin(), input.bests.end(), [&](const Experiment& experiment) {
        return experiment.problem == row.id && experiment.candidate.id == row.best && !row.best.empty();
    });
    return found == input.bests.end() ? nullptr : &*found;
}

class Report {
public:
    Report(const ReportInput& input, Language language, ReportWriter& writer) : m_input(input), m_language(language), m_out(writer) {}

    void write()
    {
        const Snapshot& snapshot = m_input.snapshot;
        m_out.title(say(Message("report.title").with("model", modelName())));
        if (snapshot.unsafe)
            m_out.warning(say(Message("report.unsafe")));
        if (m_input.foreign)
            m_out.warning(say(Message("report.foreign")));
        writeOutcome();
        writeAdvice();
        writeHotSpots();
        writeProblems();
        writeKernels();
        writeEnvironment();
    }

private:
    std::string say(const Message& message) const { return render(message, m_language); }
    std::string say(const char* id) const { return say(Message(id)); }

    std::string modelName() const
    {
        const std::string& path = m_input.snapshot.model;
        return visibleShort(path.substr(path.rfind('/') + 1), 120);
    }

    void writeOutcome()
    {
        const Snapshot& snapshot = m_input.snapshot;
        m_out.heading(say("report.outcome"));
        const auto count = static_cast<std::int64_t>(snapshot.experiments->size());
        m_out.paragraph(say(Message("report.experiments").with("count", count).with("seconds", snapshot.usedSeconds)));
        if (snapshot.report)
            m_out.paragraph(say(Message("report.predicted").with("seconds", snapshot.report->seconds)
                                    .with("predicted", snapshot.report->predictedSeconds).with("ratio", snapshot.predictedSpeedup)));
        if (!snapshot.applied) {
            m_out.paragraph(say(Message("report.not_applied").with("ratio", snapshot.modelSpeedup)));
            return;
        }
        const AppliedSummary& applied = *snapshot.applied;
        m_out.table({say("report.figure"), say("report.value")},
            {{say("report.whole_model"), spreadText(applied.ratio, applied.low, applied.high, m_language)},
                {say("report.times"), fromToTime(applied.baselineSeconds, applied.seconds, m_language)},
                {say("report.kernel_gain"), ratioText(applied.kernelGain, m_language)},
                {say("report.memory_gain"), ratioText(applied.memoryGain, m_language)},
                {say("report.eager"), eagerText(applied)},
                {say("report.eager_default"), applied.eagerDefaultSeconds > 0 ? timeText(applied.eagerDefaultSeconds, m_language) : noNumber()},
                {say("report.kernels"), say(Message("report.kernel_counts").with("kernels", applied.kernels).with("sites", applied.sites)
                                                .with("out", applied.takenOut))},
                {say("report.error"), say(Message(applied.withinBudget ? "report.within_budget" : "report.outside_budget")
                                              .with("error", applied.maxError).with("allowed", applied.allowedError))}});
    }

    /// The user's own way to run the module, and how much faster the applied model is than that.
    std::string eagerText(const AppliedSummary& applied) const
    {
        if (!(applied.eagerSeconds > 0))
            return applied.eagerAbsent.empty() ? noNumber() : say(applied.eagerAbsent);
        const std::string seconds = timeText(applied.eagerSeconds, m_language);
        return applied.eagerRatio > 0
            ? seconds + ", " + spreadText(applied.eagerRatio, applied.eagerLow, applied.eagerHigh, m_language) : seconds;
    }

    void writeAdvice()
    {
        if (!m_input.snapshot.report || m_input.snapshot.report->advice.empty())
            return;
        m_out.heading(say("report.advice"));
        for (const Message& advice : m_input.snapshot.report->advice)
            m_out.item(say(advice));
    }

    void writeHotSpots()
    {
        if (!m_input.snapshot.report)
            return;
        constexpr std::size_t most = 20;
        m_out.heading(say("report.hot_spots"));
        m_out.picture(treemapSvg(*m_input.snapshot.report, 960, 420, m_language));
        std::vector<std::vector<std::string>> rows;
        for (const HotSpot& spot : m_input.snapshot.report->hotSpots) {
            if (rows.size() == most)
                break;
            rows.push_back({visibleShort(spot.name, 60), visibleShort(spot.modulePath, 60), countText(spot.calls, m_language),
                timeText(spot.seconds, m_language), percentText(spot.share, m_language), bytesText(spot.bytes, m_language),
                spot.floorSeconds > 0 ? timeText(spot.floorSeconds, m_language) : noNumber(), timeText(spot.headroomSeconds, m_language)});
        }
        m_out.table({say("report.region"), say("report.module"), say("report.calls"), say("report.time"), say("report.share"),
                        say("report.bytes"), say("report.floor"), say("report.headroom")}, rows);
    }

    void writeProblems()
    {
        std::vector<std::vector<std::string>> rows;
        for (const ProblemRow& row : *m_input.snapshot.problems) {
            if (row.experiments == 0)
                continue;
            const ProblemTally figures = tally(m_input, row);
            const Experiment* best = bestOf(m_input, row);
            const std::vector<std::string> moves = best ? movesText(best->candidate.moves, m_language) : std::vector<std::string>{};
            rows.push_back({visibleShort(row.name, 60), countText(row.calls, m_language), countText(figures.sources, m_language),
                countText(figures.kept, m_language), countText(figures.rejected, m_language),
                ratioText(figures.predictedRatio, m_language),
                best ? spreadText(row.ratio, row.low, row.high, m_language) : say("report.library_best"),
                moves.empty() ? (best ? render(best->candidate.hypothesis, m_language) : std::string()) : moves.front()});
        }
        if (rows.empty())
            return;
        m_out.heading(say("report.problems"));
        m_out.table({say("report.region"), say("report.calls"), say("report.sources"), say("report.kept"), say("report.rejected"),
                        say("report.predicted_ratio"), say("report.measured_ratio"), say("report.winning_move")}, rows);
    }

    void writeKernels()
    {
        for (const ProblemRow& row : *m_input.snapshot.problems) {
            const Experiment* best = bestOf(m_input, row);
            if (!best)
                continue;
            m_out.heading(say(Message("report.kernel").with("name", row.name).with("number", best->number)));
            m_out.paragraph(authorText(best->candidate.author, m_language) + ": " + render(best->candidate.hypothesis, m_language));
            m_out.paragraph(verdictText(best->verdict, m_language));
            if (best->total)
                m_out.paragraph(measurementText(*best->total, m_language));
            if (best->approval)
                m_out.paragraph(say(Message(best->approval->approved ? "report.approved" : "report.declined")
                                        .with("who", best->approval->approver).with("comment", best->approval->comment)));
            m_out.code(visible(best->candidate.source, Lines::Keep));
        }
    }

    void writeEnvironment()
    {
        const Environment& environment = m_input.environment;
        if (environment.cpu.empty())
            return;
        m_out.heading(say("report.environment"));
        m_out.table({say("report.figure"), say("report.value")},
            {{"CPU", visible(environment.cpu)}, {say("report.cores"), countText(environment.cores, m_language)},
                {say("report.threads"), countText(environment.threads, m_language)}, {"kernel", visible(environment.kernel)},
                {say("report.compiler"), visible(environment.compiler)}, {"torch", visible(environment.torch)},
                {say("report.allocation"), visible(environment.allocation)}});
    }

    const ReportInput& m_input;
    Language m_language;
    ReportWriter& m_out;
};

} // namespace

ProblemTally tally(const ReportInput& input, const ProblemRow& row)
{
    ProblemTally figures;
    figures.problem = row.id;
    std::set<std::string> sources;
    for (const ExperimentRow& experiment : *input.snapshot.experiments)
        if (experiment.problem == row.id)
            sources.insert(experiment.candidate);
    figures.sources = static_cast<std::int64_t>(sources.size());
    figures.kept = row.kept;
    figures.rejected = row.rejected;
    const Experiment* best = bestOf(input, row);
    figures.measuredRatio = best ? row.ratio : 0;
    const auto calls = static_cast<double>(row.calls);
    if (best && best->candidate.predictedSeconds > 0 && calls > 0)
        figures.predictedRatio = row.seconds / calls / best->candidate.predictedSeconds;
    return figures;
}

std::string reportMarkdown(const ReportInput& input, Language language)
{
    MarkdownWriter writer;
    Report(input, language, writer).write();
    return writer.text();
}

std::string reportHtml(const ReportInput& input, Language language)
{
    HtmlWriter writer(languageCode(language));
    Report(input, language, writer).write();
    return writer.text();
}

} // namespace kw
