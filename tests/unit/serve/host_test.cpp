// SPDX-License-Identifier: GPL-3.0-or-later
#include "host_fixture.h"

#include "history/history.h"
#include "journal/journal.h"

namespace kw {
namespace {

using test::HostTest;
using test::waitFor;

std::vector<Decision> decisions(const Snapshot& snapshot)
{
    std::vector<Decision> list;
    for (const ExperimentRow& row : *snapshot.experiments)
        list.push_back(row.decision);
    return list;
}

TEST_F(HostTest, ProfilesAtOnceAndWaits)
{
    const auto host = start(options({"time 0.5"}));
    const auto client = host->client();
    const auto profiled = waitFor(*client, [](const Snapshot& snapshot) { return snapshot.report && snapshot.state == LoopState::Idle; });
    ASSERT_TRUE(profiled);
    ASSERT_EQ(profiled->problems->size(), 1U);
    EXPECT_NEAR(profiled->problems->front().seconds, 4e-3, 1e-9);
    EXPECT_GT(profiled->predictedSpeedup, 1.0);
    EXPECT_TRUE(profiled->experiments->empty());
}

TEST_F(HostTest, KeepsWhatIsFasterAndRecordsTheRest)
{
    const auto host = start(options({"wrong time 0.1", "time 2", "time 1", "time 0.5", "time 0.505", "time 0.25"}));
    const auto client = host->client();
    const auto done = search(*client);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->state, LoopState::Done);
    // The fifth is 1 % slower than the fourth: screening cannot reject it, measuring does not keep it.
    const std::vector<Decision> expected{Decision::Rejected, Decision::ScreenedOut, Decision::NotFaster, Decision::Kept, Decision::NotFaster,
        Decision::Kept};
    EXPECT_EQ(decisions(*done), expected);
    const ProblemRow& problem = done->problems->front();
    EXPECT_NEAR(problem.ratio, 4.0, 0.1);
    EXPECT_LE(problem.low, problem.ratio);
    EXPECT_GE(problem.high, problem.ratio);
    EXPECT_EQ(problem.kept, 2);
    // One region is all of the model: four times faster alone is four times faster in all.
    EXPECT_NEAR(done->modelSpeedup, 4.0, 0.1);
    EXPECT_EQ(done->historyHead, done->experiments->back().commit);
    const auto kept = client->experiment(6);
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->approval->kind, AuthorKind::Rule);
    EXPECT_TRUE(kept->screening && kept->measurement && kept->confirmation && kept->total);
    EXPECT_EQ(kept->best, done->experiments->at(3).candidate);
}

TEST_F(HostTest, AWaitingApprovalLeavesHeadAndBestAlone)
{
    const auto host = start(options({"time 0.5", "time 0.25", "time 3"}));
    const auto client = host->client();
    auto done = search(*client, Supervision::Improvements);
    ASSERT_TRUE(done);
    ASSERT_EQ(done->approvals.size(), 1U);
    EXPECT_EQ(decisions(*done), (std::vector<Decision>{Decision::Superseded, Decision::Pending, Decision::ScreenedOut}));
    EXPECT_EQ(done->historyHead, "");
    EXPECT_EQ(done->problems->front().best, "");
    EXPECT_EQ(done->approvals[0].replaced, 1);
    EXPECT_EQ(client->difference("", done->approvals[0].candidate)->added, 1);
    Command approve = command(CommandKind::Approve);
    approve.experiment = 2;
    approve.binding = "0";
    EXPECT_EQ(client->send(approve).error().message.id, "command.other_binding");
    approve.binding = done->approvals[0].binding;
    approve.author.kind = AuthorKind::Tool;
    EXPECT_EQ(client->send(approve).error().message.id, "command.only_a_person_approves");
    approve.author = {AuthorKind::Person, "Ada"};
    approve.text = "fine";
    ASSERT_TRUE(client->send(approve));
    done = waitFor(*client, [](const Snapshot& snapshot) { return snapshot.approvals.empty(); });
    EXPECT_EQ(done->problems->front().best, done->experiments->at(1).candidate);
    EXPECT_EQ(done->historyHead, done->experiments->at(1).commit);
    EXPECT_EQ(client->experiment(2)->approval->approver, "Ada");
}

