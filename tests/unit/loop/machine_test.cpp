// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace kw {
namespace {

/// Feeds the machine event by event and keeps the actions of the last one.
class Play {
public:
    Play()
    {
        state.loaded = state.profiled = true;
        state.modelSeconds = 1;
        state.supervision = Supervision::None;
        state.problems = {problem("p", 0.4, 0.1), problem("q", 0.2, 0.05)};
    }

    static ProblemTrack problem(const std::string& id, double seconds, double floor)
    {
        ProblemTrack track;
        track.id = id;
        track.seconds = seconds;
        track.floorSeconds = track.predictedSeconds = floor;
        return track;
    }

    Play& feed(const Event& event)
    {
        Transition next = step(std::move(state), event, rules);
        state = std::move(next.state);
        actions = std::move(next.actions);
        refusal = next.refusal ? next.refusal->message.id : "";
        return *this;
    }
    Play& command(CommandKind kind, const std::function<void(event::CommandGiven&)>& fill = {})
    {
        event::CommandGiven given;
        given.command.kind = kind;
        if (fill)
            fill(given);
        return feed(given);
    }
    /// Plays one winning experiment up to its record.
    Play& win(const std::string& candidate)
    {
        feed(event::Proposed{candidate}).feed(event::Verified{true}).feed(event::Screened{false});
        return feed(event::Measured{Comparison::Faster}).feed(event::Confirmed{true}).feed(event::TotalMeasured{});
    }
    Play& recorded(std::int64_t number, Decision decision, double ratio = 2, double seconds = 3)
    {
        return feed(event::Recorded{number, decision, "binding" + std::to_string(number), seconds, ratio});
    }
    template <typename Kind> bool did(const Kind& kind) const { return actions == std::vector<Action>{kind}; }

