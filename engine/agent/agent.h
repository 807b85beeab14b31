// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "candidate/candidate.h"
#include "problem/problem.h"
#include "problem/profile.h"
#include "record/experiment.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kw {

/// All that an agent is shown of one problem when it is asked for the next candidate.
struct AgentState {
    const Problem* problem = nullptr;         ///< never null; outlives the call
    Calibration calibration;
    std::vector<Experiment> experiments;      ///< of this problem, oldest first, finished ones only
    std::vector<Candidate> inFlight;          ///< proposed, not finished yet (builds run ahead)
    std::optional<std::string> best;          ///< candidate id of the current best; none = library
    std::uint64_t seed = 0;                   ///< the session's: same seed and state, same proposal
};

/// Proposes candidates. Pure: what it is shown decides what it answers, so a resumed session goes on where it stopped.
/// No threads, no files, no clock.
class Agent {
public:
    virtual ~Agent() = default;

    virtual Author author() const = 0;
    /// The next candidate with parent, moves, hypothesis and prediction filled, or nothing when the agent has no further
    /// idea for this problem. Never a source that an experiment or a candidate in flight already holds.
    virtual std::optional<Candidate> propose(const AgentState& state) = 0;
    /// Why propose() gave nothing: "agent.exhausted" (tried), "codegen.refused.*" ...; empty before that.
    virtual Message lastReason() const = 0;
    /// Expected time per call of the best schedule that is still untried, by what was learned; 0 = unknown.
    virtual double expectedBestSeconds(const AgentState& state) = 0;
};

} // namespace kw
