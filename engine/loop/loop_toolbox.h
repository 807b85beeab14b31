// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/toolbox.h"
#include "loop/agent_memory.h"
#include "loop/evaluator.h"

#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace kw {

/// How a problem stands when an agent is asked.
struct Standing {
    std::string problem;
    std::string best;                       ///< candidate id of what the search starts from; empty = the library
    std::vector<std::string> waiting;       ///< candidate ids
};

/// The toolbox over one session: reads from the journal what agents may see, tries out through the evaluator, and keeps what is
/// submitted for the machine. One per call of the agent, on the loop's work thread; everything that it is given outlives it.
class LoopToolbox final : public Toolbox {
public:
    struct Parts {
        const std::map<std::string, Problem>& problems;
        const Calibration& calibration;
        Evaluator& evaluator;
        AgentMemory& memory;
    };
    struct Task {
        std::string problem;                ///< that the agent is asked for
        Author author;                      ///< of what it submits
        std::vector<Standing> open;         ///< the most promising first
        std::uint64_t seed = 0;
        double secondsLeft = 0;             ///< of the search's budget; may be infinite
    };
    LoopToolbox(Parts parts, Task task, std::stop_token stop);

    std::vector<std::string> problems() const override;
    Result<const Problem*> problem(const std::string& id) const override;
    const Calibration& calibration() const override { return m_parts.calibration; }
    std::uint64_t seed() const override { return m_task.seed; }
    Result<Candidate> candidate(const std::string& id) override;
    std::optional<std::string> best(const std::string& problem) const override;
    Result<std::span<const Experiment>> history(const std::string& problem) override;
    std::vector<std::string> waiting(const std::string& problem) const override;
    Result<BuildReport> compile(const Candidate& candidate) override;
    Result<Verdict> verify(const Candidate& candidate) override;
    Result<Measurement> measure(const Candidate& candidate) override;
    Result<void> submit(Candidate candidate) override;

    /// What the agent has submitted.
    const std::optional<Candidate>& submitted() const { return m_submitted; }
    /// A trouble of ours, not of a candidate: the agent's answer cannot be relied on.
    const std::optional<Error>& trouble() const { return m_trouble; }

private:
    const Standing* standing(const std::string& problem) const;
    Result<const Problem*> subjectOf(const Candidate& candidate) const;
    template <typename Value> Result<Value> noted(Result<Value> result);

    Parts m_parts;
    Task m_task;
    std::stop_token m_stop;
    std::set<std::string> m_verified;       ///< ids
    std::optional<Candidate> m_submitted;
    std::optional<Error> m_trouble;
};

} // namespace kw
