// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/commit_text.h"

#include "record/names.h"

#include <array>
#include <cstdio>

namespace kw {

namespace {

constexpr std::size_t longestLine = 400;

/// Trailers are lines: whatever comes from agents, compilers or persons must not start new ones.
std::string oneLine(std::string_view text)
{
    std::string line;
    for (const char letter : text.substr(0, longestLine))
        line += static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f ? ' ' : letter;
    return line;
}

std::string number(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

std::string title(const CommitRecord& record, const Experiment* experiment, const std::string& name)
{
    const std::string what = oneLine(name.empty() ? record.problem : name);
    if (record.decision == Decision::RolledBack)
        return "Roll back " + what + (experiment ? " to experiment " + std::to_string(record.experiment) : " to the library");
    std::string text = std::string(nameOf(record.decision)) + ": " + what + ", experiment " + std::to_string(record.experiment);
    if (experiment && experiment->total)
        text += ", " + number(experiment->total->ratio) + " x the library";
    return text;
}

class Trailers {
public:
    void add(const char* name, std::string_view value)
    {
        if (!value.empty())
            m_text.append(name).append(": ").append(oneLine(value)).append("\n");
    }

    void addMeasurement(const char* name, const std::optional<Measurement>& measurement)
    {
        if (!measurement)
            return;
        add(name, std::string(nameOf(measurement->outcome)) + " " + number(measurement->ratio) + " (" + number(measurement->low) + " to "
                + number(measurement->high) + "), " + number(measurement->secondsA) + " s to " + number(measurement->secondsB) + " s, "
                + std::to_string(measurement->pairs.size()) + " pairs");
    }

    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

void describe(Trailers& trailers, const CommitRecord& record, const Experiment& experiment)
{
    const Verdict& verdict = experiment.verdict;
    trailers.add("Candidate", experiment.candidate.id);
    trailers.add("Parent", experiment.candidate.parent.value_or(""));
    trailers.add("Author", std::string(nameOf(experiment.candidate.author.kind)) + " " + experiment.candidate.author.name);
    trailers.add("Hypothesis", experiment.candidate.hypothesis.empty() ? "" : debugText(experiment.candidate.hypothesis));
    trailers.add("Verdict", verdict.passed ? "passed"
                                           : std::string(nameOf(verdict.failedStage)) + " " + std::string(nameOf(verdict.failure)) + " "
            + debugText(verdict.reason));
    trailers.add("Compared-with", experiment.best.empty() ? "library" : experiment.best);
    trailers.addMeasurement("Screening", experiment.screening);
    trailers.addMeasurement("Measurement", experiment.measurement);
    trailers.addMeasurement("Confirmation", experiment.confirmation);
    trailers.addMeasurement("Total", experiment.total);
    if (const auto& measured = experiment.total ? experiment.total : experiment.measurement) {
        const Environment& machine = measured->environment;
        trailers.add("Environment", machine.cpu + "; " + machine.kernel + "; " + machine.compiler + "; torch " + machine.torch + "; "
                + std::to_string(machine.threads) + " threads");
    }
    if (verdict.unsafe)
        trailers.add("Sandbox", "unsafe");
    if (record.branch == CommitRecord::Branch::Main && experiment.approval) {
        trailers.add("Approved-by", std::string(nameOf(experiment.approval->kind)) + " " + experiment.approval->approver);
        trailers.add("Approval-binding", experiment.approval->binding);
    }
}

} // namespace

HistoryBranch branchOf(const CommitRecord& record)
{
    return record.branch == CommitRecord::Branch::Main ? HistoryBranch::Main : HistoryBranch::Attic;
}

CommitContent commitContent(const CommitRecord& record, const Experiment* experiment, const std::string& problemName)
{
    Trailers trailers;
    trailers.add("Problem", record.problem);
    trailers.add("Experiment", std::to_string(record.experiment));
    trailers.add("Comment", record.comment);
    if (experiment)
        describe(trailers, record, *experiment);
    CommitContent content;
    content.path = "kernels/" + record.problem + ".cpp";
    if (experiment)
        content.text = experiment->candidate.source;
    content.message = title(record, experiment, problemName) + "\n\n" + trailers.take();
    content.time = static_cast<std::int64_t>(record.time);
    return content;
}

} // namespace kw
