// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/verify/candidate_process.h"
#include "worker/verify/case_store.h"

#include <optional>
#include <random>
#include <stop_token>

namespace kw {

/// Runs cases of one candidate in its sandboxed process and compares what it left behind. Starts a process when sizes or
/// placement change. Lives for one verification; one thread.
class CaseRunner {
public:
    struct Settings {
        CandidateProcessSpec process;     ///< sizes and placement are those of the case
        std::uint64_t seed = 0;           ///< of poisons and of the second look
    };
    CaseRunner(const Launcher& launcher, CaseStore& store, const Problem& problem, const CandidateHeader& header,
        const Artifact& artifact, Settings settings)
        : m_launcher(launcher), m_store(store), m_problem(problem), m_header(header), m_artifact(artifact),
          m_settings(std::move(settings)), m_random(m_settings.seed)
    {
    }

    /// Errors: the harness' (spawn failed ...) and "judge.stopped". A candidate that fails is a CaseResult.
    Result<CaseResult> run(const CaseSpec& spec, const CaseData& data, std::stop_token stop);

private:
    Result<void> prepare(const CaseSpec& spec, std::stop_token stop);
    bool runDraw(const CaseSpec& spec, const CaseData& data, const CaseDraw& draw, CaseResult& result, std::stop_token stop);
    bool call(const CaseData& data, Poison poison, const CaseDraw& draw, CaseResult& result, std::stop_token stop);
    bool guards(const CaseDraw& draw, CaseResult& result);
    bool compare(const CaseSpec& spec, const CaseData& data, const CaseDraw& draw, CaseResult& result);
    bool sameAsBefore(CaseResult& result);
    std::vector<std::byte> writtenBytes(std::size_t output);

    const Launcher& m_launcher;
    CaseStore& m_store;
    const Problem& m_problem;
    const CandidateHeader& m_header;
    const Artifact& m_artifact;
    Settings m_settings;
    std::mt19937_64 m_random;
    std::optional<CandidateProcess> m_process;
    std::vector<std::int64_t> m_dimensions;
    Placement m_placement = Placement::Aligned;
    std::vector<std::vector<std::byte>> m_before;      ///< poisoned storage of each output, before the call
    std::vector<std::vector<std::byte>> m_first;       ///< written elements of the first repeat
};

/// Fails a case for a reason.
void failCase(CaseResult& result, FailureKind failure, Message reason);

} // namespace kw
