// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/machine.h"

namespace kw {

/// One call of step(): the parts of the machine share it. For this folder's .cpp files only.
class MachineStep {
public:
    MachineStep(MachineState state, const LoopRules& rules) : m_rules(rules) { m_result.state = std::move(state); }

    void handle(const event::CommandGiven& given);
    void handle(const event::Opened&) { advance(); }
    void handle(const event::Loaded&);
    void handle(const event::Profiled& profiled);
    void handle(const event::Proposed& proposed);
    void handle(const event::NothingProposed& nothing);
    void handle(const event::Verified& verified);
    void handle(const event::Screened& screened);
    void handle(const event::Measured& measured);
    void handle(const event::Confirmed& confirmed);
    void handle(const event::TotalMeasured& measured);
    void handle(const event::TimingFailed& failed);
    void handle(const event::OutOfTime& late);
    void handle(const event::Recorded& recorded);
    void handle(const event::Applied&);
    void handle(const event::Exported&);
    void handle(const event::WorkFailed& failed);
    void handle(const event::WorkStopped&);

    Transition take() { return std::move(m_result); }

private:
    MachineState& state() { return m_result.state; }
    void act(Action action) { m_result.actions.push_back(std::move(action)); }
    void refuse(const char* id) { m_result.refusal = error(id); }
    ProblemTrack* track(const std::string& problem);
    ApprovalRequest* waiting(const std::string& problem);

    /// At a safe point: what comes next.
    void advance();
    void beginRequested();
    void beginSearch();
    void restAt(LoopState rest, Message reason);
    void beginPersonal();
    void beginRetry(std::size_t index);
    /// When no problem is worth a new candidate.
    void beginLeftOver(const std::vector<std::string>& blocked);
    /// A source that was to be judged again waits on when its flight ends without a record.
    void keepRetry();
    void record(Decision decision);
    void recordDoubt(Doubt doubt);
    /// What the experiment taught, and whether its source is judged again.
    void learnFrom(const event::Recorded& recorded, const Flight& flight, ProblemTrack& track);
    void screenAgain();
    void goTo(LoopState next, Action work);
    void advanceIfResting();

    void start();
    void pause();
    void oneStep();
    void stop();
    void answer(const Command& command, Decision decision);
    void personal(const event::CommandGiven& given, bool againstApproved);
    void rollBack(const event::CommandGiven& given);
    void mark(const Command& command);
    void settle(const Command& command);
    void end();

    const LoopRules& m_rules;
    Transition m_result;
};

} // namespace kw
