// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/measure/timed_side.h"

#include "base/defence.h"
#include "worker/measure/machine.h"
#include "worker/verify/candidate_process.h"

#include <algorithm>
#include <cmath>

namespace kw {
namespace {

/// A cold batch need not be longer: its clock and handshake are right within a microsecond or two.
constexpr double batchSeconds = 0.05;

/// A wake-up that takes longer is a busy machine's, or leaves time to work ahead in.
constexpr double mostWakeSeconds = 0.001;

Result<RunnerClient> startClient(const Launcher& launcher, const Problem& problem, const MeasureSide& side,
    const RingContent& content, const TimedSideSpec& spec, Arena& arena, std::stop_token stop)
{
    if (!side.candidate)
        return startReference(problem, content.dimensions, arena, spec.reference, stop);
    RunnerSpec runner;
    runner.artifact = side.artifact->bytes;
    runner.dimensions = content.dimensions;
    runner.limits.memoryBytes = spec.memoryBytes;
    runner.cpus = spec.reference.cpus;
    runner.threads = spec.reference.threads;
    runner.unsafe = spec.unsafe;
    return RunnerClient::start(launcher, arena, runner, stop);
}

} // namespace

Result<TimedSide> TimedSide::start(const Launcher& launcher, const Problem& problem, const MeasureSide& side,
    const RingContent& content, const TimedSideSpec& spec, std::stop_token stop)
{
    TimedSide started;
    KW_TRY(Arena arena, candidateArena(problem, side.candidate ? side.header : nullptr, content.dimensions, Placement::Aligned,
        spec.plan.slots, spec.memoryBytes));
    started.m_arena = std::make_unique<Arena>(std::move(arena));
    KW_TRY(RunnerClient client, startClient(launcher, problem, side, content, spec, *started.m_arena, stop));
    started.m_client = std::make_unique<RunnerClient>(std::move(client));
    started.m_ring = std::make_unique<Ring>(problem, content, *started.m_arena, spec.plan, spec.seed);
    started.m_candidate = side.candidate ? side.candidate->id : std::string();
    started.m_threads = std::max(1, spec.reference.threads);
    started.m_producer = spec.reference.cpus.empty() ? -1 : spec.reference.cpus.front();
    const double library = content.masters.front().data->librarySeconds;
    started.m_callSeconds = std::max(library, 1e-6);
    started.m_patience = 5 + 50 * library * static_cast<double>(spec.plan.slots);
    return started;
}

void TimedSide::prepare(bool whole)
{
    // Written elsewhere, every line would first have to cross from another core's cache, which no kernel can help.
    const ThreadPin producer(m_producer);
    m_ring->prepare(whole, static_cast<std::size_t>(std::ceil(batchSeconds / m_callSeconds)));
}

bool TimedSide::check(const CallOutcome& outcome, std::optional<TimingFailure>& failure) const
{
    if (outcome.ok())
        return true;
    if (outcome.failure != RunnerFailure::Stopped) {
        const FailureKind kind = m_candidate.empty() ? FailureKind::Harness : failureKind(outcome.failure);
        failure = TimingFailure{m_candidate, kind, outcome.reason};
    }
    return false;
}

bool TimedSide::inspect(CaseStore& store, std::optional<TimingFailure>& failure)
{
    if (m_candidate.empty() || !standing(Defence::TimedInspection))
        return true; // the library's outputs stay in its own process
    const std::optional<CaseResult> wrong = m_ring->inspect(store);
    if (wrong)
        failure = TimingFailure{m_candidate, wrong->failure, wrong->reason};
    return !wrong;
}

bool TimedSide::warmUp(CaseStore& store, std::optional<TimingFailure>& failure, std::stop_token stop)
{
    if (m_warm)
        return true;
    if (!check(m_client->startOutcome(), failure))
        return false;
    prepare(true);
    const CallOutcome outcome = m_client->call(m_ring->order(), m_patience, m_ring->patches(), stop);
    if (!check(outcome, failure) || !inspect(store, failure))
        return false;
    m_callSeconds = std::max(outcome.timing.seconds / static_cast<double>(m_ring->order().size()), 1e-6);
    m_handshake = m_client->handshakeSeconds();
    m_warm = true;
    return true;
}

bool TimedSide::checkIdle(std::optional<TimingFailure>& failure)
{
    return m_candidate.empty() || check(m_client->checkIdle(0.005), failure);
}

std::optional<Sample> TimedSide::batch(CaseStore& store, int& inspected, std::optional<TimingFailure>& failure, std::stop_token stop)
{
    prepare(false);
    const CallOutcome outcome = m_client->call(m_ring->order(), m_patience, m_ring->patches(), stop);
    if (!check(outcome, failure) || !inspect(store, failure))
        return std::nullopt;
    inspected += m_candidate.empty() ? 0 : 1;
    const auto calls = static_cast<double>(m_ring->order().size());
    Sample sample;
    sample.calls = static_cast<std::int32_t>(calls);
    // While the runner's first thread woke up, the rest of its pool could have worked ahead: on both sides that time counts.
    const double ahead = outcome.timing.wakeSeconds * (m_threads - 1) / m_threads;
    sample.seconds = std::max(outcome.timing.seconds + ahead - m_handshake, 0.0) / calls;
    sample.cpuSeconds = outcome.timing.cpuSeconds / calls;
    sample.rejected = outcome.timing.wakeSeconds > mostWakeSeconds;
    sample.contextSwitches = static_cast<std::int32_t>(std::min<std::int64_t>(outcome.timing.involuntarySwitches, 1 << 30));
    return sample;
}

} // namespace kw
