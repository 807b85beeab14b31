// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/comparison.h"

#include "measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kw {
namespace {

std::vector<double> accepted(const std::vector<Sample>& samples)
{
    std::vector<double> times;
    for (const Sample& sample : samples)
        if (!sample.rejected && sample.seconds > 0)
            times.push_back(sample.seconds);
    return times;
}

/// Ratios of neighbouring blocks; of the sides' medians when rejected samples left no neighbours.
double pairLogRatio(const PairBlock& pair)
{
    std::vector<double> ratios;
    for (std::size_t block = 0; block < std::min(pair.a.size(), pair.b.size()); ++block) {
        const Sample& a = pair.a[block];
        const Sample& b = pair.b[block];
        if (!a.rejected && !b.rejected && a.seconds > 0 && b.seconds > 0)
            ratios.push_back(std::log(a.seconds / b.seconds));
    }
    if (ratios.size() >= 2 || (ratios.size() == 1 && pair.a.size() == 1))
        return median(std::move(ratios));
    return std::log(median(accepted(pair.a)) / median(accepted(pair.b)));
}

} // namespace

std::vector<double> pairLogRatios(const std::vector<PairBlock>& pairs)
{
    std::vector<double> ratios;
    for (const PairBlock& pair : pairs) {
        if (pair.disturbed)
            continue;
        const double ratio = pairLogRatio(pair);
        if (std::isfinite(ratio))
            ratios.push_back(ratio);
    }
    return ratios;
}

Comparison outcomeOf(double low, double high, double margin)
{
    if (low > 1 + margin)
        return Comparison::Faster;
    if (high < 1 - margin)
        return Comparison::Slower;
    if (low >= 1 - margin && high <= 1 + margin)
        return Comparison::Same;
    return Comparison::Unsure;
}

Measurement compare(std::vector<PairBlock> pairs, const ComparisonOptions& options)
{
    Measurement result;
    result.confidence = options.confidence;
    result.margin = options.margin;
    std::vector<double> a, b;
    for (const PairBlock& pair : pairs) {
        for (const std::vector<Sample>* side : {&pair.a, &pair.b})
            result.rejectedSamples += static_cast<std::int32_t>(
                std::count_if(side->begin(), side->end(), [](const Sample& sample) { return sample.rejected; }));
        if (pair.disturbed)
            continue;
        a.push_back(median(accepted(pair.a)));
        b.push_back(median(accepted(pair.b)));
    }
    const std::vector<double> ratios = pairLogRatios(pairs);
    result.pairs = std::move(pairs);
    if (ratios.empty()) {
        result.high = std::numeric_limits<double>::infinity();
        return result;
    }
    result.secondsA = median(std::move(a));
    result.secondsB = median(std::move(b));
    const Interval interval = medianInterval(ratios, options.confidence, options.seed);
    result.ratio = std::exp(interval.centre);
    result.low = std::exp(interval.low);
    result.high = std::exp(interval.high);
    result.outcome = outcomeOf(result.low, result.high, options.margin);
    return result;
}

bool screenedOut(const std::vector<PairBlock>& pairs, double margin, double processSpread)
{
    const std::vector<double> ratios = pairLogRatios(pairs);
    if (ratios.empty())
        return false;
    return median(ratios) + std::log1p(processSpread) < std::log1p(margin);
}

} // namespace kw
