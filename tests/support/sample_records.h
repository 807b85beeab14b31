// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/experiment.h"
#include "record/snapshot.h"

#include <string>

// Small record values for tests. Header only, so that a test links no more layers than it tests.
namespace kw::test {

inline Candidate sampleCandidate(const std::string& problem, const std::string& source)
{
    Candidate candidate;
    candidate.problem = problem;
    candidate.source = source;
    candidate.author = {AuthorKind::Search, "search"};
    candidate.hypothesis = Message("sample.hypothesis").with("rows", 4);
    candidate.id = candidateId(candidate);
    return candidate;
}

inline Experiment sampleExperiment(std::int64_t number, const std::string& problem, Decision decision, const std::string& source)
{
    Experiment experiment;
    experiment.number = number;
    experiment.problem = problem;
    experiment.candidate = sampleCandidate(problem, source);
    experiment.verdict.passed = decision != Decision::Rejected;
    experiment.verdict.failure = experiment.verdict.passed ? FailureKind::None : FailureKind::WrongValue;
    experiment.verdict.failedStage = Stage::Smoke;
    experiment.verdict.stages.resize(stageCount);
    for (int stage = 0; stage < stageCount; ++stage)
        experiment.verdict.stages[static_cast<std::size_t>(stage)].stage = static_cast<Stage>(stage);
    experiment.verdict.candidate = experiment.candidate.id;
    if (experiment.verdict.passed) {
        Measurement measurement;
        measurement.ratio = 1.25;
        measurement.low = 1.2;
        measurement.high = 1.3;
        measurement.pairs.resize(1);
        measurement.pairs[0].a = {Sample{1.25e-3, 1.2e-3, 10, 0, 0, false}};
        measurement.pairs[0].b = {Sample{1e-3, 1e-3, 10, 0, 0, false}};
        measurement.outcome = Comparison::Faster;
        experiment.measurement = measurement;
        experiment.total = measurement;
    }
    experiment.decision = decision;
    experiment.startTime = 1.7e9 + static_cast<double>(number);
    experiment.seconds = 0.5;
    return experiment;
}

inline ExperimentRow sampleRow(const Experiment& experiment)
{
    ExperimentRow row;
    row.number = experiment.number;
    row.problem = experiment.problem;
    row.candidate = experiment.candidate.id;
    row.parent = experiment.candidate.parent.value_or("");
    row.author = experiment.candidate.author;
    row.decision = experiment.decision;
    row.failure = experiment.verdict.failure;
    row.failedStage = experiment.verdict.failedStage;
    row.hypothesis = experiment.candidate.hypothesis;
    if (experiment.total) {
        row.ratio = experiment.total->ratio;
        row.low = experiment.total->low;
        row.high = experiment.total->high;
    }
    row.seconds = experiment.seconds;
    row.startTime = experiment.startTime;
    row.commit = experiment.commit;
    return row;
}

} // namespace kw::test
