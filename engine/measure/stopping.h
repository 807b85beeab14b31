// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "measure/comparison.h"

#include <array>
#include <cstdint>
#include <vector>

namespace kw {

/// A measurement that grows by fresh pairs of processes and is looked at only at fixed points, so that looking does not
/// raise the error: each of the L looks may err with alpha / L (Bonferroni over the looks, valid under any dependence
/// between them), hence the whole measurement with at most alpha.
struct StoppingRule {
    std::vector<int> looks{5, 10, 20, 30}; ///< pairs measured so far, ascending
    double alpha = 0.05;                   ///< of the whole measurement, both directions together
    double margin = 0.01;
    double wallSeconds = 60;               ///< after this no further pairs are started
    std::uint64_t seed = 1;

    /// The rule of the confirmation number `index` (from 1) of a session: see error_control.h.
    static StoppingRule confirmation(double sessionAlpha, std::int64_t index, double margin);
};

struct StoppingStep {
    bool finished = false;
    int morePairs = 0;                     ///< to be measured before the next look
    Comparison outcome = Comparison::Unsure;
    double confidence = 0.95;              ///< that this look used
};

/// What follows after `pairs` (disturbed ones included) and `usedSeconds`. The first call has no pairs.
/// Finished when the interval at this look's confidence lies on one side of 1 + margin (FASTER, or not: SAME, SLOWER),
/// at the last look, or when time is up (UNSURE unless decided). "Not faster, but SAME or SLOWER is open" is SAME when
/// the ratio lies within the margin, else SLOWER.
StoppingStep nextStep(const std::vector<PairBlock>& pairs, double usedSeconds, const StoppingRule& rule);

/// compare() at the confidence of the last look, with the step's outcome: what is recorded.
Measurement conclude(std::vector<PairBlock> pairs, const StoppingStep& step, const StoppingRule& rule);

} // namespace kw
