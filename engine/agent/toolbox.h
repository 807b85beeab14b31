// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "candidate/candidate.h"
#include "judge/judge.h"
#include "problem/problem.h"
#include "problem/profile.h"
#include "record/experiment.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kw {

/// What an agent may do, and all that it may do. Built-in search, policy, language model, outside programs and the person
/// in the editor work through it. Implementations live in the loop; calls block on the caller's thread until stopped.
class Toolbox {
public:
    virtual ~Toolbox() = default;

    /// Ids of the open problems, the most promising first.
    virtual std::vector<std::string> problems() const = 0;
    virtual Result<Problem> problem(const std::string& id) const = 0;
    virtual Calibration calibration() const = 0;
    virtual Result<Candidate> candidate(const std::string& id) const = 0;
    /// The problem's best candidate so far; none while the library's operators are best.
    virtual std::optional<std::string> best(const std::string& problem) const = 0;
    /// Finished experiments of the problem, oldest first. Acceptance cases show only stage and failure kind to an agent.
    virtual std::vector<Experiment> history(const std::string& problem) const = 0;
    virtual std::string notes(const std::string& problem) const = 0;
    virtual Result<void> addNote(const std::string& problem, const std::string& text) = 0;

    /// Builds only.
    virtual Result<BuildReport> compile(const Candidate& candidate, std::stop_token stop) = 0;
    /// Builds and runs the development cases.
    virtual Result<Verdict> verify(const Candidate& candidate, std::stop_token stop) = 0;
    /// Verified candidates only: a screening against the current best.
    virtual Result<Measurement> measure(const Candidate& candidate, std::stop_token stop) = 0;
    /// Hands the candidate to the judge: build, verification with fresh acceptance cases, measurement, decision.
    virtual Result<Experiment> submit(const Candidate& candidate, std::stop_token stop) = 0;
};

} // namespace kw
