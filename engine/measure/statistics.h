// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

// Order statistics and intervals. Pure functions; the same seed gives the same interval.
namespace kw {

/// NaN for no values. Even counts: mean of the two in the middle.
double median(std::vector<double> values);
/// Linear interpolation between order statistics (Hyndman & Fan type 7); probability in [0, 1]. NaN for no values.
double quantile(std::vector<double> values, double probability);
double mean(std::span<const double> values);
/// With n - 1 in the denominator; 0 for fewer than two values.
double deviation(std::span<const double> values);
/// Median absolute deviation from the median, times 1.4826: equals the deviation for normal values.
double robustDeviation(const std::vector<double>& values);

struct Interval {
    double low = 0, centre = 0, high = 0;
    friend bool operator==(const Interval&, const Interval&) = default;
};

/// Percentile bootstrap of the median with the values as units (Efron & Tibshirani 1993, chapter 13).
Interval bootstrapMedian(const std::vector<double>& units, double confidence, std::uint64_t seed, int resamples = 2000);

/// P(T <= t) for Student's distribution, and its inverse for probability in (0, 1).
double studentProbability(double t, double freedom);
double studentQuantile(double probability, double freedom);

/// Mean -+ t x standard error.
Interval studentInterval(std::span<const double> units, double confidence);

/// The interval that decisions use: the hull of the bootstrap of the median and Student's interval.
///
/// Neither alone is enough for few units. The bootstrap of a median can never leave the range of its units, and that range
/// covers the true median with probability 1 - 2^(1-n) only (94 % for five): it cannot carry the small error
/// probabilities of a session with many confirmations. Student's interval can, but for skewed or multi-modal units its
/// centre is not the median. The hull covers whatever either covers. One unit: an unbounded interval.
Interval medianInterval(const std::vector<double>& units, double confidence, std::uint64_t seed);

} // namespace kw
