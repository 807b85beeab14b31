// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_io.h"
#include "loop/driver_private.h"

#include <algorithm>

namespace kw {

namespace {

constexpr std::size_t rateOver = 30;

const Measurement* newestMeasurement(const Experiment& experiment)
{
    for (const auto* measurement : {&experiment.confirmation, &experiment.measurement, &experiment.screening}) {
        if (*measurement)
            return &**measurement;
    }
    return nullptr;
}

} // namespace

/// Why nothing was decided, for whoever reads the record.
Message Driver::Private::noteFor(const Experiment& experiment) const
{
    if (experiment.decision == Decision::Unfinished)
        return Message("loop.note.budget");
    if (experiment.decision != Decision::Unsure)
        return {};
    const bool again = machine.flight && machine.flight->attempts + 1 < options.rules.mostAttempts;
    const double share = disturbanceOf(experiment);
    if (!experiment.verdict.passed)
        return Message("loop.note.no_answer");
    return Message(again ? "loop.note.disturbed_again" : "loop.note.disturbed").with("share", std::max(share, 0.0));
}

/// Fills what the verdict does not hold yet when the judge failed, not the candidate.
void Driver::Private::completeExperiment(Decision decision)
{
    Experiment& experiment = current->experiment;
    experiment.number = rows.empty() ? 1 : rows.back().number + 1;
    experiment.decision = decision;
    experiment.seconds = std::chrono::duration<double>(Clock::now() - current->start).count();
    experiment.note = noteFor(experiment);
    if (decision == Decision::Unfinished && experiment.verdict.candidate.empty()) {
        experiment.verdict.candidate = experiment.candidate.id;
        experiment.verdict.reason = experiment.note;
    } else if (experiment.verdict.candidate.empty()) {
        experiment.verdict.candidate = experiment.candidate.id;
        experiment.verdict.failure = FailureKind::Harness;
        experiment.verdict.reason = machine.error ? machine.error->message : Message("loop.reason.stopped");
    } else if (decision == Decision::Rejected && experiment.verdict.passed) {
        experiment.verdict.passed = false;
        experiment.verdict.failure = FailureKind::Harness;
        experiment.verdict.failedStage = Stage::Timing;
        experiment.verdict.reason = machine.error ? machine.error->message : Message("loop.reason.stopped");
    }
    experiment.verdict.unsafe = experiment.verdict.unsafe || options.unsafe;
    if (decision == Decision::Kept)
        experiment.approval = Approval{"automatic", AuthorKind::Rule, true, {},
            approvalBinding(experiment.candidate, experiment.verdict), secondsNow()};
}

ExperimentRow Driver::Private::rowOf(const Experiment& experiment) const
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
    row.seconds = experiment.seconds;
    row.startTime = experiment.startTime;
    std::vector<ProblemTrack> tracks = machine.problems;
    for (ProblemTrack& track : tracks) {
        if (track.id != experiment.problem)
            continue;
        const double base = experiment.best.empty() ? 1 : experiment.best == track.best ? track.ratio : track.searchRatio;
        if (experiment.total) {
            row.ratio = experiment.total->ratio;
            row.low = experiment.total->low;
            row.high = experiment.total->high;
        } else if (const Measurement* measured = newestMeasurement(experiment); measured && measured->ratio > 0) {
            row.ratio = measured->ratio * base;
            row.low = measured->low * base;
            row.high = measured->high * base;
        }
        if (experiment.decision == Decision::Kept)
            track.ratio = row.ratio;
    }
    row.modelSpeedup = modelSpeedup(tracks, machine.modelSeconds);
    return row;
}

Result<void> Driver::Private::perform(const action::Record& record)
{
    completeExperiment(record.decision);
    Experiment& experiment = current->experiment;
    ExperimentRow row = rowOf(experiment);
    KW_CHECK(recorder.add(experiment, row, record.superseded));
    for (ExperimentRow& earlier : rows) {
        if (earlier.number == record.superseded)
            earlier.decision = Decision::Superseded;
    }
    rows.push_back(row);
    rowsChanged = true;
    recordedAt.push_back(Clock::now());
    if (recordedAt.size() > rateOver)
        recordedAt.pop_front();
    if (record.decision == Decision::Kept && experiment.total)
        intervals[experiment.problem] = {experiment.total->low, experiment.total->high};
    event::Recorded recorded;
    recorded.number = experiment.number;
    recorded.decision = experiment.decision;
    recorded.binding = approvalBinding(experiment.candidate, experiment.verdict);
    recorded.seconds = experiment.seconds;
    recorded.ratio = row.ratio;
    recorded.disturbance = disturbanceOf(experiment);
    recorded.judgeFailed = experiment.verdict.failure == FailureKind::Harness;
    current.reset();
    follows = recorded;
    return {};
}

