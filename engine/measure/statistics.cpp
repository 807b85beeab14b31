// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace kw {

double median(std::vector<double> values)
{
    return quantile(std::move(values), 0.5);
}

double quantile(std::vector<double> values, double probability)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const double place = std::clamp(probability, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(values.begin(), middle, values.end());
    const double low = *middle;
    const double part = place - static_cast<double>(below);
    if (part <= 0 || below + 1 >= values.size())
        return low;
    return low + part * (*std::min_element(middle + 1, values.end()) - low);
}

double mean(std::span<const double> values)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

double deviation(std::span<const double> values)
{
    if (values.size() < 2)
        return 0;
    const double centre = mean(values);
    double sum = 0;
    for (const double value : values)
        sum += (value - centre) * (value - centre);
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

double robustDeviation(const std::vector<double>& values)
{
    const double centre = median(values);
    std::vector<double> distances;
    distances.reserve(values.size());
    for (const double value : values)
        distances.push_back(std::abs(value - centre));
    return 1.4826 * median(std::move(distances));
}

Interval bootstrapMedian(const std::vector<double>& units, double confidence, std::uint64_t seed, int resamples)
{
    Interval interval;
    interval.centre = median(units);
    if (units.size() < 2) {
        interval.low = units.empty() ? interval.centre : -std::numeric_limits<double>::infinity();
        interval.high = units.empty() ? interval.centre : std::numeric_limits<double>::infinity();
        return interval;
    }
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<std::size_t> pick(0, units.size() - 1);
    std::vector<double> medians, draw(units.size());
    medians.reserve(static_cast<std::size_t>(resamples));
    for (int round = 0; round < resamples; ++round) {
        for (double& value : draw)
            value = units[pick(random)];
        medians.push_back(median(draw));
    }
    interval.low = quantile(medians, (1 - confidence) / 2);
    interval.high = quantile(medians, (1 + confidence) / 2);
    return interval;
}

namespace {

/// Continued fraction of the incomplete beta function (Lentz's method; Numerical Recipes 6.4).
double betaFraction(double a, double b, double x)
{
    constexpr double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (std::abs(d) < tiny ? tiny : d);
    double h = d;
    for (int m = 1; m <= 500; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (std::abs(d) < tiny ? tiny : d);
        c = std::abs(c) < tiny ? tiny : c;
        h *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (std::abs(d) < tiny ? tiny : d);
        c = std::abs(c) < tiny ? tiny : c;
        h *= d * c;
        if (std::abs(d * c - 1) < 1e-15)
            break;
    }
    return h;
}

double incompleteBeta(double a, double b, double x)
{
    if (x <= 0)
        return 0;
    if (x >= 1)
        return 1;
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * betaFraction(a, b, x) / a : 1 - front * betaFraction(b, a, 1 - x) / b;
}

} // namespace

double studentProbability(double t, double freedom)
{
    const double tail = 0.5 * incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t));
    return t > 0 ? 1 - tail : tail;
}

double studentQuantile(double probability, double freedom)
{
    if (probability > 0.5)
        return -studentQuantile(1 - probability, freedom);
    double low = -1, high = 0;
    while (studentProbability(low, freedom) > probability && low > -1e12)
        low *= 2;
    for (int step = 0; step < 200 && high - low > 1e-12 * std::abs(low); ++step) {
        const double middle = (low + high) / 2;
        (studentProbability(middle, freedom) > probability ? high : low) = middle;
    }
    return (low + high) / 2;
}

Interval studentInterval(std::span<const double> units, double confidence)
{
    Interval interval;
    interval.centre = mean(units);
    if (units.size() < 2) {
        interval.low = -std::numeric_limits<double>::infinity();
        interval.high = std::numeric_limits<double>::infinity();
        return interval;
    }
    const auto count = static_cast<double>(units.size());
    const double reach = -studentQuantile((1 - confidence) / 2, count - 1) * deviation(units) / std::sqrt(count);
    interval.low = interval.centre - reach;
    interval.high = interval.centre + reach;
    return interval;
}

Interval medianInterval(const std::vector<double>& units, double confidence, std::uint64_t seed)
{
    Interval interval = bootstrapMedian(units, confidence, seed);
    const Interval student = studentInterval(units, confidence);
    interval.low = std::min(interval.low, student.low);
    interval.high = std::max(interval.high, student.high);
    return interval;
}

} // namespace kw