    MachineState state;
    LoopRules rules;
    std::vector<Action> actions;
    std::string refusal;
};

TEST(Machine, LoadsAndProfilesBeforeItSearches)
{
    Play play;
    play.state = MachineState{};
    EXPECT_TRUE(play.command(CommandKind::Start).did(action::Load{}));
    EXPECT_EQ(play.state.state, LoopState::Loading);
    EXPECT_TRUE(play.feed(event::Loaded{}).did(action::Profile{}));
    event::Profiled profiled{{Play::problem("p", 0.5, 0.1)}, 1.0};
    EXPECT_TRUE(play.feed(profiled).did(action::Propose{"p"}));
    EXPECT_EQ(play.state.state, LoopState::Proposing);
}

TEST(Machine, ProfilesAtOnceButNeverSearchesByItself)
{
    Play play;
    play.state = MachineState{};
    play.state.profileWanted = true;
    EXPECT_TRUE(play.feed(event::Opened{}).did(action::Load{}));
    EXPECT_TRUE(play.feed(event::Loaded{}).did(action::Profile{}));
    EXPECT_TRUE(play.feed(event::Profiled{{Play::problem("p", 0.5, 0.1)}, 1.0}).actions.empty());
    EXPECT_EQ(play.state.state, LoopState::Idle);
}

TEST(Machine, AWinGoesThroughEveryStationAndIsKept)
{
    Play play;
    EXPECT_TRUE(play.command(CommandKind::Start).did(action::Propose{"p"}));
    EXPECT_TRUE(play.feed(event::Proposed{"c1"}).did(action::Verify{}));
    EXPECT_TRUE(play.feed(event::Verified{true}).did(action::Screen{}));
    EXPECT_TRUE(play.feed(event::Screened{false}).did(action::Measure{}));
    EXPECT_TRUE(play.feed(event::Measured{Comparison::Faster}).did(action::Confirm{}));
    EXPECT_TRUE(play.feed(event::Confirmed{true}).did(action::MeasureTotal{}));
    EXPECT_TRUE(play.feed(event::TotalMeasured{}).did(action::Record{Decision::Kept, 0}));
    play.recorded(1, Decision::Kept, 2.0, 3.0);
    EXPECT_EQ(play.state.problems[0].best, "c1");
    EXPECT_EQ(play.state.problems[0].ratio, 2.0);
    EXPECT_EQ(play.state.usedSeconds, 3.0);
    EXPECT_EQ(play.state.state, LoopState::Proposing);
}

// Each row: the event that ends an experiment early, and the decision that is recorded.
TEST(Machine, EveryOtherEndIsRecordedToo)
{
    const auto record = [](const std::vector<Event>& events) {
        Play play;
        play.command(CommandKind::Start).feed(event::Proposed{"c"});
        for (const Event& event : events)
            play.feed(event);
        return play.actions.size() == 1 && std::holds_alternative<action::Record>(play.actions[0])
            ? std::get<action::Record>(play.actions[0]).decision
            : Decision::Kept;
    };
    const Event verified = event::Verified{true}, passed = event::Screened{false}, faster = event::Measured{Comparison::Faster};
    EXPECT_EQ(record({event::Verified{false}}), Decision::Rejected);
    EXPECT_EQ(record({verified, event::Screened{true}}), Decision::ScreenedOut);
    for (const Comparison outcome : {Comparison::Same, Comparison::Slower, Comparison::Unsure})
        EXPECT_EQ(record({verified, passed, event::Measured{outcome}}), Decision::NotFaster);
    EXPECT_EQ(record({verified, passed, faster, event::Confirmed{false}}), Decision::NotFaster);
    EXPECT_EQ(record({verified, event::TimingFailed{}}), Decision::Rejected);
    EXPECT_EQ(record({verified, event::TimingFailed{true}}), Decision::Unsure);
    // Doubt decides only where the numbers do not.
    for (const auto& [doubt, decision] : {std::pair{Doubt::Disturbed, Decision::Unsure}, {Doubt::OutOfTime, Decision::Unfinished}}) {
        EXPECT_EQ(record({verified, passed, event::Measured{Comparison::Unsure, doubt}}), decision);
        EXPECT_EQ(record({verified, passed, faster, event::Confirmed{false, doubt}}), decision);
        EXPECT_EQ(record({verified, passed, faster, event::Confirmed{true}, event::TotalMeasured{doubt}}), decision);
    }
    EXPECT_EQ(record({event::OutOfTime{9}}), Decision::Unfinished);
    EXPECT_EQ(record({verified, event::OutOfTime{9}}), Decision::Unfinished);
    EXPECT_EQ(record({verified, passed, faster, event::OutOfTime{9}}), Decision::Unfinished);
    EXPECT_EQ(record({verified, passed, faster, event::TimingFailed{}}), Decision::Rejected);
    EXPECT_EQ(record({verified, passed, faster, event::Confirmed{true}, event::TimingFailed{}}), Decision::Rejected);
    EXPECT_EQ(record({event::WorkFailed{error("judge.worker_died")}}), Decision::Rejected);
}

TEST(Machine, AWaitingWinLeavesBestAloneAndSearchGoesOnFromIt)
{
    Play play;
    play.state.supervision = Supervision::Improvements;
    play.command(CommandKind::Start).win("c1");
    EXPECT_TRUE(play.did(action::Record{Decision::Pending, 0}));
    play.recorded(1, Decision::Pending, 2.0);
    ASSERT_EQ(play.state.approvals.size(), 1U);
    EXPECT_EQ(play.state.approvals[0].binding, "binding1");
    EXPECT_EQ(play.state.problems[0].best, "");
    EXPECT_EQ(play.state.problems[0].ratio, 1.0);
    EXPECT_EQ(searchBase(play.state, "p"), "c1");
}

TEST(Machine, ANewerWinReplacesTheWaitingOne)
{
    Play play;
    play.state.supervision = Supervision::Improvements;
    play.state.problems = {Play::problem("p", 0.4, 0.01)};
    play.command(CommandKind::Start).win("c1").recorded(1, Decision::Pending, 2.0);
    play.win("c2");
    EXPECT_TRUE(play.did(action::Record{Decision::Pending, 1}));
    play.recorded(2, Decision::Pending, 3.0);
    ASSERT_EQ(play.state.approvals.size(), 1U);
    EXPECT_EQ(play.state.approvals[0].experiment, 2);
    EXPECT_EQ(play.state.approvals[0].replaced, 1);
    EXPECT_EQ(play.state.approvals[0].against, "");
}

TEST(Machine, ApprovalNeedsAPersonAndTheRightBinding)
{
    Play play;
    play.state.supervision = Supervision::Improvements;
    play.command(CommandKind::Start).win("c1").recorded(1, Decision::Pending, 2.0);
    const MachineState before = play.state;
    const auto approve = [&](AuthorKind author, std::int64_t number, const std::string& binding) {
        play.command(CommandKind::Approve, [&](event::CommandGiven& given) {
            given.command.author.kind = author;
            given.command.experiment = number;
            given.command.binding = binding;
        });
        return play.refusal;
    };
    for (const AuthorKind author : {AuthorKind::Search, AuthorKind::LanguageModel, AuthorKind::Tool, AuthorKind::Rule})
        EXPECT_EQ(approve(author, 1, "binding1"), "command.only_a_person_approves");
    EXPECT_EQ(approve(AuthorKind::Person, 1, "other"), "command.other_binding");
    EXPECT_EQ(approve(AuthorKind::Person, 9, "binding1"), "command.nothing_to_approve");
    EXPECT_EQ(play.state, before);
    EXPECT_EQ(approve(AuthorKind::Person, 1, "binding1"), "");
    EXPECT_TRUE(play.did(action::Decide{before.approvals[0], Decision::Kept}));
    EXPECT_EQ(play.state.problems[0].best, "c1");
    EXPECT_EQ(play.state.problems[0].ratio, 2.0);
    EXPECT_TRUE(play.state.approvals.empty());
}

TEST(Machine, ADeclinedBaseMakesTheFlightMeasureAgain)
{
    Play play;
    play.state.supervision = Supervision::Improvements;
    play.state.problems = {Play::problem("p", 0.4, 0.01)};
    play.command(CommandKind::Start).win("c1").recorded(1, Decision::Pending, 2.0);
    play.feed(event::Proposed{"c2"}).feed(event::Verified{true});
    EXPECT_EQ(play.state.flight->against, "c1");
    play.feed(event::Screened{false});
    play.command(CommandKind::Reject, [](event::CommandGiven& given) {
        given.command.experiment = 1;
        given.command.binding = "binding1";
    });
    EXPECT_EQ(play.refusal, "");
    EXPECT_TRUE(play.feed(event::Measured{Comparison::Faster}).did(action::Screen{}));
    EXPECT_EQ(play.state.flight->against, "");
    EXPECT_EQ(play.state.problems[0].searchRatio, 1.0);
}

TEST(Machine, ApprovingEveryChangeHoldsItsProblemBack)
{
    Play play;
    play.state.supervision = Supervision::All;
    play.command(CommandKind::Start).win("c1").recorded(1, Decision::Pending, 2.0);
    EXPECT_TRUE(play.did(action::Propose{"q"}));
    play.win("d1").recorded(2, Decision::Pending, 2.0);
    EXPECT_EQ(play.state.state, LoopState::Choosing);
    EXPECT_TRUE(play.actions.empty());
    play.command(CommandKind::Approve, [](event::CommandGiven& given) {
        given.command.experiment = 1;
        given.command.binding = "binding1";
    });
    ASSERT_EQ(play.actions.size(), 2U);
    EXPECT_EQ(play.actions[1], Action(action::Propose{"p"}));
}

TEST(Machine, PauseWaitsForTheSafePointAndStepDoesOne)
{
    Play play;
    play.command(CommandKind::Start).feed(event::Proposed{"c"});
    EXPECT_TRUE(play.command(CommandKind::Pause).actions.empty());
    EXPECT_TRUE(play.state.pausing);
    play.feed(event::Verified{false});
    EXPECT_EQ(play.recorded(1, Decision::Rejected).state.state, LoopState::Paused);
    EXPECT_TRUE(play.command(CommandKind::Step).did(action::Propose{"p"}));
    play.feed(event::Proposed{"d"}).feed(event::Verified{false}).recorded(2, Decision::Rejected);
    EXPECT_EQ(play.state.state, LoopState::Paused);
    EXPECT_TRUE(play.actions.empty());
    EXPECT_EQ(play.command(CommandKind::Start).state.state, LoopState::Proposing);
}

TEST(Machine, StopIsImmediateAndDropsTheFlight)
{
    Play play;
    play.command(CommandKind::Start).feed(event::Proposed{"c"}).feed(event::Verified{true});
    EXPECT_TRUE(play.command(CommandKind::Stop).did(action::Cancel{}));
    EXPECT_EQ(play.state.state, LoopState::Stopping);
    EXPECT_TRUE(play.command(CommandKind::Stop).actions.empty());
    EXPECT_EQ(play.command(CommandKind::Start).refusal, "command.stopping");
    play.feed(event::WorkStopped{});
    EXPECT_EQ(play.state.state, LoopState::Idle);
    EXPECT_FALSE(play.state.flight);
    EXPECT_TRUE(play.feed(event::Screened{false}).actions.empty()) << "late results change nothing";
}

TEST(Machine, BudgetPlateauAndTargetEndTheSearch)
{
    Play budget;
    budget.state.budgetSeconds = 5;
    budget.command(CommandKind::Start).feed(event::Proposed{"c"}).feed(event::Verified{false});
    budget.recorded(1, Decision::Rejected, 1, 6);
    EXPECT_EQ(budget.state.state, LoopState::Done);
    EXPECT_EQ(budget.state.reason.id, "loop.reason.budget");

    Play exhausted;
    exhausted.command(CommandKind::Start).feed(event::NothingProposed{});
    EXPECT_TRUE(exhausted.did(action::Propose{"q"}));
    exhausted.feed(event::NothingProposed{true});
    EXPECT_EQ(exhausted.state.state, LoopState::Done);
    EXPECT_EQ(exhausted.state.reason.id, "loop.reason.nothing_left");

    Play target;
    target.rules.targetSpeedup = 1.2;
    target.command(CommandKind::Start).win("c").recorded(1, Decision::Kept, 2);
    EXPECT_EQ(target.state.reason.id, "loop.reason.target"); // 1 / (1 - 0.4 / 2) = 1.25
}

/// Plays one experiment whose judgement stays open, from its verification on.
void stayOpen(Play& play, std::int64_t number, double disturbance)
{
    play.feed(event::Verified{true}).feed(event::Screened{false}).feed(event::Measured{Comparison::Unsure, Doubt::Disturbed});
    ASSERT_TRUE(play.did(action::Record{Decision::Unsure, 0}));
    play.feed(event::Recorded{number, Decision::Unsure, "", 3, 1, false, disturbance});
}

TEST(Machine, AnOpenSourceIsJudgedAgainWhenTheMachineIsQuieter)
{
    Play play;
    play.command(CommandKind::Start).feed(event::Proposed{"c"});
    stayOpen(play, 1, 0.9);
    // Still as busy: something new first. It costs the problem nothing that nothing was learned.
    EXPECT_TRUE(play.did(action::Propose{"p"}));
    EXPECT_EQ(play.state.problems[0].sinceWin, 0);
    ASSERT_EQ(play.state.retries.size(), 1U);
    play.feed(event::Proposed{"d"}).feed(event::Verified{true}).feed(event::Screened{true});
    play.feed(event::Recorded{2, Decision::ScreenedOut, "", 3, 1, false, 0.05});
    EXPECT_TRUE(play.did(action::Verify{}));
    EXPECT_EQ(play.state.flight->candidate, "c");
    EXPECT_EQ(play.state.flight->attempts, 1);
    EXPECT_TRUE(play.state.retries.empty());
    // What is judged again may win like anything else.
    play.feed(event::Verified{true}).feed(event::Screened{false}).feed(event::Measured{Comparison::Faster});
    play.feed(event::Confirmed{true}).feed(event::TotalMeasured{}).recorded(3, Decision::Kept, 2);
    EXPECT_EQ(play.state.problems[0].best, "c");
}

TEST(Machine, AnOpenSourceIsJudgedAtMostThreeTimes)
{
    Play play;
    play.state.problems = {Play::problem("p", 0.4, 0.1)};
    play.command(CommandKind::Start).feed(event::Proposed{"c"});
    for (int attempt = 1; attempt < play.rules.mostAttempts; ++attempt) {
        stayOpen(play, attempt, 0.9);
        ASSERT_TRUE(play.did(action::Propose{"p"}));
        play.feed(event::NothingProposed{}); // nothing else is left, so the last chance comes although the machine is busy
        ASSERT_TRUE(play.did(action::Verify{})) << attempt;
        ASSERT_EQ(play.state.flight->attempts, attempt);
        play.state.problems[0].exhausted = false;
    }
    stayOpen(play, play.rules.mostAttempts, 0.9);
    EXPECT_TRUE(play.state.retries.empty());
    EXPECT_EQ(play.state.problems[0].sinceWin, 1);
}

TEST(Machine, AStoppedRetryWaitsOn)
{
    Play play;
    play.command(CommandKind::Start).feed(event::Proposed{"c"});
    stayOpen(play, 1, 0.1);
    ASSERT_EQ(play.state.flight->attempts, 1) << "the machine is quiet";
    play.command(CommandKind::Stop).feed(event::WorkStopped{});
    ASSERT_EQ(play.state.retries.size(), 1U);
    EXPECT_EQ(play.state.retries[0].id, "c");
    EXPECT_EQ(play.state.retries[0].attempts, 1);
}

TEST(Machine, TheBudgetEndsTheFlightAndItGoesOnLater)
{
    Play play;
    play.state.budgetSeconds = 10;
    play.command(CommandKind::Start).feed(event::Proposed{"c"}).feed(event::OutOfTime{12});
    ASSERT_TRUE(play.did(action::Record{Decision::Unfinished, 0}));
    play.recorded(1, Decision::Unfinished, 1, 12);
    EXPECT_EQ(play.state.state, LoopState::Done);
    EXPECT_EQ(play.state.reason.id, "loop.reason.budget");
    play.command(CommandKind::SetBudget, [](event::CommandGiven& given) { given.command.number = 100; });
    EXPECT_TRUE(play.command(CommandKind::Start).did(action::Verify{}));
    EXPECT_EQ(play.state.flight->candidate, "c");
    // Time spent on a proposal that never came counts too.
    Play writing;
    writing.state.budgetSeconds = 10;
    writing.command(CommandKind::Start).feed(event::OutOfTime{12});
    EXPECT_EQ(writing.state.usedSeconds, 12);
    EXPECT_EQ(writing.state.state, LoopState::Done);
}

TEST(Machine, BeginsNothingThatTheBudgetWouldCutOff)
{
    for (const auto& [used, begins] : {std::pair{90.0, true}, {97.6, true}, {98.0, false}, {0.0, true}}) {
        Play play;
        play.state.problems = {Play::problem("p", 0.4, 0.1)};
        play.state.problems[0].secondsPerExperiment = 9; // a quarter of it: 2.25
        play.state.budgetSeconds = used > 0 ? 100 : 1;
        play.state.usedSeconds = used;
        play.command(CommandKind::Start);
        EXPECT_EQ(play.state.state, begins ? LoopState::Proposing : LoopState::Done) << used;
    }
}

TEST(Machine, OnlyASearchWithABudgetRunsOutOfTime)
{
    MachineState state;
    state.flight = Flight{"p", "c", "", false, false, false, 0};
    state.run = true;
    state.budgetSeconds = 60;
    state.usedSeconds = 20;
    EXPECT_EQ(secondsLeft(state, 15), 25);
    EXPECT_EQ(secondsLeft(state, 45), -5);
    struct Row { bool run, personal, flying; double budget; };
    for (const Row& row : {Row{false, false, true, 60}, {true, true, true, 60}, {true, false, false, 60}, {true, false, true, 0}}) {
        MachineState free = state;
        free.run = row.run;
        free.flight->personal = row.personal;
        free.budgetSeconds = row.budget;
        if (!row.flying)
            free.flight.reset();
        EXPECT_TRUE(std::isinf(secondsLeft(free, 1000)));
    }
}

TEST(Machine, APersonsCandidateComesNextAndAlsoWhilePaused)
{
    Play play;
    play.state.state = play.state.rest = LoopState::Paused;
    play.command(CommandKind::Evaluate, [](event::CommandGiven& given) {
        given.command.problem = "q";
        given.candidate = "mine";
    });
    EXPECT_TRUE(play.did(action::Verify{}));
    EXPECT_EQ(play.state.flight->problem, "q");
    play.feed(event::Verified{false}).recorded(1, Decision::Rejected);
    EXPECT_EQ(play.state.state, LoopState::Paused);
}

TEST(Machine, ChosenHunksAreComparedWithWhatIsApproved)
{
    Play play;
    play.state.supervision = Supervision::Improvements;
    play.command(CommandKind::Start).win("c1").recorded(1, Decision::Pending, 2.0);
    play.command(CommandKind::AcceptHunks, [](event::CommandGiven& given) {
        given.command.problem = "p";
        given.candidate = "part";
    });
    EXPECT_EQ(play.refusal, "");
    play.feed(event::Proposed{"c2"}).feed(event::Verified{false}).recorded(2, Decision::Rejected);
    EXPECT_EQ(play.state.flight->candidate, "part");
    EXPECT_EQ(play.state.flight->against, "");
}

TEST(Machine, RollBackChangesBestAndNotWhileSomethingWaits)
{
    Play play;
    play.command(CommandKind::Start).win("c1").recorded(1, Decision::Kept, 2.0);
    const auto back = [&](const std::string& candidate, std::int64_t number) {
        play.command(CommandKind::RollBack, [&](event::CommandGiven& given) {
            given.command.problem = "p";
            given.command.experiment = number;
            given.candidate = candidate;
        });
    };
    back("c1", 1);
    EXPECT_EQ(play.refusal, "command.already_best");
    back("", 0);
    EXPECT_TRUE(play.did(action::RollBack{"p", 0}));
    EXPECT_EQ(play.state.problems[0].best, "");
    EXPECT_EQ(play.state.problems[0].ratio, 1.0);
    play.state.approvals = {{2, "p", "c2", "", "b", 0}};
    back("c1", 1);
    EXPECT_EQ(play.refusal, "command.answer_approval_first");
}

TEST(Machine, AFailingJudgeStopsTheLoopAfterThreeInARow)
{
    Play play;
    play.command(CommandKind::Start);
    for (int round = 1; round < play.rules.failuresInRow; ++round) {
        play.feed(event::Proposed{"c" + std::to_string(round)}).feed(event::WorkFailed{error("judge.worker_died")});
        ASSERT_EQ(play.state.state, LoopState::Deciding);
        play.feed(event::Recorded{round, Decision::Rejected, "", 1, 1, true});
    }
    play.feed(event::Proposed{"last"}).feed(event::WorkFailed{error("judge.worker_died")});
    EXPECT_EQ(play.state.state, LoopState::Failed);
    EXPECT_EQ(play.state.error->message.id, "judge.worker_died");
    EXPECT_EQ(play.command(CommandKind::Start).state.state, LoopState::Proposing);
}

TEST(Machine, AWorkerThatDiesWhileItLoadsIsAskedAgain)
{
    Play play;
    play.state = MachineState{};
    play.command(CommandKind::Start);
    for (int round = 1; round < play.rules.failuresInRow; ++round) {
        EXPECT_TRUE(play.feed(event::WorkFailed{error("judge.worker_died")}).did(action::Load{})) << round;
        ASSERT_EQ(play.state.state, LoopState::Loading);
    }
    play.feed(event::WorkFailed{error("judge.worker_died")});
    EXPECT_EQ(play.state.state, LoopState::Failed);
    // What is wrong with the file stays wrong.
    Play bad;
    bad.state = MachineState{};
    bad.command(CommandKind::Start).feed(event::WorkFailed{error("import.not_a_zip")});
    EXPECT_EQ(bad.state.state, LoopState::Failed);
}

TEST(Machine, ShutdownWaitsForTheWorkInProgress)
{
    Play idle;
    EXPECT_TRUE(idle.command(CommandKind::Shutdown).did(action::Finish{}));
    Play busy;
    busy.command(CommandKind::Start).feed(event::Proposed{"c"});
    EXPECT_TRUE(busy.command(CommandKind::Shutdown).did(action::Cancel{}));
    EXPECT_TRUE(busy.feed(event::WorkStopped{}).did(action::Finish{}));
    EXPECT_EQ(busy.command(CommandKind::Start).refusal, "command.shutting_down");
}

TEST(Machine, PinSkipAndSettings)
{
    Play play;
    const auto mark = [&](CommandKind kind, const std::string& problem) {
        return play.command(kind, [&](event::CommandGiven& given) { given.command.problem = problem; }).refusal;
    };
    EXPECT_EQ(mark(CommandKind::Pin, "q"), "");
    EXPECT_TRUE(play.command(CommandKind::Start).did(action::Propose{"q"}));
    EXPECT_EQ(mark(CommandKind::Skip, "nobody"), "command.no_such_problem");
    EXPECT_EQ(mark(CommandKind::Skip, "q"), "");
    EXPECT_FALSE(play.state.problems[1].pinned);
    play.command(CommandKind::SetBudget, [](event::CommandGiven& given) { given.command.number = -1; });
    EXPECT_EQ(play.refusal, "command.bad_number");
    play.command(CommandKind::SetSupervision, [](event::CommandGiven& given) { given.command.author.kind = AuthorKind::Tool; });
    EXPECT_EQ(play.refusal, "command.only_a_person_approves");
}

} // namespace
} // namespace kw
