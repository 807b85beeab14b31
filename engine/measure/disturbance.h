// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/measurement.h"

namespace kw {

/// When a timed batch was not the kernel's own time.
struct DisturbanceRule {
    double waitShare = 0.03;     ///< of wall time not spent on the CPU (one thread only: more threads hide waiting)
    double waitSeconds = 10e-6;  ///< always tolerated: the handshake
    double stealShare = 0.02;    ///< of the batch, times threads, taken by the hypervisor
    double stealSeconds = 0.011; ///< always tolerated: the kernel counts in hundredths of a second, over all CPUs
    double fewest = 0.5;         ///< share of a side's samples that must be left, at least two
};

/// Marks a sample as rejected: involuntary context switches that cost time, waiting, or steal during the batch.
void judgeSample(Sample& sample, int threads, const DisturbanceRule& rule = {});
/// Marks a pair as disturbed when too few samples of a side are left.
void judgePair(PairBlock& pair, const DisturbanceRule& rule = {});

} // namespace kw
