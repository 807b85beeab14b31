// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/journal.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kw {

/// What agents may see of the journal, read beside its writer: acceptance cases and samples are taken out. Belongs to the loop's
/// work thread.
class AgentMemory {
public:
    explicit AgentMemory(std::filesystem::path journal) : m_file(std::move(journal)) {}

    /// Everything of the problem that was recorded until now, oldest first; valid until the next call.
    Result<const std::vector<Experiment>*> history(const std::string& problem);
    Result<Candidate> candidate(const std::string& id);
    /// For checkedCandidate().
    Result<Journal*> journal();

private:
    struct Recalled {
        std::vector<Experiment> experiments;
        std::int64_t last = 0;              ///< the newest number that was looked at
    };

    std::filesystem::path m_file;
    std::optional<Journal> m_journal;
    std::map<std::string, Recalled> m_problems;
};

/// What an agent may see of an experiment.
Experiment forAgent(Experiment experiment);
/// What an agent may see of a measurement: figures without samples.
Measurement forAgent(Measurement measurement);

} // namespace kw
