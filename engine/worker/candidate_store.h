// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "build/backend.h"
#include "judge/judge.h"

#include <list>
#include <memory>
#include <stop_token>
#include <string>

namespace kw {

/// A candidate with its parsed header and, when it could be built, its object.
struct BuiltCandidate {
    Candidate candidate;
    CandidateHeader header;
    BuildOutcome outcome;
};

/// Builds candidates and keeps the most recent ones. Worker's main thread.
class CandidateStore {
public:
    explicit CandidateStore(Backend& backend) : m_backend(backend) {}

    /// Builds, or hands out what was built before. A candidate that cannot be built is a BuiltCandidate too.
    /// Errors: "worker.not_this_candidate" (candidate) when the id is not that of the text, "judge.stopped", "lock.*".
    Result<std::shared_ptr<const BuiltCandidate>> built(const Candidate& candidate, const Problem& problem, std::stop_token stop);
    /// Known by its id, or nullptr.
    std::shared_ptr<const BuiltCandidate> find(const std::string& id);
    void forget(const std::string& problem);

private:
    Backend& m_backend;
    std::list<std::shared_ptr<const BuiltCandidate>> m_kept; ///< most recent first
};

/// What the host is told of a build.
BuildReport buildReport(const BuildOutcome& outcome);

} // namespace kw
