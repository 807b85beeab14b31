// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/measure/measurer.h"
#include "worker/measure/ring.h"

#include <memory>
#include <optional>

namespace kw {

struct TimedSideSpec {
    ReferenceProcessSpec reference;       ///< CPUs and threads of either kind of side
    std::uint64_t memoryBytes = 0;
    bool unsafe = false;
    RingPlan plan;
    std::uint64_t seed = 0;
};

/// One side of a comparison while it is measured: a process, its arena and the ring in it. Content must outlive it.
/// One thread; movable.
class TimedSide {
public:
    static Result<TimedSide> start(const Launcher& launcher, const Problem& problem, const MeasureSide& side,
        const RingContent& content, const TimedSideSpec& spec, std::stop_token stop);

    /// Passes over the whole ring untimed and measures the handshake. False: `failure` says why, or stop was requested.
    bool warmUp(CaseStore& store, std::optional<TimingFailure>& failure, std::stop_token stop);
    /// One timed batch and the comparison of one of its calls. Nothing: `failure` says why, or stop was requested.
    std::optional<Sample> batch(CaseStore& store, int& inspected, std::optional<TimingFailure>& failure, std::stop_token stop);
    /// Whether the process rests while it is not asked to work; a candidate's failure otherwise.
    bool checkIdle(std::optional<TimingFailure>& failure);

private:
    TimedSide() = default;
    void prepare(bool whole);
    bool check(const CallOutcome& outcome, std::optional<TimingFailure>& failure) const;
    bool inspect(CaseStore& store, std::optional<TimingFailure>& failure);

    std::unique_ptr<Arena> m_arena;
    std::unique_ptr<RunnerClient> m_client;
    std::unique_ptr<Ring> m_ring;
    std::string m_candidate;              ///< empty: the library
    int m_producer = -1;                  ///< inputs are written on a kernel's CPU, as a model's own operators would
    int m_threads = 1;
    double m_handshake = 0;
    double m_callSeconds = 1e-6;          ///< rough: the library's at first, then of the first batch
    double m_patience = 10;               ///< seconds for one batch
    bool m_warm = false;                  ///< warmUp() was done
};

} // namespace kw
