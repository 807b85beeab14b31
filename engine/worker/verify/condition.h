// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/verify/compare_outputs.h"
#include "worker/verify/reference.h"

#include <cstdint>
#include <vector>

namespace kw {

/// How far the fp64 reference moves when every floating input moves by up to 4 ulp: the largest of four random draws.
/// A kernel whose error stays within that is backward stable to 4 ulp: it computed the exact result of inputs that
/// cannot be told from the given ones. Empty when the reference refuses.
Condition conditionOf(const Problem& problem, const std::vector<std::int64_t>& dimensions,
    const std::vector<HostTensor>& inputs, const Expected& expected, Reference& reference, std::uint64_t seed);

} // namespace kw
