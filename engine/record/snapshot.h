// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/profile.h"
#include "record/experiment.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kw {

/// States of the loop's machine. Approval is a queue beside it, not a state.
enum class LoopState : std::uint8_t {
    Idle, Loading, Profiling, Choosing, Proposing, Building, Verifying, Measuring, Deciding, Paused, Applying, Stopping,
    Done, Failed,
};

/// What a person wants to approve before it counts.
enum class Supervision : std::uint8_t { None, Improvements, All };

enum class ProblemState : std::uint8_t { Waiting, Active, Pinned, Skipped, Plateau, NearFloor, Refused };

/// One problem in the list: the light part; the whole Problem is asked for by id.
struct ProblemRow {
    std::string id, name, modulePath;
    RegionKind kind = RegionKind::Pointwise;
    ProblemState state = ProblemState::Waiting;
    std::int64_t calls = 0;
    double seconds = 0;                     ///< per run of the model, all calls, as profiled
    double floorSeconds = 0, predictedSeconds = 0; ///< the same unit
    std::string best;                       ///< candidate id; empty = the library's operators
    double ratio = 1, low = 1, high = 1;    ///< best against library, fresh measurement after selection
    std::int64_t experiments = 0, kept = 0, rejected = 0;
    Message refusal;                        ///< why no program covers it
    friend bool operator==(const ProblemRow&, const ProblemRow&) = default;
};

/// One point of the chart and one row of the history.
struct ExperimentRow {
    std::int64_t number = 0;
    std::string problem, candidate, parent;
    Author author;
    Decision decision = Decision::Rejected;
    FailureKind failure = FailureKind::None;
    Stage failedStage = Stage::Build;
    Message hypothesis;
    double ratio = 0, low = 0, high = 0;    ///< candidate against the library; 0 = not measured
    double modelSpeedup = 1;                ///< whole model after this experiment, from kept kernels' measured gains
    double seconds = 0, startTime = 0;
    std::string commit;
    friend bool operator==(const ExperimentRow&, const ExperimentRow&) = default;
};

/// A win that waits for a person: best, applied model and history head stay as they are until it is answered.
struct ApprovalRequest {
    std::int64_t experiment = 0;
    std::string problem;
    std::string candidate;
    std::string against;                    ///< candidate id of the last approved best; empty = the library
    std::string binding;                    ///< approvalBinding(): an answer must carry it
    std::int64_t replaced = 0;              ///< how many earlier waiting wins this one replaced
    friend bool operator==(const ApprovalRequest&, const ApprovalRequest&) = default;
};

/// Whole-model result of the last apply.
struct AppliedSummary {
    double seconds = 0, baselineSeconds = 0; ///< applied and executor baseline, medians
    double ratio = 0, low = 0, high = 0;     ///< baseline / applied
    double kernelGain = 0;                   ///< ratio from kernels alone (same allocation policy)
    double memoryGain = 0;                   ///< further ratio from planned output memory
    double eagerSeconds = 0;                 ///< Python eager with kept memory, when a Python was there; else 0
    std::int64_t kernels = 0, sites = 0, takenOut = 0;
    bool withinBudget = false;
    double maxError = 0, allowedError = 0;
    double eagerDefaultSeconds = 0;          ///< Python eager with the allocator's defaults, as it is run without thinking of it
    double eagerRatio = 0, eagerLow = 0, eagerHigh = 0; ///< Python eager with kept memory / applied, fresh processes in turn
    Message eagerAbsent;                     ///< why Python eager was not timed; empty when it was
    friend bool operator==(const AppliedSummary&, const AppliedSummary&) = default;
};

/// Everything the window and `status` show, as one immutable value. Published at most ten times a second,
/// always including the last one. Lists are shared between snapshots while they do not change.
struct Snapshot {
    std::int64_t sequence = 0;              ///< grows with every published snapshot
    std::string session, model;             ///< paths
    LoopState state = LoopState::Idle;
    Message now, next;                      ///< run bar in words
    bool pausing = false;                   ///< a pause was asked for and takes effect at the next safe point
    double progress = -1;                   ///< of the running action, 0..1; -1 = unknown
    Supervision supervision = Supervision::Improvements;
    double budgetSeconds = 0, usedSeconds = 0; ///< 0 budget = unlimited
    double experimentsPerHour = 0;
    double secondsLeft = -1;                ///< -1 = unknown
    bool unsafe = false;                    ///< a required sandbox layer is missing and --unsafe was given
    bool readOnly = false;                  ///< from another machine, or a foreign record
    double predictedSpeedup = 1;            ///< said beforehand
    double modelSpeedup = 1;                ///< from kept kernels' measured gains; the measured one is in `applied`
    std::optional<AppliedSummary> applied;
    std::shared_ptr<const ProfileReport> report;             ///< null until profiled
    std::shared_ptr<const std::vector<ProblemRow>> problems; ///< never null
    std::shared_ptr<const std::vector<ExperimentRow>> experiments; ///< never null, ascending numbers
    std::vector<ApprovalRequest> approvals;
    std::string activeProblem, currentCandidate;
    std::string currentSource;              ///< text of the current candidate, for the editor
    std::optional<Error> error;             ///< why state is Failed, or the last trouble
    std::string historyHead;                ///< commit id
};

void to_json(Json& json, const ProblemRow& row);
void from_json(const Json& json, ProblemRow& row);
void to_json(Json& json, const ExperimentRow& row);
void from_json(const Json& json, ExperimentRow& row);
void to_json(Json& json, const ApprovalRequest& request);
void from_json(const Json& json, ApprovalRequest& request);
void to_json(Json& json, const AppliedSummary& summary);
void from_json(const Json& json, AppliedSummary& summary);
void to_json(Json& json, const Snapshot& snapshot);
void from_json(const Json& json, Snapshot& snapshot);

} // namespace kw
