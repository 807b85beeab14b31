// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/agent.h"
#include "history/history.h"
#include "journal/journal.h"
#include "judge/judge.h"
#include "loop/apply_model.h"
#include "loop/evaluator.h"
#include "loop/scheduler.h"
#include "loop/snapshot_board.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace kw {

/// What the driver works with; all outlive it. Journal and history belong to its control thread while it lives,
/// judge and agent to its work thread.
struct DriverParts {
    Judge* judge = nullptr;
    Agent* agent = nullptr;
    Journal* journal = nullptr;
    History* history = nullptr;
    SnapshotBoard* board = nullptr;
};

/// Everything that an export needs besides the application itself.
struct ExportWish {
    const ModelApplication* application = nullptr;
    const Graph* graph = nullptr;
    std::vector<Problem> problems;
    std::vector<Experiment> experiments;          ///< of the applied kernels, in the order of application->kernels
    Environment environment;
    std::filesystem::path folder;
};

struct DriverOptions {
    std::filesystem::path session, model, journalFile, appliedFolder;
    bool profileAtOnce = true;
    bool unsafe = false;
    bool readOnly = false;
    std::uint64_t seed = 1;
    LoopRules rules;
    EvaluatorOptions evaluator;
    double profileSeconds = 8;
    std::function<Result<void>(const std::string& sha256)> bindModel; ///< called on the work thread before the model is used
    std::function<Result<void>(const ExportWish& wish)> writeExport;  ///< called on the work thread
    std::function<Result<double>(bool keepMemory, std::stop_token)> eagerSeconds; ///< ApplyOptions::eager; on the work thread
};

/// Carries out what the machine decides. Two threads: control (machine, journal, history, commands: never blocked for long)
/// and work (judge, agent: one action at a time, ended at once by stop).
class Driver {
public:
    /// Reads what the journal holds and starts the threads. Errors: those of the journal and the history.
    static Result<std::unique_ptr<Driver>> start(DriverParts parts, DriverOptions options);
    /// Puts one snapshot of what the journal holds on the board, for sessions that are only looked at: no threads, no judge,
    /// agent or history needed.
    static Result<void> show(DriverParts parts, DriverOptions options);
    /// Stops at once; the experiment in flight is lost.
    ~Driver();

    /// Any thread. Returns when the command was carried out or refused; what it started goes on.
    Result<void> send(const Command& command);
    bool finished() const;
    bool waitUntilFinished(double seconds) const;

private:
    struct Private;
    explicit Driver(std::unique_ptr<Private> state);
    std::unique_ptr<Private> m_state;
};

} // namespace kw
