// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/compare_outputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace kw {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

HostTensor tensorOf(DType dtype, const std::vector<double>& values, std::vector<std::int64_t> shape)
{
    HostTensor tensor(TensorType{dtype, shape, contiguousStrides(shape)});
    for (std::size_t i = 0; i < values.size(); ++i)
        setElement(tensor.storage.data(), dtype, static_cast<std::int64_t>(i), values[i]);
    return tensor;
}

OutputResult judged(const std::vector<double>& actual, const std::vector<double>& library, const std::vector<double>& precise,
    const Condition* condition = nullptr, DType dtype = DType::Float)
{
    const std::vector<std::int64_t> shape{1, static_cast<std::int64_t>(actual.size())};
    Expected expected;
    expected.library = {tensorOf(dtype, library, shape)};
    expected.precise = {tensorOf(isFloating(dtype) ? DType::Double : dtype, precise, shape)};
    const HostTensor left = tensorOf(dtype, actual, shape);
    ActualOutput output;
    output.name = "y";
    output.type = left.type;
    output.storage = left.storage.data();
    return compareOutput(output, 0, expected, ErrorBudget{}, nullptr, [=] { return condition; });
}

/// 64 random values, the library's rounding of them, and its largest error.
struct Row {
    std::vector<double> precise, library;
    double scale = 0;
};
Row randomRow(double libraryError)
{
    std::mt19937_64 random(1);
    Row row;
    for (int i = 0; i < 64; ++i) {
        row.precise.push_back(1 + std::uniform_real_distribution<double>(0, 1)(random));
        row.library.push_back(static_cast<double>(static_cast<float>(row.precise.back() + libraryError * std::normal_distribution<double>()(random))));
    }
    row.scale = errorScale(row.precise, row.library).absolute;
    return row;
}

TEST(CompareOutputs, HalfTwiceAndTenTimesTheBudget)
{
    // Issue 4: plants at 0.5, 2 and 10 times the budget, here far above the floor.
    const Row row = randomRow(1e-4);
    const double budget = 4 * row.scale;
    for (const auto& [share, passes] : {std::pair{0.5, true}, std::pair{2.0, false}, std::pair{10.0, false}}) {
        std::vector<double> actual = row.precise;
        actual[17] += share * budget;
        const OutputResult result = judged(actual, row.library, row.precise);
        EXPECT_EQ(result.passed, passes) << share;
        ASSERT_TRUE(result.worst);
        EXPECT_EQ(result.worst->index, (std::vector<std::int64_t>{0, 17}));
        // The limit may be the relative one: at most the absolute budget.
        EXPECT_GE(result.budgetUsed, share * 0.99);
        EXPECT_LE(result.budgetUsed, share * 2.5);
    }
}

TEST(CompareOutputs, FloorOfSixteenUlpsWhereTheLibraryIsExact)
{
    std::vector<double> precise(64, 1.0);
    for (const auto& [ulps, passes] : {std::pair{15.0, true}, std::pair{17.0, false}}) {
        std::vector<double> actual = precise;
        actual[3] += ulps * std::ldexp(1.0, -23);
        EXPECT_EQ(judged(actual, precise, precise).passed, passes) << ulps;
    }
}

TEST(CompareOutputs, ShiftOfAllElementsIsCaughtByRms)
{
    const Row row = randomRow(1e-4);
    const double rms = errorScale(row.precise, row.library).rms;
    std::vector<double> actual = row.precise;
    for (double& value : actual)
        value += 5 * rms; // below the limit of each element (12 rms), above that of the RMS (4 rms)
    const OutputResult result = judged(actual, row.library, row.precise);
    EXPECT_FALSE(result.passed);
    EXPECT_EQ(result.reason.id, "verify.wrong_rms");
}

TEST(CompareOutputs, NonFiniteByPosition)
{
    const std::vector<double> precise{1, nan, infinite, -infinite};
    EXPECT_TRUE(judged({1, nan, infinite, -infinite}, precise, precise).passed);
    for (const std::vector<double>& wrong : {std::vector<double>{nan, nan, infinite, -infinite}, {1, 0, infinite, -infinite}, {1, nan, -infinite, -infinite},
             {1, nan, nan, -infinite}, {1, infinite, infinite, -infinite}, {1, nan, 3e38, -infinite}}) {
        const OutputResult result = judged(wrong, precise, precise);
        EXPECT_FALSE(result.passed);
        EXPECT_EQ(result.failure, FailureKind::NonFinite);
    }
}

