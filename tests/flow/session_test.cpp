// SPDX-License-Identifier: GPL-3.0-or-later
// Whole sessions in processes of their own. The judge is simulated: what is tested here is what survives.
#include "told.h"

#include "base/file.h"
#include "base/subprocess.h"
#include "history/history.h"
#include "journal/journal.h"
#include "serve/host.h"
#include "support/fake_judge.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>
#include <set>
#include <thread>

namespace kw {
namespace {

namespace fs = std::filesystem;

/// Not a test: what the tests below start as a host in a process of its own.
TEST(SessionHostProcess, DISABLED_Run)
{
    HostOptions options;
    options.folder = std::getenv("KW_FLOW_SESSION");
    options.model = std::getenv("KW_FLOW_MODEL");
    options.seed = 7;
    test::FakeOptions fake;
    fake.delaySeconds = 0.002;
    options.makeJudge = [fake]() -> Result<std::unique_ptr<Judge>> { return std::unique_ptr<Judge>(std::make_unique<test::FakeJudge>(fake)); };
    options.makeAgent = [](std::uint64_t) {
        return std::make_unique<test::FakeAgent>(std::vector<std::string>{"time 0.9", "wrong", "time 0.5", "time 0.3"}, true);
    };
    const auto host = SessionHost::start(options);
    ASSERT_TRUE(host) << debugText(host.error().message);
    while (!(*host)->waitUntilFinished(1)) {
    }
}

class SessionFlow : public testing::Test {
protected:
    SessionFlow()
    {
        EXPECT_TRUE(writeFileAtomically(m_folder.path() / "m.pt2", "model"));
        fs::create_directories(m_folder.path() / "tmp");
    }

    std::unique_ptr<Subprocess> startHost()
    {
        SubprocessOptions options;
        options.program = fs::read_symlink("/proc/self/exe");
        options.arguments = {"--gtest_also_run_disabled_tests", "--gtest_filter=SessionHostProcess.DISABLED_Run"};
        options.environment = {"KW_FLOW_SESSION=" + m_session.string(), "KW_FLOW_MODEL=" + (m_folder.path() / "m.pt2").string(),
            "TMPDIR=" + (m_folder.path() / "tmp").string()};
        auto process = Subprocess::start(options);
        EXPECT_TRUE(process) << debugText(process.error().message);
        return std::make_unique<Subprocess>(*std::move(process));
    }
    /// Retries until the host listens; its start is the only thing that is waited for.
    std::unique_ptr<SessionClient> connect() const
    {
        for (int round = 0; round < 600; ++round) {
            if (auto client = attach(m_session))
                return *std::move(client);
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return nullptr;
    }
    static Command command(CommandKind kind, Supervision supervision = Supervision::None)
    {
        Command made;
        made.kind = kind;
        made.supervision = supervision;
        return made;
    }

    TemporaryFolder m_folder;
    fs::path m_session = m_folder.path() / "session";
};

TEST_F(SessionFlow, KilledAtAnyMomentNothingThatWasToldIsLost)
{
    const char* given = std::getenv("KW_FLOW_SEED");
    const auto seed = given ? static_cast<std::uint64_t>(std::strtoull(given, nullptr, 10)) : std::random_device{}();
    std::cout << "KW_FLOW_SEED=" << seed << "\n";
    std::mt19937_64 random(seed);
    std::size_t known = 0;
    for (int round = 0; round < 12; ++round) {
        auto host = startHost();
        const auto client = connect();
        ASSERT_TRUE(client) << "round " << round;
        test::Told told(*client);
        const auto first = told.wait(60, [](const Snapshot& snapshot) { return snapshot.report && snapshot.state == LoopState::Idle; });
        ASSERT_TRUE(first) << "it never starts by itself";
        ASSERT_GE(first->experiments->size(), known);
        ASSERT_TRUE(client->send(command(CommandKind::SetSupervision)));
        ASSERT_TRUE(client->send(command(CommandKind::Start)));
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 700));
        host->kill();
        const SnapshotPointer last = told.last();
        Journal journal = *Journal::open(m_session / "journal.sqlite", Journal::Mode::ReadOnly);
        const auto rows = *journal.rows();
        ASSERT_GE(rows.size(), last->experiments->size());
        for (std::size_t index = 0; index < last->experiments->size(); ++index) {
            EXPECT_EQ(rows[index].candidate, last->experiments->at(index).candidate);
            EXPECT_TRUE(journal.experiment(rows[index].number)) << rows[index].number;
        }
        known = rows.size();
    }
    // Journal and history agree, and no text was tried twice.
    auto session = Session::open(m_session);
    ASSERT_TRUE(session) << debugText(session.error().message);
    EXPECT_FALSE(fs::exists(m_session / "history.damaged")) << "nothing had to be repaired";
    std::string main, attic;
    const auto commits = session->journal().commits();
    for (const CommitRecord& record : *commits)
        (record.branch == CommitRecord::Branch::Main ? main : attic) = record.id;
    EXPECT_EQ(*session->history()->head(HistoryBranch::Main), main);
    EXPECT_EQ(*session->history()->head(HistoryBranch::Attic), attic);
    std::set<std::string> candidates;
    const auto rows = session->journal().rows();
    for (const ExperimentRow& row : *rows)
        EXPECT_TRUE(candidates.insert(row.candidate).second) << row.number;
    EXPECT_GT(candidates.size(), 4U);
}

TEST_F(SessionFlow, WhileAnApprovalIsPendingAnotherProcessSeesNothingChange)
{
    auto host = startHost();
    const auto client = connect();
    ASSERT_TRUE(client);
    test::Told told(*client);
    ASSERT_TRUE(told.wait(60, [](const Snapshot& snapshot) { return snapshot.report && snapshot.state == LoopState::Idle; }));
    ASSERT_TRUE(client->send(command(CommandKind::SetSupervision, Supervision::Improvements)));
    ASSERT_TRUE(client->send(command(CommandKind::Start)));
    // The search has gone on over several wins, each of which replaced the one before.
    const auto waiting = told.wait(60, [](const Snapshot& snapshot) { return snapshot.experiments->size() >= 6 && !snapshot.approvals.empty(); });
    ASSERT_TRUE(waiting);
    // This process reads the files that the other one writes.
    const auto head = [this] { return *History::open(m_session / "history", History::Access::ReadOnly)->head(HistoryBranch::Main); };
    EXPECT_EQ(head(), "");
    EXPECT_EQ(waiting->historyHead, "");
    EXPECT_EQ(waiting->problems->front().best, "");
    EXPECT_FALSE(waiting->applied);
    EXPECT_GE(waiting->approvals[0].replaced, 1);
    Command approve = command(CommandKind::Approve);
    approve.experiment = waiting->approvals[0].experiment;
    approve.binding = waiting->approvals[0].binding;
    approve.author = {AuthorKind::Person, "Ada"};
    ASSERT_TRUE(client->send(approve));
    EXPECT_NE(head(), "") << "an answered approval is durable";
    EXPECT_TRUE(told.wait(60, [&](const Snapshot& snapshot) { return snapshot.historyHead == head() && !snapshot.problems->front().best.empty(); }));
    ASSERT_TRUE(client->send(command(CommandKind::Shutdown)));
    EXPECT_TRUE(host->waitFor(30).ended());
}

} // namespace
} // namespace kw
