// SPDX-License-Identifier: GPL-3.0-or-later
#include "speedup_chart/chart_data.h"

#include <algorithm>
#include <cmath>

namespace kw {
namespace {

bool measured(const ExperimentRow& row)
{
    return row.decision != Decision::Rejected && std::isfinite(row.ratio) && row.ratio > 0;
}

void include(ChartData& data, double value)
{
    data.lowest = std::min(data.lowest, value);
    data.highest = std::max(data.highest, value);
}

void addBest(ChartData& data, std::int64_t number, double value)
{
    if (!std::isfinite(value) || value <= 0)
        return;
    const double before = data.best.back().y();
    const auto x = static_cast<double>(number);
    if (value == before)
        return;
    data.best.emplace_back(x, before);
    data.best.emplace_back(x, value);
    include(data, value);
}

void addPoint(ChartData& data, const ExperimentRow& row, double ratio, bool interval)
{
    ChartPoint point{row.number, ratio, 0, 0, row.decision};
    // The interval of a measurement that was broken off spans everything and would flatten all others.
    const bool decided = !isOpen(row.decision);
    if (interval && decided && std::isfinite(row.low) && std::isfinite(row.high) && row.low > 0 && row.low < row.high) {
        point.low = row.low;
        point.high = row.high;
        include(data, row.low);
        include(data, row.high);
    }
    include(data, ratio);
    data.measured.push_back(point);
}

} // namespace

ChartData chartData(const std::vector<ExperimentRow>& rows, ChartScope scope, const std::string& problem)
{
    ChartData data;
    data.best.emplace_back(0.0, 1.0);
    for (const ExperimentRow& row : rows) {
        data.last = std::max(data.last, row.number);
        if (scope == ChartScope::OneProblem && row.problem != problem)
            continue;
        const bool kept = row.decision == Decision::Kept;
        if (scope != ChartScope::OneProblem)
            addBest(data, row.number, row.modelSpeedup);
        if (!measured(row)) {
            data.failures.push_back(row.number);
            continue;
        }
        if (scope == ChartScope::OneProblem && kept)
            addBest(data, row.number, row.ratio);
        if (scope != ChartScope::WholeModel)
            addPoint(data, row, row.ratio, true);
        else if (kept)
            addPoint(data, row, row.modelSpeedup, false);
    }
    data.best.emplace_back(static_cast<double>(std::max<std::int64_t>(data.last, 1)), data.best.back().y());
    return data;
}

std::vector<QPointF> decimated(const std::vector<QPointF>& points, int columns)
{
    if (columns < 1 || points.size() <= static_cast<std::size_t>(columns) * 4)
        return points;
    const double start = points.front().x(), span = points.back().x() - start;
    const auto columnOf = [&](const QPointF& point) {
        return span > 0 ? std::min(columns - 1, static_cast<int>((point.x() - start) / span * columns)) : 0;
    };
    std::vector<QPointF> out;
    for (std::size_t first = 0; first < points.size();) {
        std::size_t last = first, lowest = first, highest = first;
        while (last + 1 < points.size() && columnOf(points[last + 1]) == columnOf(points[first])) {
            ++last;
            lowest = points[last].y() < points[lowest].y() ? last : lowest;
            highest = points[last].y() > points[highest].y() ? last : highest;
        }
        std::vector<std::size_t> chosen{first, lowest, highest, last};
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        for (const std::size_t index : chosen)
            out.push_back(points[index]);
        first = last + 1;
    }
    return out;
}

AxisRange roundedRange(double low, double high, int ticks)
{
    if (!std::isfinite(low) || !std::isfinite(high))
        return {};
    if (high <= low)
        high = low + std::max(std::abs(low), 1.0) * 0.1;
    const double rough = (high - low) / std::max(ticks, 1);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double digit = rough / power;
    const double step = power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    AxisRange range;
    range.step = step;
    range.low = std::floor(low / step + 1e-9) * step;
    range.high = std::ceil(high / step - 1e-9) * step;
    return range;
}

} // namespace kw
