// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/problem.h"
#include "problem/profile.h"

namespace kw {

/// Bytes of the distinct elements that a strided tensor holds: broadcast axes (stride 0) count once.
double distinctBytes(const TensorType& type);
/// What must be read of one input of the reference, see compulsoryBytes().
double readBytes(const Graph& reference, ValueId input);
/// Each input read once, each output written once, at the captured sizes. Of an input that is read through slices and
/// selects only, the parts that nothing reads do not count.
double compulsoryBytes(const Graph& reference);
/// Floating operations of the reference, an element of a transcendental function counting as one.
double floatingOperations(const Graph& reference);
/// The time below which no kernel can be: max(bytes / bandwidth at that working set, FLOPs / calibrated rate).
double floorSeconds(const Calibration& calibration, double inputBytes, double outputBytes, double flops);

} // namespace kw
