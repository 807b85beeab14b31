// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/recorder.h"

#include "loop/commit_text.h"

#include <cmath>

namespace kw {

Result<void> Recorder::start()
{
    m_names.clear();
    KW_TRY(const std::vector<Problem> problems, m_journal.problems());
    for (const Problem& problem : problems)
        m_names[problem.id] = problem.name;
    KW_TRY(m_lastSequence, m_journal.lastCommitSequence());
    if (m_history) {
        KW_TRY(m_mainHead, m_history->head(HistoryBranch::Main));
        KW_TRY(m_atticHead, m_history->head(HistoryBranch::Attic));
        return {};
    }
    KW_TRY(const std::vector<CommitRecord> commits, m_journal.commits());
    for (const CommitRecord& record : commits)
        (record.branch == CommitRecord::Branch::Main ? m_mainHead : m_atticHead) = record.id;
    return {};
}

Result<CommitRecord> Recorder::write(CommitRecord::Branch branch, Decision decision, const std::string& problem,
    const Experiment* experiment, const std::string& comment, double time)
{
    CommitRecord record;
    record.sequence = m_lastSequence + 1;
    record.branch = branch;
    record.decision = decision;
    record.experiment = experiment ? experiment->number : 0;
    record.problem = problem;
    record.comment = comment;
    record.time = std::floor(time);
    const auto name = m_names.find(problem);
    const CommitContent content = commitContent(record, experiment, name == m_names.end() ? std::string() : name->second);
    const bool main = branch == CommitRecord::Branch::Main;
    KW_TRY(record.id, m_history->writeCommit(branchOf(record), main ? m_mainHead : m_atticHead, content));
    return record;
}

Result<void> Recorder::finish(const JournalEntry& entry)
{
    KW_CHECK(m_journal.write(entry));
    for (const CommitRecord& record : entry.commits) {
        m_lastSequence = record.sequence;
        (record.branch == CommitRecord::Branch::Main ? m_mainHead : m_atticHead) = record.id;
        KW_CHECK(m_history->moveHead(branchOf(record), record.id));
    }
    return m_history->packWhenNeeded();
}

Result<void> Recorder::add(Experiment& experiment, ExperimentRow& row, std::int64_t superseded)
{
    const double time = experiment.startTime + experiment.seconds;
    const auto branch = experiment.decision == Decision::Kept ? CommitRecord::Branch::Main : CommitRecord::Branch::Attic;
    JournalEntry entry;
    KW_TRY(CommitRecord record, write(branch, experiment.decision, experiment.problem, &experiment, {}, time));
    experiment.commit = row.commit = record.id;
    entry.commits.push_back(std::move(record));
    entry.experiment = &experiment;
    entry.row = &row;
    if (superseded > 0)
        entry.decisions.push_back({superseded, Decision::Superseded, {}, {}, time});
    return finish(entry);
}

Result<Experiment> Recorder::decide(std::int64_t number, Decision decision, const Approval& approval)
{
    KW_TRY(Experiment experiment, m_journal.experiment(number));
    experiment.decision = decision;
    experiment.approval = approval;
    JournalEntry entry;
    if (decision == Decision::Kept) {
        KW_TRY(CommitRecord record,
            write(CommitRecord::Branch::Main, decision, experiment.problem, &experiment, approval.comment, approval.time));
        experiment.commit = record.id;
        entry.commits.push_back(std::move(record));
    }
    entry.decisions.push_back({number, decision, approval, experiment.commit, approval.time});
    KW_CHECK(finish(entry));
    return experiment;
}

Result<std::string> Recorder::rollBack(
    const std::string& problem, std::int64_t number, std::int64_t taken, const std::string& comment, double time)
{
    std::optional<Experiment> target;
    if (number > 0) {
        KW_TRY(target, m_journal.experiment(number));
    }
    JournalEntry entry;
    KW_TRY(CommitRecord record,
        write(CommitRecord::Branch::Main, Decision::RolledBack, problem, target ? &*target : nullptr, comment, time));
    if (taken > 0)
        entry.decisions.push_back({taken, Decision::RolledBack, {}, {}, time});
    if (target)
        entry.decisions.push_back({number, Decision::Kept, {}, {}, time});
    entry.commits.push_back(std::move(record));
    KW_CHECK(finish(entry));
    return m_mainHead;
}

} // namespace kw
