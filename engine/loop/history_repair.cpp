// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/commit_text.h"
#include "loop/recorder.h"

namespace kw {

namespace {

/// Longer histories are read in full only by Journal::checkAll's callers; their newest commits always are.
constexpr std::size_t fullyChecked = 3000;
constexpr std::size_t newestChecked = 200;
constexpr std::size_t packEvery = 3000;

struct Heads {
    std::string main, attic;
};

Heads headsOf(const std::vector<CommitRecord>& commits)
{
    Heads heads;
    for (const CommitRecord& record : commits)
        (record.branch == CommitRecord::Branch::Main ? heads.main : heads.attic) = record.id;
    return heads;
}

bool readable(const History& history, const std::vector<CommitRecord>& commits)
{
    const std::size_t first = commits.size() > fullyChecked ? commits.size() - newestChecked : 0;
    for (std::size_t index = first; index < commits.size(); ++index) {
        if (!history.intact(commits[index].id))
            return false;
    }
    return true;
}

Result<void> moveHeads(History& history, const Heads& heads)
{
    KW_CHECK(history.moveHead(HistoryBranch::Main, heads.main));
    return history.moveHead(HistoryBranch::Attic, heads.attic);
}

Result<void> writeAgain(Journal& journal, History& history, std::vector<CommitRecord>& commits)
{
    KW_TRY(const std::vector<Problem> problems, journal.problems());
    Heads heads;
    std::size_t written = 0;
    for (CommitRecord& record : commits) {
        std::optional<Experiment> experiment;
        if (record.experiment > 0) {
            KW_TRY(experiment, journal.experiment(record.experiment));
        }
        std::string name;
        for (const Problem& problem : problems) {
            if (problem.id == record.problem)
                name = problem.name;
        }
        std::string& head = record.branch == CommitRecord::Branch::Main ? heads.main : heads.attic;
        KW_TRY(record.id, history.writeCommit(branchOf(record), head, commitContent(record, experiment ? &*experiment : nullptr, name)));
        head = record.id;
        if (++written % packEvery == 0) {
            KW_CHECK(moveHeads(history, heads));
            KW_CHECK(history.packWhenNeeded());
        }
    }
    KW_CHECK(moveHeads(history, heads));
    return history.packWhenNeeded();
}

Result<History> rebuild(Journal& journal, const std::filesystem::path& folder, std::vector<CommitRecord> commits)
{
    namespace fs = std::filesystem;
    const fs::path fresh = folder.string() + ".new", damaged = folder.string() + ".damaged";
    std::error_code failed;
    fs::remove_all(fresh, failed);
    {
        KW_TRY(History history, History::open(fresh, History::Access::Write));
        KW_CHECK(writeAgain(journal, history, commits));
    }
    fs::remove_all(damaged, failed);
    fs::rename(folder, damaged, failed);
    fs::rename(fresh, folder, failed);
    if (failed)
        return Error{Message("history.failed").with("what", failed.message()), folder.string()};
    KW_CHECK(journal.replaceCommitIds(commits));
    return History::open(folder, History::Access::Write);
}

} // namespace

Result<History> openHistory(Journal& journal, const std::filesystem::path& folder)
{
    KW_TRY(std::vector<CommitRecord> commits, journal.commits());
    auto history = History::open(folder, History::Access::Write);
    if (!history || !readable(history.value(), commits))
        return rebuild(journal, folder, std::move(commits));
    const Heads heads = headsOf(commits);
    const auto main = history->head(HistoryBranch::Main);
    const auto attic = history->head(HistoryBranch::Attic);
    if (!main || !attic || *main != heads.main || *attic != heads.attic) {
        if (!moveHeads(history.value(), heads))
            return rebuild(journal, folder, std::move(commits));
    }
    return history;
}

} // namespace kw
