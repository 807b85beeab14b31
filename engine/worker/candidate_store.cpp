// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/candidate_store.h"

#include "base/cpu_lock.h"


#include <algorithm>

namespace kw {
namespace {
constexpr std::size_t keptCandidates = 256;
}

std::shared_ptr<const BuiltCandidate> CandidateStore::find(const std::string& id)
{
    const auto found = std::find_if(m_kept.begin(), m_kept.end(), [&](const auto& kept) { return kept->candidate.id == id; });
    if (found == m_kept.end())
        return nullptr;
    m_kept.splice(m_kept.begin(), m_kept, found);
    return m_kept.front();
}

void CandidateStore::forget(const std::string& problem)
{
    m_kept.remove_if([&](const auto& kept) { return kept->candidate.problem == problem; });
}

Result<std::shared_ptr<const BuiltCandidate>> CandidateStore::built(const Candidate& candidate, const Problem& problem, std::stop_token stop)
{
    if (auto known = find(candidate.id))
        return known;
    // Records are bound to the id: a text under another text's id must not get in.
    if (candidateId(candidate) != candidate.id)
        return Error{Message("worker.not_this_candidate").with("candidate", candidate.id), {}};
    auto fresh = std::make_shared<BuiltCandidate>();
    fresh->candidate = candidate;
    if (auto header = parseHeader(candidate.source, problem); !header) {
        BuildFailure failure;
        failure.reasons.push_back(header.error().message);
        fresh->outcome.failure = std::move(failure);
    } else if (candidate.backend != m_backend.name()) {
        BuildFailure failure;
        failure.reasons.push_back(Message("worker.no_backend").with("backend", candidate.backend));
        fresh->outcome.failure = std::move(failure);
    } else {
        fresh->header = *std::move(header);
        KW_TRY(const CpuLock lock, CpuLock::acquire(CpuLock::Mode::Shared, stop));
        fresh->outcome = m_backend.build(candidate, problem, fresh->header, stop);
    }
    if (fresh->outcome.failure && fresh->outcome.failure->stopped)
        return error("judge.stopped");
    if (!fresh->outcome.failure || !fresh->outcome.failure->harness)
        m_kept.push_front(fresh);
    if (m_kept.size() > keptCandidates)
        m_kept.pop_back();
    return std::shared_ptr<const BuiltCandidate>(std::move(fresh));
}

BuildReport buildReport(const BuildOutcome& outcome)
{
    BuildReport report;
    report.built = outcome.ok();
    if (outcome.ok()) {
        report.artifact = outcome.artifact.sha256;
        report.diagnostics = outcome.artifact.diagnostics;
        report.seconds = outcome.artifact.seconds;
        report.cached = outcome.artifact.cached;
        return report;
    }
    report.diagnostics = outcome.failure->diagnostics;
    report.failure = outcome.failure->harness ? FailureKind::Harness
        : outcome.failure->refused           ? FailureKind::ArtifactRefused
                                             : FailureKind::BuildFailed;
    if (!outcome.failure->reasons.empty())
        report.reason = outcome.failure->reasons.front();
    return report;
}

} // namespace kw
