// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/driver_private.h"
#include "record/names.h"

#include <algorithm>

namespace kw {

double Driver::Private::flightSeconds() const
{
    return current && machine.flight ? std::chrono::duration<double>(Clock::now() - current->start).count() : 0;
}

std::vector<ProblemRow> Driver::Private::problemRows() const
{
    std::map<std::string, ProblemRow> counted;
    for (const ExperimentRow& row : rows) {
        ProblemRow& counts = counted[row.problem];
        ++counts.experiments;
        counts.kept += row.decision == Decision::Kept;
        counts.rejected += row.decision == Decision::Rejected;
    }
    std::vector<ProblemRow> list;
    for (const ProblemTrack& track : machine.problems) {
        const Problem* known = problem(track.id);
        if (!known)
            continue;
        ProblemRow row = counted[track.id];
        row.id = track.id;
        row.name = known->name;
        row.modulePath = known->sites.empty() ? std::string() : known->sites.front().modulePath;
        row.kind = known->kind;
        row.state = stateOf(track, machine.modelSeconds, options.rules);
        if (machine.flight && machine.flight->problem == track.id)
            row.state = ProblemState::Active;
        row.calls = known->calls();
        row.seconds = track.seconds;
        row.floorSeconds = track.floorSeconds;
        row.predictedSeconds = track.predictedSeconds;
        row.best = track.best;
        row.ratio = row.low = row.high = track.ratio;
        if (const auto found = intervals.find(track.id); found != intervals.end() && !track.best.empty())
            std::tie(row.low, row.high) = found->second;
        if (const auto found = refusals.find(track.id); found != refusals.end())
            row.refusal = found->second;
        list.push_back(std::move(row));
    }
    return list;
}

void Driver::Private::fillProgress(Snapshot& snapshot) const
{
    snapshot.usedSeconds = machine.usedSeconds + (machine.run ? flightSeconds() : 0);
    if (recordedAt.size() > 1) {
        const double span = std::chrono::duration<double>(recordedAt.back() - recordedAt.front()).count();
        if (span > 0)
            snapshot.experimentsPerHour = 3600 * static_cast<double>(recordedAt.size() - 1) / span;
    }
    if (machine.run && machine.budgetSeconds > 0)
        snapshot.secondsLeft = std::max(machine.budgetSeconds - snapshot.usedSeconds, 0.0);
    if (lastProgress && lastProgress->total > 0)
        snapshot.progress = std::clamp(lastProgress->done / lastProgress->total, 0.0, 1.0);
    const Problem* active = machine.flight ? problem(machine.flight->problem) : nullptr;
    snapshot.now = Message("loop.now." + std::string(nameOf(machine.state))).with("problem", active ? active->name : std::string());
    if (!working(machine) && !machine.reason.empty())
        snapshot.now = machine.reason;
    if (lastProgress && !lastProgress->what.empty() && !machine.flight)
        snapshot.now = lastProgress->what;
    if (!machine.approvals.empty())
        snapshot.next = Message("loop.next.approval").with("count", machine.approvals.size());
    else if (machine.pausing)
        snapshot.next = Message("loop.next.pause");
    else if (!machine.personal.empty())
        snapshot.next = Message("loop.next.personal").with("count", machine.personal.size());
    else if (!machine.retries.empty())
        snapshot.next = Message("loop.next.retry").with("count", machine.retries.size());
}

void Driver::Private::publish()
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->sequence = ++sequence;
    snapshot->session = options.session.string();
    snapshot->model = options.model.string();
    snapshot->state = machine.state;
    snapshot->pausing = machine.pausing;
    snapshot->supervision = machine.supervision;
    snapshot->budgetSeconds = machine.budgetSeconds;
    snapshot->unsafe = options.unsafe;
    snapshot->readOnly = options.readOnly;
    fillProgress(*snapshot);
    if (report && report->predictedSeconds > 0)
        snapshot->predictedSpeedup = report->seconds / report->predictedSeconds;
    snapshot->modelSpeedup = modelSpeedup(machine.problems, machine.modelSeconds);
    snapshot->applied = applied;
    snapshot->report = report;
    snapshot->problems = std::make_shared<const std::vector<ProblemRow>>(problemRows());
    if (rowsChanged || !publishedRows)
        publishedRows = std::make_shared<const std::vector<ExperimentRow>>(rows);
    rowsChanged = false;
    snapshot->experiments = publishedRows;
    snapshot->approvals = machine.approvals;
    if (machine.flight) {
        snapshot->activeProblem = machine.flight->problem;
        snapshot->currentCandidate = machine.flight->candidate;
        if (current && !machine.flight->candidate.empty())
            snapshot->currentSource = current->experiment.candidate.source;
    }
    snapshot->error = machine.error;
    snapshot->historyHead = recorder.head();
    parts.board->publish(std::move(snapshot));
    dirty = false;
    published = Clock::now();
}

} // namespace kw
