// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "journal/journal.h"
#include "support/sample_records.h"

#include <gtest/gtest.h>

#include <chrono>

namespace kw {
namespace {

using test::sampleExperiment;
using test::sampleRow;

class JournalTest : public testing::Test {
protected:
    static void append(Journal& journal, const Experiment& experiment)
    {
        const ExperimentRow row = sampleRow(experiment);
        JournalEntry entry;
        entry.experiment = &experiment;
        entry.row = &row;
        const auto written = journal.write(entry);
        ASSERT_TRUE(written) << debugText(written.error().message) << written.error().detail;
    }

    Journal open(Journal::Mode mode = Journal::Mode::Write) { return *Journal::open(m_file, mode); }

    TemporaryFolder m_folder;
    std::filesystem::path m_file = m_folder.path() / "a %?#folder's journal.sqlite";
};

TEST_F(JournalTest, GivesBackWhatWasWritten)
{
    const Experiment kept = sampleExperiment(1, "p", Decision::Kept, "int x;\n// ü \" ' %\n");
    const Experiment bad = sampleExperiment(2, "p", Decision::Rejected, "int y;");
    {
        Journal journal = open();
        append(journal, kept);
        append(journal, bad);
    }
    Journal journal = open();
    EXPECT_EQ(*journal.lastNumber(), 2);
    EXPECT_EQ(*journal.experiment(1), kept);
    EXPECT_EQ(*journal.experiment(2), bad);
    EXPECT_EQ(*journal.rows(), (std::vector<ExperimentRow>{sampleRow(kept), sampleRow(bad)}));
    EXPECT_EQ(*journal.candidate(kept.candidate.id), kept.candidate);
    EXPECT_EQ(*journal.experimentOf(bad.candidate.id), 2);
    EXPECT_EQ(journal.experiment(3).error().message.id, "journal.no_experiment");
    EXPECT_EQ(journal.candidate("nobody").error().message.id, "journal.no_candidate");
}

TEST_F(JournalTest, AnEntryIsWrittenWholeOrNotAtAll)
{
    Journal journal = open();
    append(journal, sampleExperiment(1, "p", Decision::Pending, "one"));
    const Experiment second = sampleExperiment(2, "p", Decision::Kept, "two");
    const ExperimentRow row = sampleRow(second);
    JournalEntry entry;
    entry.experiment = &second;
    entry.row = &row;
    entry.decisions = {{1, Decision::Superseded, {}, {}, 5.0}};
    entry.commits = {{1, CommitRecord::Branch::Main, Decision::Kept, 2, "p", "", 5, "abc"},
        {1, CommitRecord::Branch::Main, Decision::Kept, 2, "p", "", 5, "the same number again"}};
    EXPECT_FALSE(journal.write(entry));
    EXPECT_EQ(*journal.lastNumber(), 1);
    EXPECT_EQ(journal.experiment(1)->decision, Decision::Pending);
    entry.commits.pop_back();
    EXPECT_TRUE(journal.write(entry));
    EXPECT_EQ(journal.experiment(1)->decision, Decision::Superseded);
    EXPECT_EQ(*journal.commits(), entry.commits);
    EXPECT_EQ(*journal.lastCommitSequence(), 1);
}

TEST_F(JournalTest, NumbersAreNeverUsedTwice)
{
    Journal journal = open();
    append(journal, sampleExperiment(1, "p", Decision::Kept, "one"));
    const Experiment again = sampleExperiment(1, "p", Decision::Kept, "other");
    const ExperimentRow row = sampleRow(again);
    JournalEntry entry;
    entry.experiment = &again;
    entry.row = &row;
    EXPECT_FALSE(journal.write(entry));
    EXPECT_EQ(journal.experiment(1)->candidate.source, "one");
}

TEST_F(JournalTest, DecisionsAreOverlaidAndTheRecordStays)
{
    Journal journal = open();
    const Experiment pending = sampleExperiment(1, "p", Decision::Pending, "one");
    append(journal, pending);
    JournalEntry entry;
    Approval approval{"Ada", AuthorKind::Person, true, "good", approvalBinding(pending.candidate, pending.verdict), 9.0};
    entry.decisions = {{1, Decision::Kept, approval, "0123", 9.0}};
    ASSERT_TRUE(journal.write(entry));
    const auto found = journal.experiment(1);
    EXPECT_EQ(found->decision, Decision::Kept);
    EXPECT_EQ(found->approval, approval);
    EXPECT_EQ(found->commit, "0123");
    EXPECT_EQ(approvalBinding(found->candidate, found->verdict), approval.binding);
    EXPECT_EQ(journal.rows()->front().decision, Decision::Kept);
}

TEST_F(JournalTest, AChangedRecordIsNoticed)
{
    {
        Journal journal = open();
        append(journal, sampleExperiment(1, "p", Decision::Kept, "one"));
        append(journal, sampleExperiment(2, "p", Decision::Kept, "two"));
    }
    {
        Database database = *Database::open(m_file, Database::Access::Write);
        ASSERT_TRUE(database.run("UPDATE experiments SET body=replace(body,'1.25','9.25') WHERE number=1"));
        ASSERT_TRUE(database.run("UPDATE sources SET text='three' WHERE text='two'"));
    }
    Journal journal = open();
    EXPECT_EQ(journal.experiment(1).error().message.id, "journal.record_changed");
    EXPECT_EQ(journal.experiment(2).error().message.id, "journal.record_changed");
}

TEST_F(JournalTest, ReadsBesideAWriterAndWithoutOne)
{
    EXPECT_EQ(Journal::open(m_file, Journal::Mode::ReadOnly).error().message.id, "journal.missing");
    Journal writer = open();
    append(writer, sampleExperiment(1, "p", Decision::Kept, "one"));
    Journal reader = open(Journal::Mode::ReadOnly);
    append(writer, sampleExperiment(2, "p", Decision::Kept, "two"));
    EXPECT_EQ(*reader.lastNumber(), 2);
    EXPECT_FALSE(reader.putDocument("a", "{}"));
}

TEST_F(JournalTest, DocumentsProblemsAndEvents)
{
    Journal journal = open();
    EXPECT_FALSE(journal.document("settings")->has_value());
    ASSERT_TRUE(journal.putDocument("settings", "{\"a\":1}"));
    ASSERT_TRUE(journal.putDocument("settings", "{\"a\":2}"));
    EXPECT_EQ(journal.document("settings")->value(), "{\"a\":2}");
    Problem problem;
    problem.id = "p2";
    problem.shapes = {{{}, 1}};
    Problem other = problem;
    other.id = "p1";
    ASSERT_TRUE(journal.putProblems({problem, other}));
    EXPECT_EQ(*journal.problems(), (std::vector<Problem>{problem, other}));
    EXPECT_EQ(journal.problem("p1")->id, "p1");
    EXPECT_EQ(journal.problem("p3").error().message.id, "journal.no_problem");
    ASSERT_TRUE(journal.log("command", "{}", 1.0));
    ASSERT_TRUE(journal.log("message", "[]", 2.0));
    EXPECT_EQ(journal.events(1, 10)->size(), 1U);
    EXPECT_EQ(journal.events(1, 10)->front().kind, "message");
}

TEST_F(JournalTest, DamagedAndNewerFilesAreRefusedInAWord)
{
    { open(); }
    {
        Database database = *Database::open(m_file, Database::Access::Write);
        ASSERT_TRUE(database.run("UPDATE meta SET value='7'"));
    }
    const auto newer = Journal::open(m_file, Journal::Mode::Write);
    ASSERT_FALSE(newer);
    EXPECT_EQ(newer.error().message, Message("journal.newer_version").with("ours", 1).with("theirs", 7));
    ASSERT_TRUE(writeFileAtomically(m_file, std::string(5000, 'x')));
    EXPECT_EQ(Journal::open(m_file, Journal::Mode::Write).error().message.id, "journal.damaged");
    EXPECT_EQ(Journal::open(m_file, Journal::Mode::ReadOnly).error().message.id, "journal.damaged");
}

TEST_F(JournalTest, MissingExperimentsAreDamage)
{
    {
        Journal journal = open();
        for (int number = 1; number <= 3; ++number)
            append(journal, sampleExperiment(number, "p", Decision::Kept, "one"));
    }
    {
        Database database = *Database::open(m_file, Database::Access::Write);
        ASSERT_TRUE(database.run("DELETE FROM experiments WHERE number=2"));
    }
    EXPECT_EQ(Journal::open(m_file, Journal::Mode::Write).error().message.id, "journal.damaged");
}

// MUST of the storage issue: open and list 100,000 experiments in a second; the limit here is five times looser.
TEST_F(JournalTest, ManyExperimentsOpenFast)
{
    {
        Journal journal = open();
        Database database = *Database::open(m_file, Database::Access::Write);
        Experiment experiment = sampleExperiment(1, "0123456789abcdef", Decision::Rejected, "source");
        append(journal, experiment);
        ASSERT_TRUE(database.run("WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i+1 FROM n WHERE i<100000)"
                                 " INSERT INTO experiments SELECT i,source,body,checksum FROM n, experiments WHERE number=1"));
        ASSERT_TRUE(database.run("WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i+1 FROM n WHERE i<100000) INSERT INTO rows"
                                 " SELECT i,problem,candidate||i,parent,author_kind,author,failure,failed_stage,hypothesis||' ',ratio,low,"
                                 "high,model_speedup,seconds,start_time,decision,approval,commit_id FROM n, rows WHERE number=1"));
    }
    const auto start = std::chrono::steady_clock::now();
    Journal journal = open();
    const auto rows = journal.rows();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->size(), 100000U);
    RecordProperty("seconds", std::to_string(seconds));
    EXPECT_LT(seconds, 5.0);
}

} // namespace
} // namespace kw
