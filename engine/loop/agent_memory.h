// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/agent.h"
#include "journal/journal.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace kw {

/// What the agent is shown of each problem, read from the journal beside its writer. Acceptance cases and samples are taken out.
/// Belongs to the loop's work thread.
class AgentMemory {
public:
    AgentMemory(std::filesystem::path journal, std::uint64_t seed) : m_file(std::move(journal)), m_seed(seed) {}

    /// The problem's state with everything that was recorded until now. `problem` must outlive the answer.
    Result<const AgentState*> state(const Problem& problem, const Calibration& calibration, const std::string& best);

private:
    Result<void> update(AgentState& state, std::int64_t& last);

    std::filesystem::path m_file;
    std::uint64_t m_seed;
    std::optional<Journal> m_journal;
    std::map<std::string, std::pair<AgentState, std::int64_t>> m_states; ///< with the last number that was looked at
};

/// What an agent may see of an experiment.
Experiment forAgent(Experiment experiment);

} // namespace kw
