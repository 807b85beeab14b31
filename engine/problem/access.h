// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/decompose.h"
#include "problem/problem.h"

namespace kw {

/// How a region would run as one nest of loops.
struct AccessReport {
    RegionKind kind = RegionKind::Pointwise;
    double arithmetic = 0;       ///< vector instructions x elements, counting what is computed again at other indices
    std::int32_t instances = 0;  ///< distinct (value, index map) pairs: the size of the kernel's text
};

/// Walks the primitives from the outputs to the inputs with index maps, as a generator would, and finds out whether one
/// loop space serves all of it. Error "problem.no_loop_space" (why).
Result<AccessReport> analyseAccess(const Decomposition& decomposition);

} // namespace kw