TEST(CompareOutputs, WhereTheLibraryOverflowsBothItsInfinityAndTheTruthPass)
{
    const std::vector<double> precise{1, 2, 3}, library{1, infinite, 3};
    EXPECT_TRUE(judged({1, infinite, 3}, library, precise).passed);
    EXPECT_TRUE(judged({1, 2, 3}, library, precise).passed);
    EXPECT_FALSE(judged({1, nan, 3}, library, precise).passed);
    EXPECT_FALSE(judged({1, -infinite, 3}, library, precise).passed);
    EXPECT_TRUE(judged({1, infinite, 3}, {1, nan, 3}, precise).passed); // Inf - x^2 fused, where the library has Inf - Inf
    EXPECT_FALSE(judged({1, 5, 3}, library, precise).passed);
}

TEST(CompareOutputs, BeyondTheTypesRangeMeansInfinity)
{
    EXPECT_TRUE(judged({infinite}, {infinite}, {1e60}).passed);
    EXPECT_FALSE(judged({3.4e38}, {infinite}, {1e60}).passed);
}

TEST(CompareOutputs, ConditionOfTheProblemExcusesOnlyWhatItExplains)
{
    const std::vector<double> precise(64, 1.0);
    std::vector<double> actual = precise;
    actual[5] += 1e-4;
    EXPECT_FALSE(judged(actual, precise, precise).passed);
    Condition condition{std::vector<double>(64, 0.0)};
    condition[0][5] = 2e-4;
    const OutputResult excused = judged(actual, precise, precise, &condition);
    EXPECT_TRUE(excused.passed);
    EXPECT_TRUE(excused.usedCondition);
    condition[0][5] = 0.5e-4;
    EXPECT_FALSE(judged(actual, precise, precise, &condition).passed);
}

TEST(CompareOutputs, BooleansEqualLibraryOrTruthOrTheirTie)
{
    const std::vector<double> library{1, 0, 1}, precise{1, 1, 1};
    EXPECT_TRUE(judged({1, 0, 1}, library, precise, nullptr, DType::Bool).passed);
    EXPECT_TRUE(judged({1, 1, 1}, library, precise, nullptr, DType::Bool).passed);
    EXPECT_FALSE(judged({0, 1, 1}, library, precise, nullptr, DType::Bool).passed);
    const Condition tie{{1, 0, 0}};
    EXPECT_TRUE(judged({0, 1, 1}, library, precise, &tie, DType::Bool).passed);
    EXPECT_FALSE(judged({1, 1, 0}, library, precise, &tie, DType::Bool).passed);
}

TEST(CompareOutputs, UnwrittenElementsAndGapsAreNamed)
{
    // Strides (4, 1) over a 2 x 3 output: one gap element.
    Expected expected;
    expected.library = {tensorOf(DType::Float, {1, 2, 3, 4, 5, 6}, {2, 3})};
    expected.precise = {tensorOf(DType::Double, {1, 2, 3, 4, 5, 6}, {2, 3})};
    const float poison = 3.3e38f;
    std::vector<float> before(7, poison), storage{1, 2, 3, poison, 4, 5, 6};
    ActualOutput output{"y", TensorType{DType::Float, {2, 3}, {4, 1}}, nullptr, reinterpret_cast<const std::byte*>(before.data())};
    output.storage = reinterpret_cast<const std::byte*>(storage.data());
    EXPECT_TRUE(compareOutput(output, 0, expected, {}, nullptr, nullptr).passed);
    storage[3] = 0;
    EXPECT_EQ(compareOutput(output, 0, expected, {}, nullptr, nullptr).failure, FailureKind::GuardViolated);
    storage[3] = poison;
    storage[5] = poison;
    EXPECT_EQ(compareOutput(output, 0, expected, {}, nullptr, nullptr).failure, FailureKind::NotWritten);
}

TEST(CompareOutputs, ReportsKernelBenchToleranceBesideTheVerdict)
{
    const std::vector<double> precise(64, 1.0);
    std::vector<double> actual = precise;
    actual[0] += 5e-5; // within 1e-4 + 1e-4, far beyond 16 ulp
    const OutputResult result = judged(actual, precise, precise);
    EXPECT_FALSE(result.passed);
    EXPECT_TRUE(result.withinKernelBenchTolerance);
}

TEST(CompareOutputs, EmptyOutputsPass)
{
    EXPECT_TRUE(judged({}, {}, {}).passed);
}

} // namespace
} // namespace kw
