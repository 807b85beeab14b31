// SPDX-License-Identifier: GPL-3.0-or-later
// kill -9 of every kind of process of a real run, while a win waits for its approval.
#include "cli_run.h"
#include "personal_kernel.h"
#include "process_tree.h"
#include "told.h"

#include "history/history.h"
#include "journal/journal.h"
#include "serve/client.h"
#include "session/session.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <set>
#include <thread>

namespace kw {
namespace {

namespace fs = std::filesystem;
using test::CliProcess;
using Clock = std::chrono::steady_clock;
using test::below;
using test::RunningProcess;

enum class Victim { Host, Worker, Runner, Compiler, Client };
constexpr const char* victimNames[] = {"host", "worker", "runner", "compiler", "client"};

/// Names as the kernel shows them: cut at 15 characters.
bool matches(Victim victim, const std::string& name)
{
    switch (victim) {
    case Victim::Worker: return name == "kernelwright-wo";
    case Victim::Runner: return name == "kernelwright-ru";
    case Victim::Compiler: return name == "cc1plus" || name == "as" || name == "ld" || name == "collect2" || name == "objdump";
    case Victim::Host:
    case Victim::Client: return false;
    }
    return false;
}

/// Twelve. More than that are several sessions (--gtest_repeat), since a search that has run dry has nothing left to lose.
std::vector<Victim> drawVictims(std::mt19937_64& random)
{
    std::vector<Victim> victims{Victim::Worker, Victim::Worker, Victim::Worker, Victim::Runner, Victim::Runner, Victim::Compiler,
        Victim::Compiler, Victim::Client, Victim::Client};
    std::shuffle(victims.begin(), victims.end(), random);
    // The loop gives up when its judge fails three times in a row, as it should: no three helpers after each other.
    for (const std::ptrdiff_t place : {2, 5, 8})
        victims.insert(victims.begin() + place, Victim::Host);
    return victims;
}

class KillFlow : public testing::Test {
protected:
    KillFlow()
    {
        const char* given = std::getenv("KW_FLOW_SEED");
        const auto seed = given ? static_cast<std::uint64_t>(std::strtoull(given, nullptr, 10)) : std::random_device{}();
        std::cout << "KW_FLOW_SEED=" << seed << "\n";
        m_random.seed(seed);
    }
    ~KillFlow() override { end(); }

