// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sandbox/launcher.h"
#include "build/backend.h"
#include "judge/judge.h"
#include "worker/verify/reference.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace kw {

struct VerifierOptions {
    int threads = 2;                       ///< that candidates get while they are verified: more than one shows races
    std::vector<int> cpus;                 ///< empty: every one
    std::uint64_t memoryBytes = std::uint64_t{2} << 30; ///< a candidate may use on top of its tensors
    std::uint64_t cacheBytes = std::uint64_t{1} << 30;  ///< of expected outputs of development cases
    bool unsafe = false;
};

/// Judges built candidates: smoke, shape sweep, stability, determinism, edges. Expected outputs stay in this process.
/// Library and fp64 results of development cases are kept per problem; acceptance cases are drawn afresh every time.
/// One thread; `launcher` and `reference` must outlive it.
class Verifier {
public:
    Verifier(const Launcher& launcher, Reference& reference, VerifierOptions options);
    ~Verifier();

    /// Inputs of a real call, captured from the model's run (signature order): one more development case.
    void setCapturedInputs(const std::string& problemId, std::vector<HostTensor> inputs);
    /// Drops what was kept for a problem (it was redefined).
    void forget(const std::string& problemId);

    /// A failed candidate is a Verdict. Errors: "verify.no_reference" (problem, why): the problem itself cannot be judged;
    /// "judge.stopped"; the launcher's.
    Result<Verdict> verify(const Problem& problem, const Candidate& candidate, const CandidateHeader& header,
        const Artifact& artifact, const VerifyOptions& options, const ProgressCallback& progress, std::stop_token stop);

    /// The verdict of a candidate that was not built (compile error, artifact check, header error).
    static Verdict unbuilt(const Problem& problem, const Candidate& candidate, const BuildFailure& failure, double seconds);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace kw
