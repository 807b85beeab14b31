// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/measurement.h"

#include <cstdint>
#include <vector>

namespace kw {

struct ComparisonOptions {
    double confidence = 0.95;
    double margin = 0.01;        ///< a win must clear 1 + margin
    std::uint64_t seed = 1;      ///< of the bootstrap
};

/// log(time A / time B) of each pair that counts: the median over its blocks of the ratio of neighbours in time, so that
/// drift within a pair cancels. Rejected samples and disturbed pairs are left out.
std::vector<double> pairLogRatios(const std::vector<PairBlock>& pairs);

/// FASTER: the interval lies above 1 + margin. SLOWER: below 1 - margin. SAME: inside 1 -+ margin. Else UNSURE.
Comparison outcomeOf(double low, double high, double margin);

/// Medians, ratio, interval (medianInterval over pairs as units) and outcome. The caller fills subjects, cache,
/// dimensions, method and environment. No usable pair: UNSURE with an unbounded interval (low 0, high infinite).
Measurement compare(std::vector<PairBlock> pairs, const ComparisonOptions& options = {});

/// Screening in a long-lived pair of processes may only reject: true when B cannot plausibly clear the margin.
/// `processSpread` is how much one pair of processes may be off by its placement alone (research: about 1 % pinned).
bool screenedOut(const std::vector<PairBlock>& pairs, double margin, double processSpread = 0.02);

} // namespace kw
