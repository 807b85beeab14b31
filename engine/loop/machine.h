// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/scheduler.h"
#include "record/command.h"
#include "record/experiment.h"

#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kw {

/// A person's candidate that waits for its turn.
struct PersonalCandidate {
    std::string id, problem;
    bool againstApproved = false;         ///< chosen hunks of a waiting win are compared with what they would replace
    friend bool operator==(const PersonalCandidate&, const PersonalCandidate&) = default;
};

/// The experiment on its way.
struct Flight {
    std::string problem, candidate;       ///< candidate is empty until it was proposed
    std::string against;                  ///< candidate id that it is compared with; empty = the library
    bool againstApproved = false;
    bool stale = false;                   ///< what it is compared with has changed: it is measured again
    bool personal = false;                ///< a person waits for it: the search's budget does not cut it off
    int attempts = 0;                     ///< that were made before this one and stayed open
    friend bool operator==(const Flight&, const Flight&) = default;
};

/// Why a measurement could not tell whether a candidate is faster.
enum class Doubt : std::uint8_t {
    None,       ///< it could
    Disturbed,  ///< too few undisturbed samples
    OutOfTime,  ///< the search's budget ended it
};

/// The loop between two events. A value: everything that decides what happens next, nothing that carries data.
struct MachineState {
    LoopState state = LoopState::Idle;
    LoopState rest = LoopState::Idle;     ///< where the loop stands when nothing is asked for: Idle, Paused, Done or Failed
    bool loaded = false, profiled = false;
    bool profileWanted = false, run = false, pausing = false, stopping = false, shutdown = false, applyWanted = false;
    std::int64_t steps = 0;
    std::optional<std::string> exportFolder;
    Supervision supervision = Supervision::Improvements;
    double budgetSeconds = 0, usedSeconds = 0; ///< of the session's whole search; 0 budget = unlimited
    double modelSeconds = 0;
    std::vector<ProblemTrack> problems;
    std::deque<PersonalCandidate> personal;
    std::optional<Flight> flight;
    std::vector<Retry> retries;           ///< oldest first
    double disturbance = 0;               ///< share of disturbed batches in the newest measurement
    std::vector<ApprovalRequest> approvals; ///< at most one per problem
    int failures = 0;
    std::optional<Error> error;
    Message reason;                       ///< why it rests
    friend bool operator==(const MachineState&, const MachineState&) = default;
};

namespace event {
/// A person's wish. For Evaluate and AcceptHunks `candidate` is the new candidate, for RollBack the one that becomes best.
struct CommandGiven { Command command; std::string candidate; double ratio = 1; };
/// The session is open: what was asked for beforehand (profiling) begins.
struct Opened {};
struct Loaded {};
struct Profiled { std::vector<ProblemTrack> problems; double modelSeconds = 0; };
struct Proposed { std::string candidate; };
struct NothingProposed { bool refused = false; double seconds = 0; };
struct Verified { bool passed = false; };
struct Screened { bool rejected = false; };
struct Measured { Comparison outcome = Comparison::Unsure; Doubt doubt = Doubt::None; };
struct Confirmed { bool faster = false; Doubt doubt = Doubt::None; };
struct TotalMeasured { Doubt doubt = Doubt::None; };
/// `open`: what failed may have been the machine's doing.
struct TimingFailed { bool open = false; };
/// The budget ended the work in progress, `seconds` after its experiment began.
struct OutOfTime { double seconds = 0; };
struct Recorded { std::int64_t number = 0; Decision decision = Decision::Rejected; std::string binding; double seconds = 0, ratio = 1;
    bool judgeFailed = false; double disturbance = -1; };
struct Applied {};
struct Exported {};
struct WorkFailed { Error error; };
struct WorkStopped {};
} // namespace event

using Event = std::variant<event::CommandGiven, event::Opened, event::Loaded, event::Profiled, event::Proposed, event::NothingProposed,
    event::Verified, event::Screened, event::Measured, event::Confirmed, event::TotalMeasured, event::TimingFailed, event::OutOfTime, event::Recorded,
    event::Applied, event::Exported, event::WorkFailed, event::WorkStopped>;

namespace action {
// Work: one at a time, answered by an event.
struct Load { friend bool operator==(const Load&, const Load&) = default; };
struct Profile { friend bool operator==(const Profile&, const Profile&) = default; };
struct Propose { std::string problem; friend bool operator==(const Propose&, const Propose&) = default; };
struct Verify { friend bool operator==(const Verify&, const Verify&) = default; };
struct Screen { friend bool operator==(const Screen&, const Screen&) = default; };
struct Measure { friend bool operator==(const Measure&, const Measure&) = default; };
struct Confirm { friend bool operator==(const Confirm&, const Confirm&) = default; };
struct MeasureTotal { friend bool operator==(const MeasureTotal&, const MeasureTotal&) = default; };
struct Apply { friend bool operator==(const Apply&, const Apply&) = default; };
struct Export { std::string folder; friend bool operator==(const Export&, const Export&) = default; };
// At once, in the order given.
/// Makes the flight's experiment durable; answered by Recorded. `superseded`: the experiment whose waiting win this one replaces.
struct Record { Decision decision = Decision::Rejected; std::int64_t superseded = 0; friend bool operator==(const Record&, const Record&) = default; };
/// Answers a waiting win: Kept or Declined.
struct Decide { ApprovalRequest request; Decision decision = Decision::Kept; friend bool operator==(const Decide&, const Decide&) = default; };
struct RollBack { std::string problem; std::int64_t experiment = 0; friend bool operator==(const RollBack&, const RollBack&) = default; };
struct Cancel { friend bool operator==(const Cancel&, const Cancel&) = default; };   ///< the work in progress; answered by WorkStopped
struct SaveSettings { friend bool operator==(const SaveSettings&, const SaveSettings&) = default; };
struct Finish { friend bool operator==(const Finish&, const Finish&) = default; };   ///< the host may end
} // namespace action

using Action = std::variant<action::Load, action::Profile, action::Propose, action::Verify, action::Screen, action::Measure,
    action::Confirm, action::MeasureTotal, action::Apply, action::Export, action::Record, action::Decide, action::RollBack,
    action::Cancel, action::SaveSettings, action::Finish>;

struct Transition {
    MachineState state;
    std::vector<Action> actions;
    std::optional<Error> refusal;         ///< of a command: nothing has changed. Ids: "command.*"
};

/// The whole logic of the loop: no clock, no files, no threads, no randomness. Events that do not fit the state are ignored,
/// since a result may arrive after a stop.
Transition step(MachineState state, const Event& event, const LoopRules& rules);

/// What the search of a problem starts from: a win that waits for approval, else its best.
std::string searchBase(const MachineState& state, const std::string& problem);
/// Seconds that the flight may still take, `flown` after its experiment began; infinite without a budget, for steps and for
/// what a person waits for.
double secondsLeft(const MachineState& state, double flown);
/// Whether some work is in progress and will be answered by an event.
bool working(const MachineState& state);

} // namespace kw
