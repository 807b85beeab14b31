// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/agent_memory.h"
#include "loop/driver.h"
#include "loop/loop_toolbox.h"
#include "loop/machine.h"
#include "loop/recorder.h"
#include "problem/regions.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <mutex>
#include <thread>

namespace kw {

/// What a piece of work ends with that could not be done.
Event failedWork(const Error& error);

/// The driver's inside, shared by its .cpp files. Members without a remark belong to the control thread.
struct Driver::Private {
    using Clock = std::chrono::steady_clock;
    using Work = std::function<Event(std::stop_token)>;
    struct Order {
        Command command;
        std::promise<Result<void>> answer;
    };
    struct WorkDone {
        Event event;
    };
    using Item = std::variant<std::unique_ptr<Order>, WorkDone, JudgeProgress>;
    /// The experiment on its way: the work thread's while work is in progress.
    struct Current {
        Experiment experiment;
        const Problem* problem = nullptr;
        Clock::time_point start;
    };

    Private(DriverParts chosenParts, DriverOptions chosenOptions);

    // driver_resume.cpp
    Result<void> resume();
    Result<void> restoreProblems();
    Result<void> restoreBests();
    Result<void> restoreApprovals();
    void restoreLearning();
    Result<void> restoreSettings();
    void adoptPartition(const std::vector<Problem>& problems, const ProfileReport& report, const Calibration& measured);
    std::vector<ProblemTrack> tracksOf() const;

    // driver.cpp
    void controlLoop(std::stop_token stop);
    void workLoop(std::stop_token stop);
    void post(Item item);
    std::optional<Item> take(std::stop_token stop);
    void handle(Item item);
    void apply(Event event, std::promise<Result<void>>* answer);
    /// Stores and takes over what the work thread has left beside its event.
    Result<void> adopt(const Event& event);
    void begin(Work work);
    /// Ends the work in progress when the search's budget and a grace are over.
    void watchBudget();
    std::optional<Clock::time_point> wakeTime() const;
    ProgressCallback progress();

    // driver_actions.cpp
    Result<void> perform(const Action& action);
    Result<void> perform(const action::Load&);
    Result<void> perform(const action::Profile&);
    Result<void> perform(const action::Propose& propose);
    Result<void> perform(const action::Verify&);
    Result<void> perform(const action::Screen&);
    Result<void> perform(const action::Measure&);
    Result<void> perform(const action::Confirm&);
    Result<void> perform(const action::MeasureTotal&);
    Result<void> perform(const action::Apply&);
    Result<void> perform(const action::Export& wish);
    Result<void> perform(const action::Record& record);
    Result<void> perform(const action::Decide& decide);
    Result<void> perform(const action::RollBack& rollBack);
    Result<void> perform(const action::Cancel&);
    Result<void> perform(const action::SaveSettings&);
    Result<void> perform(const action::Finish&);
    Event load(std::stop_token stop);
    Event profile(std::stop_token stop);
    Event propose(LoopToolbox::Task task, std::stop_token stop);
    std::vector<Standing> standings() const;
    Event applyBests(std::vector<AppliedKernel> kernels, double expected, std::stop_token stop);
    std::vector<AppliedKernel> bestKernels();
    void completeExperiment(Decision decision);
    Message noteFor(const Experiment& experiment) const;
    ExperimentRow rowOf(const Experiment& experiment) const;
    const Problem* problem(const std::string& id) const;
    ProblemTrack* track(const std::string& id);

    // driver_commands.cpp
    Result<Event> prepare(const Command& command);
    Result<Event> preparePersonal(const Command& command, const std::string& source, const std::string& parent);
    Result<Event> prepareHunks(const Command& command);
    Result<Event> prepareRollBack(const Command& command);
    Approval approvalFor(const action::Decide& decide) const;

    // driver_snapshot.cpp
    void publish();
    void fillProgress(Snapshot& snapshot) const;
    std::vector<ProblemRow> problemRows() const;
    double flightSeconds() const;
    double budgetLeft() const { return secondsLeft(machine, flightSeconds()); }

    const DriverParts parts;
    const DriverOptions options;
    MachineState machine;
    Recorder recorder;
    Evaluator evaluator;                              ///< work thread
    AgentMemory memory;                               ///< work thread
    std::optional<Current> current;
    std::map<std::string, Problem> problems;          ///< written only while no work is in progress
    std::vector<std::string> problemOrder;
    Calibration calibration;
    std::optional<Graph> graph;                       ///< typed; kept for export
    std::optional<LoadedModel> loaded;                ///< between loading and profiling
    std::shared_ptr<const ProfileReport> report;
    struct Fresh {
        Profile profile;
        Partition partition;
    };
    std::optional<Fresh> fresh;                       ///< set by the work thread, taken by the control thread
    std::optional<AppliedSummary> freshApplied;       ///< the same
    std::optional<ModelApplication> application;      ///< work thread
    std::optional<Event> follows;                     ///< comes before anything that waits in the queue
    std::optional<AppliedSummary> applied;
    std::map<std::string, Candidate> personal;        ///< persons' candidates on their way
    std::optional<Candidate> proposal;                ///< set by the work thread
    Message refusal;
    std::map<std::string, Message> refusals;
    std::map<std::string, std::pair<double, double>> intervals; ///< of each best against the library
    std::int64_t confirmations = 0;
    Command answering;                                ///< the command in hand: its author and comment go into records

    std::vector<ExperimentRow> rows;
    std::shared_ptr<const std::vector<ExperimentRow>> publishedRows;
    bool rowsChanged = true;
    std::deque<Clock::time_point> recordedAt;         ///< of the newest experiments of this process
    std::optional<JudgeProgress> lastProgress;
    std::int64_t sequence = 0;
    bool dirty = true;
    Clock::time_point published{};

    std::mutex queueMutex;                            ///< queue
    std::condition_variable_any queueChanged;
    std::deque<Item> queue;
    std::mutex workMutex;                             ///< pendingWork, workStop
    std::condition_variable_any workChanged;
    Work pendingWork;
    std::stop_source workStop;
    bool cancelled = false, outOfTime = false;
    mutable std::mutex finishMutex;                   ///< finishedFlag
    mutable std::condition_variable finishChanged;
    bool finishedFlag = false;
    std::jthread workThread, controlThread;           ///< last: they end before anything else goes
};

double secondsNow();

} // namespace kw
