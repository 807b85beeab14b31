// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "candidate/candidate.h"
#include "judge/judge.h"
#include "problem/problem.h"
#include "problem/profile.h"
#include "record/experiment.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kw {

/// What an agent may do, and all that it may do: the loop hands it over for one call of Agent::propose(), on whose thread its
/// calls block. What comes by reference is valid until then. Errors of all calls: "toolbox.no_problem" (problem),
/// "judge.stopped" once the agent has to come to an end, and those of the judge.
class Toolbox {
public:
    virtual ~Toolbox() = default;

    // Look.
    /// Ids of the open problems, the most promising first.
    virtual std::vector<std::string> problems() const = 0;
    virtual Result<const Problem*> problem(const std::string& id) const = 0;
    virtual const Calibration& calibration() const = 0;
    /// The session's: same seed and same history, same proposal.
    virtual std::uint64_t seed() const = 0;
    virtual Result<Candidate> candidate(const std::string& id) = 0;
    /// What the search of a problem starts from: its newest win, approved or not; none while the library's operators are best.
    virtual std::optional<std::string> best(const std::string& problem) const = 0;
    /// Finished experiments of the problem, oldest first. Acceptance cases show only stage and failure kind, measurements no samples.
    virtual Result<std::span<const Experiment>> history(const std::string& problem) = 0;
    /// Ids of candidates that wait for their judgement.
    virtual std::vector<std::string> waiting(const std::string& problem) const = 0;

    // Try out: feedback for the agent, which decides nothing and is recorded nowhere.
    virtual Result<BuildReport> compile(const Candidate& candidate) = 0;
    /// Builds and runs the development cases.
    virtual Result<Verdict> verify(const Candidate& candidate) = 0;
    /// A screening against best(). Error "toolbox.not_verified" (candidate) unless verify() has passed it in this call of the agent.
    virtual Result<Measurement> measure(const Candidate& candidate) = 0;

    // Decide.
    /// Hands the candidate to the judge: build, verification with fresh acceptance cases, measurement, decision; the result is in
    /// the next call's history(). Id and author are filled in. One candidate per call of the agent. Errors: "toolbox.one_at_a_time",
    /// "toolbox.other_problem" (problem), and those of checkedCandidate().
    virtual Result<void> submit(Candidate candidate) = 0;
};

} // namespace kw
