// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/problem.h"
#include "problem/profile.h"

#include <cstdint>
#include <vector>

namespace kw {

/// Bytes that any program for the problem must move: each input read and each output written once. A broadcast input
/// counts once, gaps between strides do not count.
double compulsoryBytes(const Problem& problem, const std::vector<std::int64_t>& dimensions);

/// The least time per call that the machine allows, from the best bandwidth that calibration saw at this working set or
/// at a larger one, with `slack` for what calibration may have missed (0.7: a result 30 % under the floor is refused).
/// 0 when nothing was calibrated.
double leastSeconds(double bytes, double workingSet, const Calibration& calibration, double slack = 0.7);

/// True when a time is provably too short: the work cannot have been done.
bool tooFast(double secondsPerCall, double bytes, double workingSet, const Calibration& calibration);

} // namespace kw
