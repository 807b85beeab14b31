// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/verify/compare_outputs.h"
#include "worker/verify/reference.h"

#include <cstdint>
#include <vector>

namespace kw {

/// How far the problem's primitives in fp64 (graph/decompose.h) move when every floating input moves by up to 4 ulp and every
/// operation inside rounds at random (rounding_noise.h): three standard deviations over eight draws (four of large outputs), by
/// element. An error within that is the problem's own: cancellation in the formula as it is written, values beside a threshold, results beside overflow.
/// Empty when the reference refuses or cannot be decomposed.
Condition conditionOf(const Problem& problem, const std::vector<std::int64_t>& dimensions,
    const std::vector<HostTensor>& inputs, const Expected& expected, Reference& reference, std::uint64_t seed);

} // namespace kw
