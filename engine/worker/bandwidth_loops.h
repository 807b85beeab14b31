// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace kw {

/// The inner loops of the calibration, for the best vector unit of this CPU. `floats` is a multiple of 64; 64-byte aligned.
struct BandwidthLoops {
    float (*read)(const float* from, std::size_t floats);
    void (*write)(float* to, std::size_t floats, float value);
    void (*copy)(const float* from, float* to, std::size_t floats);
    /// `rounds` x flopsPerRound floating operations; the result depends on all of them.
    float (*multiplyAdd)(std::size_t rounds, float seed);
    double flopsPerRound = 0;
};
BandwidthLoops bandwidthLoops();

} // namespace kw
