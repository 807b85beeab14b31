// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "problem/profile.h"

#include <stop_token>
#include <vector>

namespace kw {

/// Measures what these CPUs can do together, one pinned thread each: read, write and copy bandwidth per working set, from
/// inside the L2 cache to beyond the last level, and the fp32 multiply-add rate. A copy counts its bytes read plus written;
/// the working set is everything that is touched. Best of several passes: what a kernel cannot beat. About one second.
/// Free of LibTorch. Error "judge.stopped".
Result<Calibration> calibrate(const std::vector<int>& cpus, double lastLevelCacheBytes, std::stop_token stop = {});

} // namespace kw
