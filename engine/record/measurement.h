// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kw {

enum class CacheState : std::uint8_t { Cold, Warm };
/// Who runs on one side of a comparison.
struct Subject {
    enum class Kind : std::uint8_t {
        Library,    ///< the problem's reference graph, node by node, by the library's operators (kept memory, own process)
        Candidate,  ///< a built candidate in the sandboxed runner
    };
    Kind kind = Kind::Library;
    std::string candidate;                ///< candidate id; empty for Library
    friend bool operator==(const Subject&, const Subject&) = default;
};

/// One timed batch: wall time by the worker's clock divided by the calls in it.
struct Sample {
    double seconds = 0;                   ///< per call
    double cpuSeconds = 0;                ///< per call, the runner process' CPU clock, its wake-up included
    std::int32_t calls = 0;
    std::int32_t contextSwitches = 0;     ///< involuntary, during the batch
    double stolenSeconds = 0;             ///< hypervisor steal during the batch, all CPUs
    bool rejected = false;                ///< disturbed; not used for the interval, kept for the record
    friend bool operator==(const Sample&, const Sample&) = default;
};

/// A and B measured in alternating blocks inside one pair of fresh processes: one unit of the bootstrap.
struct PairBlock {
    std::vector<Sample> a, b;
    bool disturbed = false;               ///< too many rejected samples: the pair does not count
    friend bool operator==(const PairBlock&, const PairBlock&) = default;
};

/// What the machine was doing.
struct Environment {
    std::string cpu, kernel, compiler, torch, host;
    std::int32_t cores = 0, threads = 0;  ///< threads: what both sides were given
    double frequencyMHz = 0;
    std::string allocation;               ///< "preallocated", "kept", "default"
    bool unsafe = false;
    friend bool operator==(const Environment&, const Environment&) = default;
};

enum class Comparison : std::uint8_t { Faster, Same, Slower, Unsure };

/// B against A, with everything needed to recompute it.
struct Measurement {
    Subject a, b;
    CacheState cache = CacheState::Warm;
    std::vector<std::int64_t> dimensions; ///< sizes at which it was taken
    std::vector<PairBlock> pairs;
    double secondsA = 0, secondsB = 0;    ///< medians over pairs of the pairs' medians
    double ratio = 0;                     ///< time A / time B: > 1 means B is faster; median of the pairs' ratios
    double low = 0, high = 0;             ///< confidence interval of the ratio
    double confidence = 0.95;
    double margin = 0.01;
    Comparison outcome = Comparison::Unsure;
    std::int32_t rejectedSamples = 0;
    std::string method;                   ///< e.g. "worker clock, batches, fresh pairs"
    Environment environment;
    friend bool operator==(const Measurement&, const Measurement&) = default;
};

void to_json(Json& json, const Subject& subject);
void from_json(const Json& json, Subject& subject);
void to_json(Json& json, const PairBlock& pair);
void from_json(const Json& json, PairBlock& pair);
void to_json(Json& json, const Environment& environment);
void from_json(const Json& json, Environment& environment);
void to_json(Json& json, const Measurement& measurement);
void from_json(const Json& json, Measurement& measurement);

} // namespace kw
