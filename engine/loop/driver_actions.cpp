// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_io.h"
#include "codegen/program.h"
#include "loop/driver_private.h"
#include "problem/regions.h"

#include <algorithm>

namespace kw {

Event failedWork(const Error& error)
{
    return error.message.id == "judge.stopped" ? Event(event::WorkStopped{}) : Event(event::WorkFailed{error});
}

Result<void> Driver::Private::perform(const Action& action)
{
    return std::visit([this](const auto& what) { return perform(what); }, action);
}

Result<void> Driver::Private::perform(const action::Load&)
{
    begin([this](std::stop_token stop) { return load(std::move(stop)); });
    return {};
}

Event Driver::Private::load(std::stop_token stop)
{
    auto info = parts.judge->info();
    if (!info)
        return failedWork(info.error());
    if (!info->sandboxSufficient && !options.unsafe)
        return event::WorkFailed{error("loop.sandbox_insufficient")};
    auto model = parts.judge->load(options.model, std::move(stop), progress());
    if (!model)
        return failedWork(model.error());
    if (options.bindModel) {
        if (auto bound = options.bindModel(model->sha256); !bound)
            return event::WorkFailed{bound.error()};
    }
    graph = model->graph;
    loaded = *std::move(model);
    return event::Loaded{};
}

Result<void> Driver::Private::perform(const action::Profile&)
{
    begin([this](std::stop_token stop) { return profile(std::move(stop)); });
    return {};
}

Event Driver::Private::profile(std::stop_token stop)
{
    ProfileOptions chosen;
    chosen.seconds = options.profileSeconds;
    auto measured = parts.judge->profile(chosen, std::move(stop), progress());
    if (!measured)
        return failedWork(measured.error());
    RegionOptions regions;
    regions.statistics = loaded ? loaded->statistics : std::vector<ValueStatistics>{};
    regions.accepts = [](const Problem& found) { return lower(found).ok(); };
    auto partition = findRegions(*graph, *measured, regions);
    if (!partition)
        return event::WorkFailed{partition.error()};
    partition->report.model = options.model.filename().string();
    event::Profiled profiled;
    profiled.modelSeconds = partition->report.seconds;
    for (const Problem& problem : partition->problems) {
        const auto calls = static_cast<double>(problem.calls());
        ProblemTrack track;
        track.id = problem.id;
        track.seconds = problem.seconds * calls;
        track.floorSeconds = problem.floorSeconds * calls;
        track.predictedSeconds = problem.predictedSeconds * calls;
        profiled.problems.push_back(std::move(track));
    }
    fresh = Fresh{*std::move(measured), *std::move(partition)};
    loaded.reset();
    return profiled;
}

Result<void> Driver::Private::perform(const action::Propose& wish)
{
    const Problem* chosen = problem(wish.problem);
    if (!chosen)
        return Error{Message("journal.no_problem").with("problem", wish.problem), {}};
    current = Current{{}, chosen, Clock::now()};
    current->experiment.problem = wish.problem;
    current->experiment.startTime = secondsNow();
    LoopToolbox::Task task;
    task.problem = wish.problem;
    task.author = parts.agent->author();
    task.open = standings();
    task.seed = options.seed;
    task.secondsLeft = budgetLeft();
    begin([this, task = std::move(task)](std::stop_token stop) mutable { return propose(std::move(task), std::move(stop)); });
    return {};
}

/// The problems that an agent may look at, the one that promises most first.
std::vector<Standing> Driver::Private::standings() const
{
    std::vector<const ProblemTrack*> open;
    for (const ProblemTrack& track : machine.problems) {
        const ProblemState state = stateOf(track, machine.modelSeconds, options.rules);
        if (state == ProblemState::Waiting || state == ProblemState::Pinned)
            open.push_back(&track);
    }
    std::stable_sort(open.begin(), open.end(), [](const auto* a, const auto* b) { return searchValue(*a) > searchValue(*b); });
    std::vector<Standing> list;
    for (const ProblemTrack* track : open) {
        Standing standing{track->id, searchBase(machine, track->id), {}};
        for (const auto& [id, candidate] : personal) {
            if (candidate.problem == track->id)
                standing.waiting.push_back(id);
        }
        list.push_back(std::move(standing));
    }
    return list;
}

Event Driver::Private::propose(LoopToolbox::Task task, std::stop_token stop)
{
    LoopToolbox toolbox({problems, calibration, evaluator, memory}, task, stop);
    parts.agent->propose(toolbox, task.problem);
    if (stop.stop_requested())
        return event::WorkStopped{};
    if (toolbox.trouble())
        return failedWork(*toolbox.trouble());
    if (toolbox.submitted()) {
        proposal = toolbox.submitted();
        return event::Proposed{proposal->id};
    }
    refusal = parts.agent->lastReason();
    return event::NothingProposed{
        refusal.id.starts_with("codegen."), std::chrono::duration<double>(Clock::now() - current->start).count()};
}

Result<void> Driver::Private::perform(const action::Verify&)
{
    const Flight& flight = *machine.flight;
    if (const auto own = personal.find(flight.candidate); own != personal.end()) {
        current = Current{{}, problem(flight.problem), Clock::now()};
        current->experiment.problem = flight.problem;
        current->experiment.startTime = secondsNow();
        current->experiment.candidate = std::move(own->second);
        personal.erase(own);
    } else if (flight.attempts > 0) {
        current = Current{{}, problem(flight.problem), Clock::now()};
        current->experiment.problem = flight.problem;
        current->experiment.startTime = secondsNow();
        KW_TRY(current->experiment.candidate, parts.journal->candidate(flight.candidate));
    } else {
        current->experiment.candidate = *std::exchange(proposal, std::nullopt);
    }
    current->experiment.best = flight.against;
    begin([this](std::stop_token stop) { return evaluator.verify(*current->problem, current->experiment, std::move(stop), progress()); });
    return {};
}

Result<void> Driver::Private::perform(const action::Screen&)
{
    current->experiment.best = machine.flight->against;
    begin([this, left = budgetLeft()](std::stop_token stop) {
        return evaluator.screen(*current->problem, current->experiment, left, std::move(stop));
    });
    return {};
}

Result<void> Driver::Private::perform(const action::Measure&)
{
    begin([this, left = budgetLeft()](std::stop_token stop) {
        return evaluator.measure(*current->problem, current->experiment, left, std::move(stop));
    });
    return {};
}

Result<void> Driver::Private::perform(const action::Confirm&)
{
    // Spent before it is used: a confirmation that is cut off by a crash has been looked at.
    KW_CHECK(parts.journal->putDocument("confirmations", std::to_string(++confirmations)));
    begin([this, index = confirmations, left = budgetLeft()](std::stop_token stop) {
        return evaluator.confirm(*current->problem, current->experiment, index, left, std::move(stop));
    });
    return {};
}

Result<void> Driver::Private::perform(const action::MeasureTotal&)
{
    begin([this, left = budgetLeft()](std::stop_token stop) {
        return evaluator.total(*current->problem, current->experiment, left, std::move(stop));
    });
    return {};
}

Result<void> Driver::Private::perform(const action::Cancel&)
{
    cancelled = true;
    const std::lock_guard lock(workMutex);
    workStop.request_stop();
    return {};
}

Result<void> Driver::Private::perform(const action::SaveSettings&)
{
    Command shaped;
    shaped.supervision = machine.supervision;
    Json settings{{"supervision", shaped}, {"budget", machine.budgetSeconds}, {"used", machine.usedSeconds},
        {"pinned", Json::array()}, {"skipped", Json::array()}};
    for (const ProblemTrack& track : machine.problems) {
        if (track.pinned)
            settings["pinned"].push_back(track.id);
        if (track.skipped)
            settings["skipped"].push_back(track.id);
    }
    return parts.journal->putDocument("settings", dump(settings));
}

Result<void> Driver::Private::perform(const action::Finish&)
{
    KW_CHECK(perform(action::SaveSettings{}));
    {
        const std::lock_guard lock(finishMutex);
        finishedFlag = true;
    }
    finishChanged.notify_all();
    return {};
}

} // namespace kw
