// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/snapshot.h"

#include <QPointF>

#include <string>
#include <vector>

namespace kw {

/// One experiment as the chart shows it.
struct ChartPoint {
    std::int64_t number = 0;
    double ratio = 0, low = 0, high = 0;  ///< low = high = 0: no interval
    Decision decision = Decision::NotFaster;
};

/// What the chart draws, taken from the rows. Pure values; ascending numbers.
struct ChartData {
    std::vector<ChartPoint> measured;
    std::vector<std::int64_t> failures;   ///< rejected or never measured
    std::vector<QPointF> best;            ///< corners of the step line, from (0, 1)
    double lowest = 1, highest = 1;       ///< over everything drawn, baseline included
    std::int64_t last = 0;                ///< newest number in the session
};

enum class ChartScope : std::uint8_t {
    AllKernels,  ///< every candidate's own ratio; the line is the whole model's speed-up
    WholeModel,  ///< only what was kept, at the model's speed-up
    OneProblem,  ///< one problem's candidates; the line is its best so far
};
ChartData chartData(const std::vector<ExperimentRow>& rows, ChartScope scope, const std::string& problem);

/// At most the first, lowest, highest and last point of each of `columns` equal parts of the x range; order is kept.
std::vector<QPointF> decimated(const std::vector<QPointF>& points, int columns);

struct AxisRange {
    double low = 0, high = 1, step = 0.1;
};
/// A range with round ends and at most about `ticks` steps that covers [low, high].
AxisRange roundedRange(double low, double high, int ticks);

} // namespace kw