TEST_F(HostTest, ResumesWithEverythingAndNeverStartsByItself)
{
    {
        const auto host = start(options({"time 0.5", "time 0.4"}));
        const auto client = host->client();
        ASSERT_TRUE(search(*client));
        ASSERT_TRUE(client->send(supervise(Supervision::Improvements)));
    }
    {
        const auto host = start(options({"time 0.5", "time 0.4", "time 0.2"}));
        const auto client = host->client();
        const auto before = *client->snapshot();
        EXPECT_EQ(before->state, LoopState::Idle);
        EXPECT_EQ(before->supervision, Supervision::Improvements);
        EXPECT_EQ(before->experiments->size(), 2U);
        EXPECT_NEAR(before->problems->front().ratio, 2.5, 0.1);
        ASSERT_TRUE(client->send(command(CommandKind::Start)));
        const auto done = waitFor(*client, test::atRest);
        EXPECT_EQ(done->experiments->size(), 3U) << "what was tried is not tried again";
        EXPECT_EQ(done->approvals.size(), 1U);
    }
    HostOptions look = options({});
    look.readOnly = true;
    const auto host = start(look);
    const auto snapshot = *host->client()->snapshot();
    EXPECT_TRUE(snapshot->readOnly);
    EXPECT_EQ(snapshot->approvals.size(), 1U);
    EXPECT_EQ(snapshot->experiments->size(), 3U);
    EXPECT_EQ(host->client()->send(command(CommandKind::Start)).error().message.id, "command.read_only");
}

TEST_F(HostTest, RollBackIsANewCommitAndCanBeUndone)
{
    const auto host = start(options({"time 0.5", "time 0.25"}));
    const auto client = host->client();
    auto done = search(*client);
    const std::string head = done->historyHead, first = done->experiments->at(0).candidate;
    Command back = command(CommandKind::RollBack);
    back.experiment = 1;
    ASSERT_TRUE(client->send(back));
    done = waitFor(*client, [&](const Snapshot& snapshot) { return snapshot.historyHead != head; });
    EXPECT_EQ(done->problems->front().best, first);
    EXPECT_NEAR(done->problems->front().ratio, 2.0, 0.1);
    EXPECT_EQ(done->experiments->at(1).decision, Decision::RolledBack);
    const std::string rolled = done->historyHead;
    back.experiment = 2;
    ASSERT_TRUE(client->send(back));
    done = waitFor(*client, [&](const Snapshot& snapshot) { return snapshot.historyHead != rolled; });
    EXPECT_NEAR(done->problems->front().ratio, 4.0, 0.1);
    const History history = *History::open(m_session / "history", History::Access::ReadOnly);
    EXPECT_EQ(history.log(HistoryBranch::Main, 10)->size(), 4U);
    back.experiment = 0;
    back.problem = done->problems->front().id;
    ASSERT_TRUE(client->send(back));
    done = waitFor(*client, [&](const Snapshot& snapshot) { return snapshot.problems->front().best.empty(); });
    EXPECT_EQ(done->problems->front().ratio, 1.0);
}

TEST_F(HostTest, APersonsTextTakesTheSameRoad)
{
    const auto host = start(options({"time 0.5"}));
    const auto client = host->client();
    auto done = search(*client);
    Command mine = command(CommandKind::Evaluate);
    mine.problem = done->problems->front().id;
    mine.text = "mine time 0.3\n";
    ASSERT_TRUE(client->send(mine));
    done = waitFor(*client, [](const Snapshot& snapshot) { return snapshot.experiments->size() == 2; });
    EXPECT_EQ(done->experiments->back().author.kind, AuthorKind::Person);
    EXPECT_EQ(done->experiments->back().decision, Decision::Kept);
    EXPECT_EQ(client->send(mine).error().message.id, "command.already_tried");
    mine.text = std::string(300 << 10, 'x');
    EXPECT_EQ(client->send(mine).error().message.id, "command.text_too_long");
    mine.problem = "nobody";
    mine.text = "time 1";
    EXPECT_EQ(client->send(mine).error().message.id, "command.no_such_problem");
}