    /// Starts or goes on with the search and attaches to it.
    void begin()
    {
        const std::vector<std::string> arguments = fs::exists(m_session / "session.json")
            ? std::vector<std::string>{"resume", "--session", m_session.string(), "--supervise", "improvements", "--no-apply"}
            : std::vector<std::string>{"optimize", (test::modelFolder() / "rms_norm.pt2").string(), "--session", m_session.string(), "--supervise",
                  "improvements", "--no-apply"};
        m_host = std::make_unique<CliProcess>(m_folder.path(), "host" + std::to_string(m_starts++), arguments,
            std::vector<std::string>{"KERNELWRIGHT_TORCH_PYTHON="});
        ASSERT_TRUE(m_host->started());
        const auto late = Clock::now() + std::chrono::seconds(30);
        while (!m_client && Clock::now() < late) {
            if (auto client = attach(m_session))
                m_client = *std::move(client);
            else
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        ASSERT_TRUE(m_client) << m_host->errors();
        m_told = std::make_unique<test::Told>(*m_client);
    }
    void end()
    {
        m_told.reset();
        m_client.reset();
        if (m_host && m_host->started())
            m_host->process().kill();
        m_host.reset();
    }
    pid_t find(Victim victim)
    {
        const pid_t host = m_host->process().pid();
        if (victim == Victim::Host)
            return host;
        std::vector<pid_t> found;
        for (const RunningProcess& process : below(host)) {
            if (matches(victim, process.name))
                found.push_back(process.pid);
        }
        return found.empty() ? 0 : found[m_random() % found.size()];
    }
    /// A random moment, then the first at which the victim is there. False when it never comes. A session that has ended
    /// meanwhile (a kill while it started) goes on.
    bool killOne(Victim victim)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(m_random() % 1500));
        const auto late = Clock::now() + std::chrono::seconds(60);
        while (Clock::now() < late && !HasFatalFailure()) {
            if (!m_host->running()) {
                end();
                begin();
            } else if (victim == Victim::Client) {
                return killClient();
            } else if (const pid_t pid = find(victim); pid > 0) {
                m_family = below(m_host->process().pid());
                if (::kill(pid, SIGKILL) == 0)
                    return true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }
    /// Everything that the client was told is in the journal, by another process that opens it.
    void expectDurable(const Snapshot& told)
    {
        auto journal = Journal::open(m_session / "journal.sqlite", Journal::Mode::ReadOnly);
        ASSERT_TRUE(journal) << debugText(journal.error().message);
        const auto rows = journal->rows();
        ASSERT_TRUE(rows);
        ASSERT_GE(rows->size(), told.experiments->size());
        for (std::size_t index = 0; index < told.experiments->size(); ++index) {
            const ExperimentRow& row = (*rows)[index];
            EXPECT_EQ(row.number, told.experiments->at(index).number);
            EXPECT_EQ(row.candidate, told.experiments->at(index).candidate);
            const auto experiment = journal->experiment(row.number);
            ASSERT_TRUE(experiment) << row.number << " " << debugText(experiment.error().message);
            EXPECT_EQ(candidateId(experiment->candidate), row.candidate);
        }
    }
    /// A killed host leaves no process behind, and its session can be opened for writing at once.
    void expectNothingLeft(const std::vector<RunningProcess>& family)
    {
        for (const RunningProcess& process : test::survivors(family, 5))
            ADD_FAILURE() << process.name << " " << process.pid << " outlived its host";
        const auto start = Clock::now();
        const auto session = Session::open(m_session);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        ASSERT_TRUE(session) << debugText(session.error().message);
        EXPECT_EQ(session->access(), SessionAccess::Write);
        EXPECT_LT(seconds, 5) << "a second is promised";
        m_slowestReopening = std::max(m_slowestReopening, seconds);
    }
    /// A text is judged again only where its judgement was open or its judge had died: a kill repeats nothing that was finished.
    void expectNothingRepeated()
    {
        auto journal = Journal::open(m_session / "journal.sqlite", Journal::Mode::ReadOnly);
        ASSERT_TRUE(journal);
        const auto rows = journal->rows();
        ASSERT_TRUE(rows);
        std::set<std::string> finished;
        for (const ExperimentRow& row : *rows) {
            EXPECT_FALSE(finished.contains(row.candidate)) << "experiment " << row.number << " repeats a finished one";
            if (!isOpen(row.decision) && row.failure != FailureKind::Harness)
                finished.insert(row.candidate);
        }
        EXPECT_FALSE(finished.empty());
    }
    /// A second program that follows the same session dies; nobody notices.
    bool killClient()
    {
        CliProcess client(m_folder.path(), "client" + std::to_string(m_starts++), {"watch", "--session", m_session.string()}, {});
        std::this_thread::sleep_for(std::chrono::milliseconds(m_random() % 1500));
        return client.started() && ::kill(client.process().pid(), SIGKILL) == 0;
    }
    /// What waits has changed nothing, as the files say.
    void expectNothingApproved()
    {
        const auto history = History::open(m_session / "history", History::Access::ReadOnly);
        ASSERT_TRUE(history) << debugText(history.error().message);
        EXPECT_EQ(*history->head(HistoryBranch::Main), "");
        EXPECT_FALSE(fs::exists(m_session / "applied"));
        auto journal = Journal::open(m_session / "journal.sqlite", Journal::Mode::ReadOnly);
        ASSERT_TRUE(journal);
        const auto commits = journal->commits();
        for (const CommitRecord& record : *commits)
            EXPECT_NE(record.branch, CommitRecord::Branch::Main);
        const auto rows = journal->rows();
        std::int64_t waiting = 0;
        for (const ExperimentRow& row : *rows)
            waiting += row.decision == Decision::Pending;
        EXPECT_EQ(waiting, 1);
    }
    void makeAWinWait()
    {
        const auto profiled = m_told->wait(180, [](const Snapshot& snapshot) { return !snapshot.problems->empty(); });
        ASSERT_TRUE(profiled) << m_host->errors();
        const auto problem = m_client->problem(profiled->problems->front().id);
        ASSERT_TRUE(problem);
        Command evaluate;
        evaluate.kind = CommandKind::Evaluate;
        evaluate.problem = problem->id;
        evaluate.text = test::rmsNormByHand(*problem);
        evaluate.author = {AuthorKind::Person, "Ada"};
        ASSERT_TRUE(m_client->send(evaluate));
        ASSERT_TRUE(m_told->wait(180, [](const Snapshot& snapshot) { return !snapshot.approvals.empty(); })) << m_host->errors();
    }

    TemporaryFolder m_folder;
    fs::path m_session = m_folder.path() / "session";
    std::mt19937_64 m_random;
    int m_starts = 0;
    double m_slowestReopening = 0;
    std::vector<RunningProcess> m_family; ///< what ran below the host when it was killed
    std::unique_ptr<CliProcess> m_host;
    std::unique_ptr<SessionClient> m_client;
    std::unique_ptr<test::Told> m_told;
};

TEST_F(KillFlow, KillsLoseNothingThatWasToldAndApproveNothing)
{
    begin();
    ASSERT_FALSE(HasFatalFailure());
    makeAWinWait();
    ASSERT_FALSE(HasFatalFailure());
    const std::vector<Victim> victims = drawVictims(m_random);
    int killed = 0, survived = 0;
    for (const Victim victim : victims) {
        SCOPED_TRACE(victimNames[static_cast<int>(victim)]);
        if (!m_host->running()) {
            end();
            begin();
            ASSERT_FALSE(HasFatalFailure());
        }
        const SnapshotPointer before = m_told->wait(30, [](const Snapshot& snapshot) { return snapshot.sequence > 0; });
        ASSERT_TRUE(before);
        killed += killOne(victim);
        std::cout << victimNames[static_cast<int>(victim)] << " killed with " << before->experiments->size() << " experiments" << std::endl;
        if (victim == Victim::Host) {
            m_host->process().waitFor(10);
            expectNothingLeft(m_family);
        } else {
            // The session survives the death of any of its helpers, and goes on.
            const auto more = [&](const Snapshot& snapshot) { return snapshot.experiments->size() > before->experiments->size(); };
            SnapshotPointer after;
            for (int second = 0; second < 60 && !after && m_host->running(); ++second)
                after = m_told->wait(1, more);
            // While it starts there is nothing to go on with: it ends with a sentence, and the next start goes on.
            EXPECT_TRUE(after || !m_host->running()) << m_host->errors();
            survived += after && victim != Victim::Client;
        }
        const SnapshotPointer last = m_told->last();
        ASSERT_TRUE(last);
        expectDurable(*last);
        expectNothingApproved();
        expectNothingRepeated();
        if (HasFatalFailure())
            return;
        EXPECT_EQ(last->historyHead, "");
        EXPECT_EQ(last->problems->front().best, "");
    }
    EXPECT_EQ(killed, static_cast<int>(victims.size()));
    EXPECT_GE(survived, 4) << "of seven helpers";
    end();
    std::cout << killed << " killed, " << survived << " survived; slowest reopening " << m_slowestReopening << " s" << std::endl;
    RecordProperty("slowest_reopening", std::to_string(m_slowestReopening));
    EXPECT_FALSE(fs::exists(m_session / "history.damaged")) << "nothing had to be repaired";
    // An answer by another process still counts, once.
    const auto answer = [this] {
        return CliProcess(m_folder.path(), "answer", {"reject", "--session", m_session.string(), "--comment", "not that one", "--as", "Ada"}, {})
            .finish(60);
    };
    const auto rejected = answer();
    EXPECT_EQ(rejected.code, 0) << rejected.errors;
    EXPECT_EQ(answer().code, 1) << "nothing waits any more";
    auto session = Session::open(m_session);
    ASSERT_TRUE(session) << debugText(session.error().message);
    EXPECT_EQ(*session->history()->head(HistoryBranch::Main), "");
    const auto rows = session->journal().rows();
    const auto declined = std::find_if(rows->begin(), rows->end(), [](const ExperimentRow& row) { return row.decision == Decision::Declined; });
    ASSERT_NE(declined, rows->end());
    const auto experiment = session->journal().experiment(declined->number);
    EXPECT_EQ(experiment->approval->comment, "not that one");
    EXPECT_EQ(experiment->approval->approver, "Ada");
}

} // namespace
} // namespace kw