Result<void> Driver::Private::perform(const action::Decide& decide)
{
    KW_TRY(const Experiment experiment, recorder.decide(decide.request.experiment, decide.decision, approvalFor(decide)));
    if (decide.decision == Decision::Kept && experiment.total)
        intervals[experiment.problem] = {experiment.total->low, experiment.total->high};
    for (ExperimentRow& row : rows) {
        if (row.number == experiment.number) {
            row.decision = experiment.decision;
            row.commit = experiment.commit;
        }
    }
    rowsChanged = true;
    return {};
}

Result<void> Driver::Private::perform(const action::RollBack& wish)
{
    KW_TRY(const std::vector<CommitRecord> commits, parts.journal->commits());
    std::int64_t taken = 0;
    for (const CommitRecord& record : commits) {
        if (record.branch == CommitRecord::Branch::Main && record.problem == wish.problem)
            taken = record.experiment;
    }
    KW_TRY(const std::string head, recorder.rollBack(wish.problem, wish.experiment, taken, answering.text, secondsNow()));
    intervals.erase(wish.problem);
    if (wish.experiment > 0) {
        KW_TRY(const Experiment target, parts.journal->experiment(wish.experiment));
        if (target.total)
            intervals[wish.problem] = {target.total->low, target.total->high};
    }
    for (ExperimentRow& row : rows) {
        if (row.number == taken && taken != wish.experiment)
            row.decision = Decision::RolledBack;
        if (row.number == wish.experiment)
            row.decision = Decision::Kept;
    }
    rowsChanged = true;
    return {};
}

std::vector<AppliedKernel> Driver::Private::bestKernels()
{
    std::vector<AppliedKernel> kernels;
    for (const ProblemTrack& track : machine.problems) {
        if (track.best.empty())
            continue;
        if (auto candidate = parts.journal->candidate(track.best))
            kernels.push_back({track.id, *std::move(candidate), {}});
    }
    return kernels;
}

Event Driver::Private::applyBests(std::vector<AppliedKernel> kernels, double expected, std::stop_token stop)
{
    for (const AppliedKernel& kernel : kernels) {
        if (auto defined = parts.judge->define(problems.at(kernel.problem)); !defined)
            return failedWork(defined.error());
    }
    ApplyOptions chosen;
    chosen.folder = options.appliedFolder;
    chosen.expectedSpeedup = expected;
    chosen.eager = options.eagerSeconds;
    auto done = applyModel(*parts.judge, std::move(kernels), chosen, stop, progress());
    if (!done)
        return failedWork(done.error());
    if (stop.stop_requested())
        return event::WorkStopped{};
    freshApplied = done->summary;
    application = *std::move(done);
    return event::Applied{};
}

Result<void> Driver::Private::perform(const action::Apply&)
{
    begin([this, kernels = bestKernels(), expected = modelSpeedup(machine.problems, machine.modelSeconds)](
              std::stop_token stop) mutable { return applyBests(std::move(kernels), expected, std::move(stop)); });
    return {};
}

Result<void> Driver::Private::perform(const action::Export& wish)
{
    std::map<std::string, Experiment> kept;
    auto kernels = bestKernels();
    for (const AppliedKernel& kernel : kernels) {
        KW_TRY(const std::int64_t number, parts.journal->experimentOf(kernel.candidate.id));
        KW_TRY(kept[kernel.problem], parts.journal->experiment(number));
    }
    // Rebuilt from the sources and verified again: an older application is not trusted.
    const double expected = modelSpeedup(machine.problems, machine.modelSeconds);
    begin([this, kernels = std::move(kernels), kept = std::move(kept), folder = wish.folder, expected](
              std::stop_token stop) mutable -> Event {
        Event done = applyBests(std::move(kernels), expected, stop);
        if (!std::holds_alternative<event::Applied>(done))
            return done;
        ExportWish all;
        all.application = &*application;
        all.graph = &*graph;
        all.folder = folder;
        for (const AppliedKernel& kernel : application->kernels) {
            all.problems.push_back(problems.at(kernel.problem));
            all.experiments.push_back(kept.at(kernel.problem));
        }
        if (auto environment = parts.judge->environment())
            all.environment = *std::move(environment);
        if (!options.writeExport)
            return event::WorkFailed{error("loop.no_export")};
        if (auto written = options.writeExport(all); !written)
            return event::WorkFailed{written.error()};
        return event::Exported{};
    });
    return {};
}

} // namespace kw
