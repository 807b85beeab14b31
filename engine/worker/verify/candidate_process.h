// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/runner_client.h"
#include "build/backend.h"
#include "record/verdict.h"
#include "worker/verify/cases.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace kw {

struct CandidateProcessSpec {
    std::vector<std::int64_t> dimensions;
    Placement placement = Placement::Aligned;
    std::uint32_t slots = 1;
    int threads = 1;
    std::vector<int> cpus;
    std::vector<std::string> environment;
    std::uint64_t memoryBytes = std::uint64_t{2} << 30;
    bool unsafe = false;
};

/// Buffers of a ring of slots in signature order: inputs, outputs, then the candidate's workspaces (none without header).
/// Errors: "verify.bad_workspace" (name), a size expression's.
Result<ArenaLayout> arenaLayout(const Problem& problem, const CandidateHeader* header,
    const std::vector<std::int64_t>& dimensions, Placement placement, std::uint32_t slots);

/// The arena of a candidate: its workspaces may take `memoryBytes` besides what the problem itself needs.
/// Errors: arenaLayout's, Arena::create's.
Result<Arena> candidateArena(const Problem& problem, const CandidateHeader* header, const std::vector<std::int64_t>& dimensions,
    Placement placement, std::uint32_t slots, std::uint64_t memoryBytes);
/// Whether a candidate asks for more memory than there is.
bool isOutOfMemory(const Error& error);

/// A runner's failure as the candidate's; None for None and Stopped.
FailureKind failureKind(RunnerFailure failure);

/// One sandboxed candidate at fixed sizes with its arena. Ends with the object. One thread; movable.
class CandidateProcess {
public:
    /// Errors are the harness': the launcher's, no memory. A candidate that fails to load: startOutcome() of the client.
    static Result<CandidateProcess> start(const Launcher& launcher, const Problem& problem, const CandidateHeader& header,
        const Artifact& artifact, const CandidateProcessSpec& spec, std::stop_token stop);

    Arena& arena() { return *m_arena; }
    RunnerClient& client() { return *m_client; }

    void setInputs(std::uint32_t slot, const std::vector<HostTensor>& inputs);

private:
    CandidateProcess() = default;
    // The client refers to the arena: heap places, so that moving this object moves neither.
    std::unique_ptr<Arena> m_arena;
    std::unique_ptr<RunnerClient> m_client;
};

/// Copies inputs into a slot of an arena whose first buffers are they.
void writeInputs(Arena& arena, std::uint32_t slot, const std::vector<HostTensor>& inputs);

} // namespace kw
