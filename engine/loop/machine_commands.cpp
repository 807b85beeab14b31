// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/machine_steps.h"

#include <algorithm>
#include <cmath>

namespace kw {

void MachineStep::handle(const event::CommandGiven& given)
{
    if (state().shutdown && given.command.kind != CommandKind::Shutdown)
        return refuse("command.shutting_down");
    switch (given.command.kind) {
    case CommandKind::Start: return start();
    case CommandKind::Pause: return pause();
    case CommandKind::Step: return oneStep();
    case CommandKind::Stop: return stop();
    case CommandKind::Approve: return answer(given.command, Decision::Kept);
    case CommandKind::Reject: return answer(given.command, Decision::Declined);
    case CommandKind::AcceptHunks: return personal(given, true);
    case CommandKind::Evaluate: return personal(given, false);
    case CommandKind::RollBack: return rollBack(given);
    case CommandKind::Pin:
    case CommandKind::Unpin:
    case CommandKind::Skip:
    case CommandKind::Unskip: return mark(given.command);
    case CommandKind::SetSupervision:
    case CommandKind::SetBudget: return settle(given.command);
    case CommandKind::Apply:
        state().applyWanted = true;
        state().error.reset();
        return advanceIfResting();
    case CommandKind::Export:
        if (given.command.text.empty())
            return refuse("command.no_folder");
        state().exportFolder = given.command.text;
        state().error.reset();
        return advanceIfResting();
    case CommandKind::Shutdown: return end();
    }
}

void MachineStep::advanceIfResting()
{
    if (working(state()))
        return;
    // Work that is asked for by name is done although the search is paused, and the search stays paused.
    const bool pausing = std::exchange(state().pausing, false);
    advance();
    state().pausing = pausing && working(state());
}

void MachineStep::start()
{
    MachineState& now = state();
    if (now.stopping)
        return refuse("command.stopping");
    now.run = true;
    now.pausing = false;
    now.error.reset();
    now.failures = 0;
    now.rest = LoopState::Idle;
    if (!working(now))
        advance();
}

void MachineStep::pause()
{
    MachineState& now = state();
    if (working(now)) {
        now.pausing = true;
        return;
    }
    if (now.state == LoopState::Choosing)
        return restAt(LoopState::Paused, Message("loop.reason.paused"));
    if (now.state != LoopState::Paused)
        refuse("command.not_running");
}

void MachineStep::oneStep()
{
    MachineState& now = state();
    if (now.run && working(now))
        return refuse("command.already_running");
    if (now.stopping)
        return refuse("command.stopping");
    now.run = false;
    now.steps = 1;
    now.error.reset();
    now.failures = 0;
    if (now.rest == LoopState::Failed || now.rest == LoopState::Done)
        now.rest = LoopState::Paused;
    advanceIfResting();
}

void MachineStep::stop()
{
    MachineState& now = state();
    now.run = now.pausing = now.profileWanted = now.applyWanted = false;
    now.steps = 0;
    now.exportFolder.reset();
    now.personal.clear();
    if (!working(now))
        return restAt(LoopState::Idle, Message("loop.reason.stopped"));
    if (now.stopping)
        return;
    now.stopping = true;
    now.state = LoopState::Stopping;
    act(action::Cancel{});
}

void MachineStep::answer(const Command& command, Decision decision)
{
    if (command.author.kind != AuthorKind::Person)
        return refuse("command.only_a_person_approves");
    auto& approvals = state().approvals;
    const auto found = std::find_if(approvals.begin(), approvals.end(),
        [&](const ApprovalRequest& request) { return request.experiment == command.experiment; });
    if (found == approvals.end())
        return refuse("command.nothing_to_approve");
    if (found->binding != command.binding)
        return refuse("command.other_binding");
    const ApprovalRequest request = *found;
    approvals.erase(found);
    if (ProblemTrack* problem = track(request.problem)) {
        if (decision == Decision::Kept) {
            problem->best = request.candidate;
            problem->ratio = problem->searchRatio;
        } else {
            problem->searchRatio = problem->ratio;
            problem->exhausted = false;
        }
    }
    // A flight that was compared with what is now declined has to be compared with something else.
    if (state().flight && state().flight->problem == request.problem && decision == Decision::Declined)
        state().flight->stale = true;
    act(action::Decide{request, decision});
    if (state().run && state().state == LoopState::Choosing)
        advance();
}

void MachineStep::personal(const event::CommandGiven& given, bool againstApproved)
{
    if (given.command.author.kind != AuthorKind::Person && againstApproved)
        return refuse("command.only_a_person_approves");
    if (!state().problems.empty() && !track(given.command.problem))
        return refuse("command.no_such_problem");
    if (state().stopping)
        return refuse("command.stopping");
    state().personal.push_back({given.candidate, given.command.problem, againstApproved});
    advanceIfResting();
}

void MachineStep::rollBack(const event::CommandGiven& given)
{
    const Command& command = given.command;
    if (command.author.kind != AuthorKind::Person)
        return refuse("command.only_a_person_approves");
    ProblemTrack* problem = track(command.problem);
    if (!problem)
        return refuse("command.no_such_problem");
    if (waiting(command.problem))
        return refuse("command.answer_approval_first");
    if (problem->best == given.candidate)
        return refuse("command.already_best");
    problem->best = given.candidate;
    problem->ratio = problem->searchRatio = given.ratio;
    problem->exhausted = false;
    problem->sinceWin = 0;
    if (state().flight && state().flight->problem == command.problem)
        state().flight->stale = true;
    act(action::RollBack{command.problem, command.experiment});
}

void MachineStep::mark(const Command& command)
{
    ProblemTrack* problem = track(command.problem);
    if (!problem)
        return refuse("command.no_such_problem");
    switch (command.kind) {
    case CommandKind::Pin:
        problem->pinned = true;
        problem->skipped = false;
        break;
    case CommandKind::Unpin: problem->pinned = false; break;
    case CommandKind::Skip:
        problem->skipped = true;
        problem->pinned = false;
        break;
    default: problem->skipped = false; break;
    }
    act(action::SaveSettings{});
}

void MachineStep::settle(const Command& command)
{
    if (command.kind == CommandKind::SetSupervision) {
        // An agent that could switch supervision off could approve itself.
        if (command.author.kind != AuthorKind::Person)
            return refuse("command.only_a_person_approves");
        state().supervision = command.supervision;
    } else {
        if (!std::isfinite(command.number) || command.number < 0)
            return refuse("command.bad_number");
        state().budgetSeconds = command.number;
    }
    act(action::SaveSettings{});
    if (state().run && state().state == LoopState::Choosing)
        advance();
}

void MachineStep::end()
{
    MachineState& now = state();
    if (now.shutdown)
        return;
    now.shutdown = true;
    now.run = false;
    now.steps = 0;
    if (!working(now)) {
        now.state = LoopState::Idle;
        return act(action::Finish{});
    }
    if (!now.stopping) {
        now.stopping = true;
        now.state = LoopState::Stopping;
        act(action::Cancel{});
    }
}

} // namespace kw
