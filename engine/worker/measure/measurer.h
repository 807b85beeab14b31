// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sandbox/launcher.h"
#include "build/backend.h"
#include "judge/judge.h"
#include "record/timing_failure.h"
#include "worker/measure/reference_process.h"
#include "worker/verify/reference.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace kw {

struct MeasurerOptions {
    ReferenceProcessSpec reference;        ///< cpus and threads: of both sides
    int judgeCpu = 0;                      ///< this thread's CPU while a block is timed; not among reference.cpus
    double lastLevelCacheBytes = 0;        ///< 0: asked of the machine
    std::uint64_t memoryBytes = std::uint64_t{2} << 30;
    bool unsafe = false;
    /// CPU 0 for the judge, the others for kernels; one CPU: both share it.
    static MeasurerOptions forThisMachine();
};

/// One side of a comparison: the library, or a built candidate. Pointers are borrowed for the call.
struct MeasureSide {
    const Candidate* candidate = nullptr;  ///< null: the library
    const CandidateHeader* header = nullptr;
    const Artifact* artifact = nullptr;
};

struct MeasureOutcome {
    std::vector<PairBlock> pairs;
    CacheState cache = CacheState::Warm;   ///< as it was really timed: a working set beyond the cache cannot be warm
    std::optional<TimingFailure> failure;  ///< then pairs must not be used
    int inspected = 0;                     ///< timed calls whose outputs were compared
};

/// Times two sides against each other: our clock, batches of one pass over a ring of slots in random order, fresh inputs
/// and poisoned outputs, bytes that change after the clock has started, random order of sides, pairs of fresh processes on
/// pinned CPUs, disturbed samples marked, randomly chosen timed calls compared with what was expected.
/// One thread; `launcher` and `reference` must outlive it.
class Measurer {
public:
    Measurer(const Launcher& launcher, Reference& reference, MeasurerOptions options);
    ~Measurer();

    /// Refuses times below what the compulsory bytes need. Without it nothing is refused.
    void setCalibration(const Calibration& calibration);
    void forget(const std::string& problemId);
    /// Ends kept processes (screening); call it when the best or the problem changes for long, or before other load.
    void release();

    /// Errors: "judge.stopped", "measure.no_inputs" (problem, why), "lock.*", the launcher's.
    Result<MeasureOutcome> measure(const Problem& problem, const MeasureSide& a, const MeasureSide& b,
        const MeasureRequest& request, std::stop_token stop);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Bytes of the last-level cache of CPU 0; 32 MiB when the machine does not say.
double lastLevelCacheBytes();

} // namespace kw
