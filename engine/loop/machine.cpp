// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/machine.h"

#include "loop/machine_steps.h"

#include <algorithm>
#include <limits>

namespace kw {

Transition step(MachineState state, const Event& event, const LoopRules& rules)
{
    MachineStep next(std::move(state), rules);
    std::visit([&](const auto& happened) { next.handle(happened); }, event);
    return next.take();
}

std::string searchBase(const MachineState& state, const std::string& problem)
{
    for (const ApprovalRequest& request : state.approvals) {
        if (request.problem == problem)
            return request.candidate;
    }
    for (const ProblemTrack& track : state.problems) {
        if (track.id == problem)
            return track.best;
    }
    return {};
}

double secondsLeft(const MachineState& state, double flown)
{
    if (!state.run || state.budgetSeconds <= 0 || !state.flight || state.flight->personal)
        return std::numeric_limits<double>::infinity();
    return state.budgetSeconds - state.usedSeconds - flown;
}

bool working(const MachineState& state)
{
    switch (state.state) {
    case LoopState::Loading:
    case LoopState::Profiling:
    case LoopState::Proposing:
    case LoopState::Building:
    case LoopState::Verifying:
    case LoopState::Measuring:
    case LoopState::Deciding:
    case LoopState::Applying:
    case LoopState::Stopping: return true;
    default: return false;
    }
}

ProblemTrack* MachineStep::track(const std::string& problem)
{
    for (ProblemTrack& track : state().problems) {
        if (track.id == problem)
            return &track;
    }
    return nullptr;
}

ApprovalRequest* MachineStep::waiting(const std::string& problem)
{
    for (ApprovalRequest& request : state().approvals) {
        if (request.problem == problem)
            return &request;
    }
    return nullptr;
}

void MachineStep::goTo(LoopState next, Action work)
{
    state().state = next;
    act(std::move(work));
}

void MachineStep::restAt(LoopState rest, Message reason)
{
    state().rest = state().state = rest;
    state().reason = std::move(reason);
    state().run = false;
    state().steps = 0;
    state().pausing = false;
}

void MachineStep::advance()
{
    MachineState& now = state();
    now.flight.reset();
    if (now.shutdown) {
        now.state = LoopState::Idle;
        return act(action::Finish{});
    }
    if (now.pausing)
        return restAt(LoopState::Paused, Message("loop.reason.paused"));
    const bool wanted = now.profileWanted || now.run || now.steps > 0 || !now.personal.empty() || now.applyWanted || now.exportFolder;
    if (!wanted) {
        now.state = now.rest;
        return;
    }
    if (!now.loaded)
        return goTo(LoopState::Loading, action::Load{});
    if (!now.profiled)
        return goTo(LoopState::Profiling, action::Profile{});
    now.profileWanted = false;
    beginRequested();
}

void MachineStep::beginRequested()
{
    MachineState& now = state();
    if (!now.personal.empty())
        return beginPersonal();
    if (now.applyWanted)
        return goTo(LoopState::Applying, action::Apply{});
    if (now.exportFolder)
        return goTo(LoopState::Applying, action::Export{*now.exportFolder});
    if (now.run || now.steps > 0)
        return beginSearch();
    now.state = now.rest;
}

void MachineStep::beginPersonal()
{
    const PersonalCandidate next = state().personal.front();
    state().personal.pop_front();
    const ProblemTrack* found = track(next.problem);
    state().flight = Flight{next.problem, next.id, next.againstApproved && found ? found->best : searchBase(state(), next.problem),
        next.againstApproved, false, true, 0};
    goTo(LoopState::Verifying, action::Verify{});
}

void MachineStep::beginSearch()
{
    MachineState& now = state();
    if (now.run && now.budgetSeconds > 0 && now.usedSeconds >= now.budgetSeconds)
        return restAt(LoopState::Done, Message("loop.reason.budget").with("seconds", now.budgetSeconds));
    if (m_rules.targetSpeedup > 0 && modelSpeedup(now.problems, now.modelSeconds) >= m_rules.targetSpeedup)
        return restAt(LoopState::Done, Message("loop.reason.target").with("speedup", m_rules.targetSpeedup));
    std::vector<std::string> blocked;
    if (now.supervision == Supervision::All) {
        for (const ApprovalRequest& request : now.approvals)
            blocked.push_back(request.problem);
    }
    if (const auto retry = chooseRetry(now.retries, now.problems, blocked, now.disturbance, false, m_rules))
        return beginRetry(*retry);
    const auto chosen = chooseProblem(now.problems, blocked, now.modelSeconds, m_rules);
    if (!chosen)
        return beginLeftOver(blocked);
    const bool bounded = now.run && now.budgetSeconds > 0 && now.usedSeconds > 0;
    if (bounded && !fits(now.problems[*chosen], now.budgetSeconds - now.usedSeconds))
        return restAt(LoopState::Done, Message("loop.reason.budget").with("seconds", now.budgetSeconds));
    const std::string problem = now.problems[*chosen].id;
    now.flight = Flight{problem, {}, searchBase(now, problem), false, false, false, 0};
    now.reason = {};
    goTo(LoopState::Proposing, action::Propose{problem});
}

void MachineStep::beginLeftOver(const std::vector<std::string>& blocked)
{
    MachineState& now = state();
    if (const auto retry = chooseRetry(now.retries, now.problems, blocked, now.disturbance, true, m_rules))
        return beginRetry(*retry);
    const bool held = chooseProblem(now.problems, {}, now.modelSeconds, m_rules)
        || chooseRetry(now.retries, now.problems, {}, now.disturbance, true, m_rules);
    if (blocked.empty() || !held)
        return restAt(LoopState::Done, Message("loop.reason.nothing_left"));
    now.state = LoopState::Choosing;
    now.reason = Message("loop.reason.waiting_for_approval");
}

void MachineStep::beginRetry(std::size_t index)
{
    MachineState& now = state();
    const Retry retry = now.retries[index];
    now.retries.erase(now.retries.begin() + static_cast<std::ptrdiff_t>(index));
    now.flight = Flight{retry.problem, retry.id, searchBase(now, retry.problem), false, false, false, retry.attempts};
    now.reason = {};
    goTo(LoopState::Verifying, action::Verify{});
}

void MachineStep::keepRetry()
{
    if (const auto& flight = state().flight; flight && flight->attempts > 0)
        state().retries.insert(state().retries.begin(), Retry{flight->candidate, flight->problem, flight->attempts, 0});
}

void MachineStep::handle(const event::Loaded&)
{
    if (state().state != LoopState::Loading)
        return;
    state().loaded = true;
    advance();
}

void MachineStep::handle(const event::Profiled& profiled)
{
    if (state().state != LoopState::Profiling)
        return;
    state().profiled = true;
    state().problems = profiled.problems;
    state().modelSeconds = profiled.modelSeconds;
    advance();
}

void MachineStep::handle(const event::Proposed& proposed)
{
    if (state().state != LoopState::Proposing || !state().flight)
        return;
    state().flight->candidate = proposed.candidate;
    goTo(LoopState::Verifying, action::Verify{});
}

void MachineStep::handle(const event::NothingProposed& nothing)
{
    if (state().state != LoopState::Proposing || !state().flight)
        return;
    state().usedSeconds += nothing.seconds;
    if (ProblemTrack* found = track(state().flight->problem)) {
        found->refused = nothing.refused;
        found->exhausted = !nothing.refused;
    }
    advance();
}

void MachineStep::handle(const event::Verified& verified)
{
    if ((state().state != LoopState::Verifying && state().state != LoopState::Building) || !state().flight)
        return;
    if (!verified.passed)
        return record(Decision::Rejected);
    screenAgain();
}

void MachineStep::screenAgain()
{
    Flight& flight = *state().flight;
    const ProblemTrack* found = track(flight.problem);
    flight.against = flight.againstApproved && found ? found->best : searchBase(state(), flight.problem);
    flight.stale = false;
    goTo(LoopState::Measuring, action::Screen{});
}

void MachineStep::handle(const event::Screened& screened)
{
    if (state().state != LoopState::Measuring || !state().flight)
        return;
    if (state().flight->stale)
        return screenAgain();
    if (screened.rejected)
        return record(Decision::ScreenedOut);
    act(action::Measure{});
}

void MachineStep::handle(const event::Measured& measured)
{
    if (state().state != LoopState::Measuring || !state().flight)
        return;
    if (state().flight->stale)
        return screenAgain();
    if (measured.outcome != Comparison::Faster)
        return recordDoubt(measured.doubt);
    act(action::Confirm{});
}

void MachineStep::handle(const event::Confirmed& confirmed)
{
    if (state().state != LoopState::Measuring || !state().flight)
        return;
    if (state().flight->stale)
        return screenAgain();
    if (!confirmed.faster)
        return recordDoubt(confirmed.doubt);
    act(action::MeasureTotal{});
}

void MachineStep::handle(const event::TotalMeasured& measured)
{
    if (state().state != LoopState::Measuring || !state().flight)
        return;
    if (state().flight->stale)
        return screenAgain();
    if (measured.doubt != Doubt::None)
        return recordDoubt(measured.doubt);
    record(state().supervision == Supervision::None ? Decision::Kept : Decision::Pending);
}

void MachineStep::handle(const event::TimingFailed& failed)
{
    if (state().state == LoopState::Measuring && state().flight)
        record(failed.open && state().flight->attempts + 1 < m_rules.mostAttempts ? Decision::Unsure : Decision::Rejected);
}

void MachineStep::handle(const event::OutOfTime& late)
{
    MachineState& now = state();
    if (!now.flight)
        return;
    if (now.state == LoopState::Proposing) {
        now.usedSeconds += late.seconds;
        return advance();
    }
    if (now.state == LoopState::Building || now.state == LoopState::Verifying || now.state == LoopState::Measuring)
        record(Decision::Unfinished);
}

void MachineStep::recordDoubt(Doubt doubt)
{
    record(doubt == Doubt::Disturbed ? Decision::Unsure : doubt == Doubt::OutOfTime ? Decision::Unfinished : Decision::NotFaster);
}

void MachineStep::record(Decision decision)
{
    std::int64_t superseded = 0;
    if (decision == Decision::Kept || decision == Decision::Pending) {
        if (const ApprovalRequest* earlier = waiting(state().flight->problem))
            superseded = earlier->experiment;
    }
    goTo(LoopState::Deciding, action::Record{decision, superseded});
}

void MachineStep::handle(const event::Recorded& recorded)
{
    MachineState& now = state();
    if (now.state != LoopState::Deciding || !now.flight)
        return;
    const Flight flight = *now.flight;
    const bool won = recorded.decision == Decision::Kept || recorded.decision == Decision::Pending;
    if (!recorded.judgeFailed)
        now.failures = 0;
    now.usedSeconds += recorded.seconds;
    now.steps = std::max<std::int64_t>(now.steps - 1, 0);
    if (recorded.disturbance >= 0)
        now.disturbance = recorded.disturbance;
    ProblemTrack* found = track(flight.problem);
    if (found)
        learnFrom(recorded, flight, *found);
    std::int64_t replaced = 0;
    if (won) {
        if (const ApprovalRequest* earlier = waiting(flight.problem))
            replaced = earlier->replaced + 1;
        std::erase_if(now.approvals, [&](const ApprovalRequest& request) { return request.problem == flight.problem; });
    }
    if (recorded.decision == Decision::Kept && found) {
        found->best = flight.candidate;
        found->ratio = recorded.ratio;
    } else if (recorded.decision == Decision::Pending) {
        now.approvals.push_back({recorded.number, flight.problem, flight.candidate, found ? found->best : "", recorded.binding, replaced});
    }
    advance();
}

void MachineStep::learnFrom(const event::Recorded& recorded, const Flight& flight, ProblemTrack& track)
{
    const bool won = recorded.decision == Decision::Kept || recorded.decision == Decision::Pending;
    if (!isOpen(recorded.decision) || flight.attempts + 1 >= m_rules.mostAttempts)
        return learn(track, recorded.seconds, recorded.ratio, won);
    learnCost(track, recorded.seconds);
    const double disturbance = recorded.decision != Decision::Unsure ? 0 : recorded.disturbance >= 0 ? recorded.disturbance : 1;
    state().retries.push_back({flight.candidate, flight.problem, flight.attempts + 1, disturbance});
}

void MachineStep::handle(const event::Applied&)
{
    state().applyWanted = false;
    if (state().state == LoopState::Applying)
        advance();
}

void MachineStep::handle(const event::Exported&)
{
    state().exportFolder.reset();
    if (state().state == LoopState::Applying)
        advance();
}

void MachineStep::handle(const event::WorkFailed& failed)
{
    MachineState& now = state();
    if (!working(now))
        return;
    now.error = failed.error;
    if (now.state == LoopState::Applying) {
        now.applyWanted = false;
        now.exportFolder.reset();
        return advance();
    }
    // A worker that dies while it loads or profiles has cost nothing but time.
    const bool repeatable = (now.state == LoopState::Loading || now.state == LoopState::Profiling)
        && failed.error.message.id == "judge.worker_died";
    if (repeatable && ++now.failures < m_rules.failuresInRow)
        return advance();
    const bool countable = now.flight && !now.flight->candidate.empty() && now.state != LoopState::Deciding;
    if (countable && ++now.failures < m_rules.failuresInRow)
        return record(Decision::Rejected);
    keepRetry();
    now.flight.reset();
    now.personal.clear();
    now.profileWanted = now.applyWanted = false;
    now.exportFolder.reset();
    restAt(LoopState::Failed, failed.error.message);
    if (now.shutdown)
        act(action::Finish{});
}

void MachineStep::handle(const event::WorkStopped&)
{
    MachineState& now = state();
    keepRetry();
    now.flight.reset();
    now.stopping = false;
    if (now.shutdown) {
        now.state = LoopState::Idle;
        return act(action::Finish{});
    }
    restAt(LoopState::Idle, Message("loop.reason.stopped"));
}

} // namespace kw
