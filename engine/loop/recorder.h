// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/history.h"
#include "journal/journal.h"

#include <map>
#include <string>

namespace kw {

/// Makes what happened durable, always in this order: objects of the history, journal, heads of the history. Whatever is cut off
/// between two of them is put right by openHistory(). Belongs to the loop's thread.
class Recorder {
public:
    /// Without a history (read-only sessions) only start() and head() may be used.
    Recorder(Journal& journal, History* history) : m_journal(journal), m_history(history) {}

    /// Reads the heads and the problems' names. Call it once, and again after the problems have changed.
    Result<void> start();

    /// Stores a finished experiment; fills its commit. `superseded`: the earlier experiment whose waiting win it replaces, or 0.
    Result<void> add(Experiment& experiment, ExperimentRow& row, std::int64_t superseded);
    /// Stores a person's answer to a waiting win; returns the experiment with its new decision and commit.
    Result<Experiment> decide(std::int64_t experiment, Decision decision, const Approval& approval);
    /// Makes an earlier experiment's candidate best again (0 = the library), as a new commit; `taken` was best until now, or 0.
    Result<std::string> rollBack(const std::string& problem, std::int64_t experiment, std::int64_t taken, const std::string& comment, double time);

    const std::string& head() const { return m_mainHead; }

private:
    Result<CommitRecord> write(CommitRecord::Branch branch, Decision decision, const std::string& problem, const Experiment* experiment,
        const std::string& comment, double time);
    Result<void> finish(const JournalEntry& entry);

    Journal& m_journal;
    History* m_history;
    std::string m_mainHead, m_atticHead;
    std::int64_t m_lastSequence = 0;
    std::map<std::string, std::string> m_names;
};

/// Opens the session's history so that it agrees with the journal: heads are moved, and when an object is missing or damaged the
/// whole repository is written again from the journal (the old one stays beside it as "NAME.damaged").
Result<History> openHistory(Journal& journal, const std::filesystem::path& folder);

} // namespace kw
