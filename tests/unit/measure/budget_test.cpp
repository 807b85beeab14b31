// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/budget.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace kw {
namespace {

TEST(Budget, UlpIsTheSpacingOfTheType)
{
    for (const double value : {1.0, 1.5, 3.0, 1e-3, 123456.0, 1e-40, 3.4e38}) {
        const auto single = static_cast<float>(value);
        EXPECT_DOUBLE_EQ(ulpAt(single, DType::Float), double{std::nextafter(single, std::numeric_limits<float>::infinity())} - double{single} > 0
            && std::isfinite(std::nextafter(single, std::numeric_limits<float>::infinity())) ? double{std::nextafter(single, std::numeric_limits<float>::infinity())} - double{single} : std::ldexp(1.0, 104));
    }
    EXPECT_DOUBLE_EQ(ulpAt(0, DType::Float), double{std::numeric_limits<float>::denorm_min()});
    EXPECT_DOUBLE_EQ(ulpAt(1, DType::Half), 1.0 / 1024);
    EXPECT_DOUBLE_EQ(ulpAt(1, DType::BFloat16), 1.0 / 128);
    EXPECT_DOUBLE_EQ(ulpAt(1, DType::Double), std::numeric_limits<double>::epsilon());
    EXPECT_DOUBLE_EQ(ulpAt(5, DType::Int32), 1);
    EXPECT_DOUBLE_EQ(largestFinite(DType::Float), double{std::numeric_limits<float>::max()});
    EXPECT_DOUBLE_EQ(largestFinite(DType::Half), 65504);
    EXPECT_DOUBLE_EQ(largestFinite(DType::Double), std::numeric_limits<double>::max());
}

TEST(Budget, ScaleTakesTheLargerOfLargestAndThreeTimesRms)
{
    // One error of 1 among four: RMS 0.5, three times 1.5.
    const ErrorScale scale = errorScale(std::vector<double>{10, 10, 10, 10}, std::vector<double>{11, 10, 10, 10});
    EXPECT_DOUBLE_EQ(scale.rms, 0.5);
    EXPECT_DOUBLE_EQ(scale.absolute, 1.5);
    EXPECT_DOUBLE_EQ(scale.relative, 0.15);
}

TEST(Budget, NonFiniteElementsDoNotCount)
{
    const double inf = std::numeric_limits<double>::infinity();
    const ErrorScale scale = errorScale(std::vector<double>{inf, 1, 2}, std::vector<double>{inf, 1, inf});
    EXPECT_DOUBLE_EQ(scale.absolute, 0);
}

TEST(Budget, SmallElementsCannotHideBehindLargeOnes)
{
    // The library errs by 1e-7 of each element: at 1e-6 a thousandth of the large elements' error is far too much.
    const ErrorScale scale = errorScale(std::vector<double>{1000, 1e-6}, std::vector<double>{1000 * (1 + 1e-7), 1e-6 * (1 + 1e-7)});
    EXPECT_LT(allowedError(scale, 1e-6, Spacing(DType::Float), {}), 1e-11);
    EXPECT_GT(allowedError(scale, 1000, Spacing(DType::Float), {}), 1e-4);
}

TEST(Budget, CancellationLetsTheAbsoluteScaleDecide)
{
    // A reference that cancels to zero: no relative scale covers it.
    const ErrorScale scale = errorScale(std::vector<double>{1, 0}, std::vector<double>{1 + 1e-7, 1e-7});
    EXPECT_NEAR(allowedError(scale, 0, Spacing(DType::Float), {}), 4 * 3e-7, 1e-8);
}

TEST(Budget, FloorInUlpsWhereTheLibraryIsExact)
{
    const ErrorScale exact;
    EXPECT_DOUBLE_EQ(allowedError(exact, 1, Spacing(DType::Float), {}), 16 * ulpAt(1, DType::Float));
    EXPECT_DOUBLE_EQ(allowedError(exact, 1, Spacing(DType::Bool), {}), 0);
}

/// Largest error in ulp of a serial float sum of n terms, relative to the sum, over several draws.
template <typename Draw> double serialError(int n, Draw draw)
{
    double worst = 0;
    for (int round = 0; round < 50; ++round) {
        float sum = 0;
        double exact = 0;
        for (int i = 0; i < n; ++i) {
            const auto term = static_cast<float>(draw());
            sum += term;
            exact += static_cast<double>(term);
        }
        worst = std::max(worst, std::abs(static_cast<double>(sum) - exact) / ulpAt(exact, DType::Float));
    }
    return worst;
}

TEST(Budget, HonestSummationOrderIsGrantedAndADroppedTermIsNot)
{
    std::mt19937_64 random(5);
    const auto spread = [&] { return std::exponential_distribution<double>(1)(random); };
    const auto nearlyEqual = [&] { return 1 - 1e-6 * std::uniform_real_distribution<double>(0, 1)(random); };
    for (const int n : {2, 50, 160, 1000, 4096, 20000}) {
        const double floor = budgetForTerms({}, n).floorUlps;
        EXPECT_LE(serialError(n, spread), floor) << n;
        if (n <= 1000) {
            EXPECT_LE(serialError(n, nearlyEqual), floor) << n;
        }
        EXPECT_LT(floor, std::ldexp(1.0, 23) / n) << n; // what one average term weighs
        EXPECT_LT(floor, 4096) << n;                    // what half precision loses
    }
    EXPECT_DOUBLE_EQ(budgetForTerms({}, 1).floorUlps, 16);
}

/// Share of rows of 64 in which a kernel with `spread` times the library's error deviation exceeds the budget.
double refusals(double spread, int rows)
{
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal(0, 1e-5); // far above the floor, so that k decides
    int refused = 0;
    for (int row = 0; row < rows; ++row) {
        const std::vector<double> reference(64, 1.0);
        std::vector<double> library;
        for (int i = 0; i < 64; ++i)
            library.push_back(1 + normal(random));
        const ErrorScale scale = errorScale(reference, library);
        bool bad = false;
        for (int i = 0; i < 64; ++i)
            bad = bad || std::abs(spread * normal(random)) > allowedError(scale, 1, Spacing(DType::Float), {});
        refused += bad;
    }
    return static_cast<double>(refused) / rows;
}

TEST(Budget, DerivationHoldsForHonestKernelsAndNotForDowngrades)
{
    EXPECT_EQ(refusals(1, 20000), 0);
    EXPECT_LE(refusals(2, 20000), 1e-4);   // derived: 1e-7
    EXPECT_GE(refusals(40, 2000), 0.999);  // far outside
}

} // namespace
} // namespace kw