TEST_F(HostTest, StopEndsTheFlightAtOnceAndNothingIsLost)
{
    m_fake.delaySeconds = 0.02;
    const auto host = start(options({"time 0.5"}, true));
    const auto client = host->client();
    ASSERT_TRUE(client->send(supervise(Supervision::None)));
    ASSERT_TRUE(client->send(command(CommandKind::Start)));
    ASSERT_TRUE(waitFor(*client, [](const Snapshot& snapshot) { return snapshot.experiments->size() >= 3; }));
    ASSERT_TRUE(client->send(command(CommandKind::Stop)));
    const auto stopped = waitFor(*client, [](const Snapshot& snapshot) { return snapshot.state == LoopState::Idle; });
    ASSERT_TRUE(stopped);
    Journal journal = *Journal::open(m_session / "journal.sqlite", Journal::Mode::ReadOnly);
    EXPECT_EQ(*journal.lastNumber(), static_cast<std::int64_t>(stopped->experiments->size()));
    EXPECT_TRUE(client->send(command(CommandKind::Shutdown)));
    EXPECT_TRUE(host->waitUntilFinished(10));
}

TEST_F(HostTest, AppliesTheKeptKernelsAndRemembersTheResult)
{
    {
        const auto host = start(options({"time 0.5"}));
        const auto client = host->client();
        ASSERT_TRUE(search(*client));
        ASSERT_TRUE(client->send(command(CommandKind::Apply)));
        const auto applied = waitFor(*client, [](const Snapshot& snapshot) { return snapshot.applied.has_value(); });
        ASSERT_TRUE(applied);
        EXPECT_NEAR(applied->applied->ratio, 2.0, 0.05);
        EXPECT_EQ(applied->applied->kernels, 1);
        EXPECT_NEAR(applied->applied->memoryGain, 1.0, 0.05);
        EXPECT_NEAR(applied->applied->eagerRatio, 4.0, 0.1); // 8 ms against half of 4 ms
        EXPECT_EQ(applied->applied->eagerDefaultSeconds, 9e-3);
    }
    const auto host = start(options({}));
    EXPECT_NEAR((*host->client()->snapshot())->applied->ratio, 2.0, 0.05);
}

TEST_F(HostTest, AnInsufficientSandboxIsRefusedInAWord)
{
    m_fake.sandboxSufficient = false;
    {
        const auto host = start(options({}));
        const auto client = host->client();
        const auto failed = waitFor(*client, test::atRest);
        ASSERT_TRUE(failed);
        EXPECT_EQ(failed->error->message.id, "loop.sandbox_insufficient");
    }
    HostOptions unsafe = options({"time 0.5"});
    unsafe.unsafe = true;
    const auto host = start(unsafe);
    const auto client = host->client();
    const auto done = search(*client);
    EXPECT_EQ(done->experiments->size(), 1U);
    EXPECT_TRUE(done->unsafe);
    EXPECT_TRUE(client->experiment(1)->verdict.unsafe);
}

TEST_F(HostTest, ADeadJudgeCostsOneExperimentAndThreeStopTheLoop)
{
    std::atomic<int> deaths{1};
    m_fake.failVerify = &deaths;
    const auto host = start(options({"time 0.5", "time 0.4", "time 0.3", "time 0.2", "time 0.1"}));
    const auto client = host->client();
    auto done = search(*client);
    EXPECT_EQ(done->state, LoopState::Done);
    EXPECT_EQ(done->experiments->front().failure, FailureKind::Harness);
    EXPECT_EQ(done->experiments->back().decision, Decision::Kept);
}

TEST_F(HostTest, ASecondHostIsTurnedAway)
{
    const auto host = start(options({}));
    const auto second = SessionHost::start(options({}));
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().message.id, "session.locked");
}

TEST_F(HostTest, TheHistoryIsWrittenAgainFromTheJournal)
{
    std::string head;
    {
        const auto host = start(options({"time 0.5", "time 3", "time 0.25"}));
        head = search(*host->client())->historyHead;
    }
    std::filesystem::remove_all(m_session / "history" / "objects");
    std::filesystem::create_directories(m_session / "history" / "objects");
    const auto host = start(options({}));
    EXPECT_EQ((*host->client()->snapshot())->historyHead, head) << "the same records give the same commits";
    const History history = *History::open(m_session / "history", History::Access::ReadOnly);
    EXPECT_EQ(history.log(HistoryBranch::Main, 10)->size(), 2U);
    EXPECT_EQ(history.log(HistoryBranch::Attic, 10)->size(), 1U);
    EXPECT_TRUE(history.intact(head));
}

} // namespace
} // namespace kw
