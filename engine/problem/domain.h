// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/problem.h"

namespace kw {

/// What one tensor value of the model held in its captured run. Non-finite elements are counted, not averaged.
struct ValueStatistics {
    ValueId value = noValue;             ///< of the model graph
    double minimum = 0, maximum = 0;     ///< over finite elements
    double mean = 0, deviation = 0;      ///< over finite elements
    double largestOrdinary = 0;          ///< largest |x| below 1e4, over finite elements
    std::int64_t finite = 0, nonFinite = 0, zeros = 0;
    std::int64_t veryNegative = 0;       ///< elements <= -1e4, minus infinity included
    friend bool operator==(const ValueStatistics&, const ValueStatistics&) = default;
};

void to_json(Json& json, const ValueStatistics& statistics);
void from_json(const Json& json, ValueStatistics& statistics);

/// A conservative domain for a region's input. Bounds only where the model's graph proves them (the result of sigmoid,
/// softmax, abs, exp, a square, clamp ...); else floats are Normal with captured mean and deviation, bools Boolean,
/// integers the captured range, additive masks Mask. `statistics` may be nullptr.
InputDomain inputDomain(const Graph& model, ValueId value, const ValueStatistics* statistics);

/// The interval that the graph proves for a value; infinite ends when nothing is known. Looks a few operators back.
struct ProvenRange {
    double low, high;
};
ProvenRange provenRange(const Graph& model, ValueId value);

} // namespace kw
