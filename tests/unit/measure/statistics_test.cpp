// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace kw {
namespace {

TEST(Statistics, MedianAndQuantilesByDefinition)
{
    EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
    EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
    EXPECT_TRUE(std::isnan(median({})));
    // Type 7 of Hyndman & Fan: h = (n - 1) p; for 1..5 and p = 0.1: 1 + 0.4.
    EXPECT_DOUBLE_EQ(quantile({5, 4, 3, 2, 1}, 0.1), 1.4);
    EXPECT_DOUBLE_EQ(quantile({5, 4, 3, 2, 1}, 1), 5);
    EXPECT_DOUBLE_EQ(deviation(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9}), std::sqrt(32.0 / 7));
}

TEST(Statistics, StudentMatchesPublishedTables)
{
    // NIST/SEMATECH e-Handbook of Statistical Methods, table 1.3.6.7.2.
    EXPECT_NEAR(studentQuantile(0.975, 4), 2.776, 5e-4);
    EXPECT_NEAR(studentQuantile(0.975, 9), 2.262, 5e-4);
    EXPECT_NEAR(studentQuantile(0.95, 1), 6.314, 5e-4);
    EXPECT_NEAR(studentQuantile(0.999, 29), 3.396, 5e-4);
    EXPECT_NEAR(studentQuantile(0.025, 4), -2.776, 5e-4);
    // One degree of freedom is the Cauchy distribution: P(T <= 1) = 3/4.
    EXPECT_NEAR(studentProbability(1, 1), 0.75, 1e-12);
    // Far tails, which alpha spending needs: for one degree P(T <= t) = 1/2 + atan(t) / pi.
    EXPECT_NEAR(studentQuantile(1e-6, 1) / (-1 / std::tan(1e-6 * M_PI)), 1, 1e-6);
}

TEST(Statistics, BootstrapIsRepeatableAndInsideTheUnits)
{
    const std::vector<double> units{0.1, 0.3, 0.2, 0.5, 0.4};
    const Interval first = bootstrapMedian(units, 0.95, 7);
    EXPECT_EQ(first, bootstrapMedian(units, 0.95, 7));
    EXPECT_GE(first.low, 0.1);
    EXPECT_LE(first.high, 0.5);
    EXPECT_DOUBLE_EQ(first.centre, 0.3);
}

TEST(Statistics, OneUnitSaysNothing)
{
    const Interval interval = medianInterval({0.2}, 0.95, 1);
    EXPECT_TRUE(std::isinf(interval.low) && std::isinf(interval.high));
}

/// Share of 2,000 draws whose interval covers the true median.
template <typename Draw> double coverage(int units, double confidence, Draw draw)
{
    std::mt19937_64 random(42);
    int covered = 0;
    constexpr int rounds = 2000;
    for (int round = 0; round < rounds; ++round) {
        std::vector<double> values;
        for (int i = 0; i < units; ++i)
            values.push_back(draw(random));
        const Interval interval = medianInterval(values, confidence, static_cast<std::uint64_t>(round));
        covered += interval.low <= 0 && 0 <= interval.high;
    }
    return static_cast<double>(covered) / rounds;
}

TEST(Statistics, IntervalsCoverUnderNormalAndHeavyTails)
{
    const auto normal = [](auto& random) { return std::normal_distribution<double>(0, 1)(random); };
    const auto heavy = [](auto& random) { return std::student_t_distribution<double>(2)(random); };
    for (const int units : {5, 10, 30}) {
        // Three standard errors of a share of 2,000 are 1.5 %.
        EXPECT_GE(coverage(units, 0.95, normal), 0.935) << units;
        EXPECT_GE(coverage(units, 0.95, heavy), 0.935) << units;
    }
}

} // namespace
} // namespace kw
