// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/database.h"
#include "record/command.h"
#include "record/experiment.h"
#include "record/snapshot.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kw {

/// One commit of the session's history as the journal remembers it: enough to write the same commit again.
struct CommitRecord {
    enum class Branch : std::uint8_t {
        Main,  ///< the kept kernels; its last commit per problem is that problem's best
        Attic, ///< everything else that was evaluated
    };
    std::int64_t sequence = 0;      ///< 1, 2, 3 ... over both branches
    Branch branch = Branch::Main;
    Decision decision = Decision::Kept; ///< as of then
    std::int64_t experiment = 0;    ///< 0 with Decision::RolledBack: back to the library's operators
    std::string problem;
    std::string comment;            ///< of the person who approved or rolled back; untrusted
    double time = 0;                ///< whole seconds since 1970
    std::string id;                 ///< commit id
    friend bool operator==(const CommitRecord&, const CommitRecord&) = default;
};

/// A decision about an experiment that is already stored.
struct DecisionRecord {
    std::int64_t experiment = 0;
    Decision decision = Decision::Kept;
    std::optional<Approval> approval;
    std::string commit;             ///< empty = keeps the one it has
    double time = 0;
};

/// Something that happened, in order: commands and the loop's own messages.
struct JournalEvent {
    std::int64_t sequence = 0;
    double time = 0;
    std::string kind;               ///< "command", "message", "error"
    std::string json;
};

/// What one step of the loop makes durable, all or nothing.
struct JournalEntry {
    const Experiment* experiment = nullptr;     ///< new; its number must be lastNumber() + 1
    const ExperimentRow* row = nullptr;         ///< the light row of the new experiment
    std::vector<DecisionRecord> decisions;      ///< about earlier experiments
    std::vector<CommitRecord> commits;
    std::vector<std::pair<std::string, std::string>> documents; ///< name, JSON
};

/// The truth of a session: one SQLite file. Sources are stored once under their hash. Used by one thread at a time; a second
/// Journal may read beside the writer. Errors of all calls: those of Database.
class Journal {
public:
    static constexpr std::int64_t version = 1;
    enum class Mode : std::uint8_t { Write, ReadOnly };

    /// Creates the file in write mode when it is missing. Checks version and integrity (the whole file while it is small, else
    /// its newest records). Errors: "journal.newer_version" (ours, theirs), "journal.damaged" (what), "journal.missing" (path).
    static Result<Journal> open(const std::filesystem::path& file, Mode mode);

    Result<void> write(const JournalEntry& entry);
    Result<void> putProblems(const std::vector<Problem>& problems);
    Result<void> putDocument(const std::string& name, const std::string& json);
    Result<void> log(const std::string& kind, const std::string& json, double time);

    Result<std::int64_t> lastNumber();
    Result<std::int64_t> lastCommitSequence();
    /// Light rows in ascending order: 100,000 in well under a second.
    Result<std::vector<ExperimentRow>> rows();
    /// Errors: "journal.no_experiment" (number), "journal.record_changed" (number) when its checksum does not fit.
    Result<Experiment> experiment(std::int64_t number);
    /// Error: "journal.no_candidate" (candidate).
    Result<Candidate> candidate(const std::string& id);
    /// The newest experiment of a candidate; 0 when there is none.
    Result<std::int64_t> experimentOf(const std::string& candidate);
    /// Numbers of a problem's experiments after `after`, ascending.
    Result<std::vector<std::int64_t>> numbersOf(const std::string& problem, std::int64_t after);
    Result<Decision> decision(std::int64_t number);
    Result<std::vector<Problem>> problems();
    /// Error: "journal.no_problem" (problem).
    Result<Problem> problem(const std::string& id);
    Result<std::optional<std::string>> document(const std::string& name);
    Result<std::vector<CommitRecord>> commits();
    /// After a rebuild of the history: the ids that the commits have now.
    Result<void> replaceCommitIds(const std::vector<CommitRecord>& commits);
    Result<std::vector<JournalEvent>> events(std::int64_t after, std::int64_t limit);
    /// Every page and every checksum. Error: "journal.damaged" (what).
    Result<void> checkAll();

private:
    explicit Journal(Database database) : m_database(std::move(database)) {}
    Result<void> prepareSchema();
    Result<void> checkVersion();
    Result<void> checkNewest();
    Result<void> insertExperiment(const Experiment& experiment, const ExperimentRow& row);
    Result<void> insertDecision(const DecisionRecord& record);
    Result<void> insertCommit(const CommitRecord& record);

    Database m_database;
};

} // namespace kw
