// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/inputs.h"

#include "support/kernel_problems.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace kw {
namespace {

std::vector<double> valuesOf(const HostTensor& tensor)
{
    std::vector<double> values;
    for (const std::int64_t offset : elementOffsets(tensor.type))
        values.push_back(elementAt(tensor.storage.data(), tensor.type.dtype, offset));
    return values;
}

TEST(Inputs, SameSeedSameValuesOtherSeedOthers)
{
    const Problem problem = test::rmsNormProblem();
    const auto first = makeInputs(problem, {5, 7}, Pattern::Fresh, 3);
    EXPECT_EQ(first, makeInputs(problem, {5, 7}, Pattern::Fresh, 3));
    EXPECT_NE(first, makeInputs(problem, {5, 7}, Pattern::Fresh, 4));
}

TEST(Inputs, ConstantWeightsOfTheModelStillVary)
{
    // Captured weight: exactly one everywhere. A kernel that skips it must be seen.
    const auto inputs = makeInputs(test::rmsNormProblem(), {4, 64}, Pattern::Fresh, 3);
    const auto weights = valuesOf(inputs[1]);
    EXPECT_GT(std::set<double>(weights.begin(), weights.end()).size(), 60u);
}

TEST(Inputs, HardBoundsHoldInEveryPattern)
{
    Problem problem = test::softmaxProblem();
    problem.inputs[0].domain = {DomainKind::Uniform, 0, 1, 0.5, 0.3, true};
    for (int pattern = 0; pattern <= static_cast<int>(Pattern::Patchwork); ++pattern)
        for (const double value : valuesOf(makeInputs(problem, {9, 33}, static_cast<Pattern>(pattern), 5)[0])) {
            EXPECT_GE(value, 0) << nameOf(static_cast<Pattern>(pattern));
            EXPECT_LE(value, 1) << nameOf(static_cast<Pattern>(pattern));
        }
}

TEST(Inputs, PatternsAreWhatTheirNamesSay)
{
    const Problem problem = test::softmaxProblem();
    const auto make = [&](Pattern pattern) { return valuesOf(makeInputs(problem, {16, 32}, pattern, 9)[0]); };
    for (const double value : make(Pattern::Zeros))
        EXPECT_EQ(value, 0);
    for (const double value : make(Pattern::Denormal))
        EXPECT_LT(std::abs(value), double{std::numeric_limits<float>::min()});
    int infinite = 0, nan = 0;
    for (const double value : make(Pattern::Infinite))
        infinite += std::isinf(value);
    for (const double value : make(Pattern::NotANumber))
        nan += std::isnan(value);
    EXPECT_GE(infinite, 1);
    EXPECT_LE(infinite, 8);
    EXPECT_GE(nan, 1);
    const auto rows = make(Pattern::ConstantRows);
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i], rows[i / 32 * 32]);
    EXPECT_NE(rows[0], rows[32]);
    double largest = 0;
    for (const double value : make(Pattern::Huge))
        largest = std::max(largest, std::abs(value));
    EXPECT_GT(largest * largest, double{std::numeric_limits<float>::max()});
}

TEST(Inputs, NudgesStayWithinAFewUlps)
{
    const Problem problem = test::softmaxProblem();
    const auto inputs = makeInputs(problem, {8, 32}, Pattern::Fresh, 9);
    const auto moved = valuesOf(nudged(problem, inputs, 4, 1)[0]);
    const auto before = valuesOf(inputs[0]);
    int changed = 0;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        EXPECT_LE(std::abs(moved[i] - before[i]), 4.001 * std::ldexp(1.0, std::ilogb(before[i]) - 23));
        changed += moved[i] != before[i];
    }
    EXPECT_GT(changed, 150);
}

TEST(HostTensor, StridesAndBroadcasts)
{
    const TensorType type{DType::Float, {2, 3}, {1, 4}};
    EXPECT_EQ(storageBytes(type), (1 + 2 * 4 + 1) * 4);
    EXPECT_EQ(elementOffsets(type), (std::vector<std::int64_t>{0, 4, 8, 1, 5, 9}));
    EXPECT_EQ(storageBytes({DType::Float, {5, 3}, {0, 1}}), 12);
    EXPECT_EQ(storageBytes({DType::Float, {0, 3}, {3, 1}}), 0);
    EXPECT_EQ(elementOffsets({DType::Float, {}, {}}), std::vector<std::int64_t>{0});
    EXPECT_EQ(indexOf({2, 3}, 5), (std::vector<std::int64_t>{1, 2}));
}

TEST(HostTensor, NumbersOfEveryKind)
{
    std::byte storage[8] = {};
    for (const DType dtype : {DType::Float, DType::Double, DType::Int64, DType::Int32, DType::Int16, DType::Int8, DType::UInt8}) {
        setElement(storage, dtype, 0, 7);
        EXPECT_EQ(elementAt(storage, dtype, 0), 7);
    }
    setElement(storage, DType::Int8, 0, 1e9);
    EXPECT_EQ(elementAt(storage, DType::Int8, 0), 127);
    setElement(storage, DType::Bool, 0, -3);
    EXPECT_EQ(elementAt(storage, DType::Bool, 0), 1);
    // 0x3C00 is one, 0x7BFF 65504, 0x0001 2^-24 in IEEE half precision.
    const std::uint16_t halves[] = {0x3C00, 0x7BFF, 0x0001, 0xFC00};
    const auto* bytes = reinterpret_cast<const std::byte*>(halves);
    EXPECT_EQ(elementAt(bytes, DType::Half, 0), 1);
    EXPECT_EQ(elementAt(bytes, DType::Half, 1), 65504);
    EXPECT_EQ(elementAt(bytes, DType::Half, 2), std::ldexp(1, -24));
    EXPECT_EQ(elementAt(bytes, DType::Half, 3), -INFINITY);
}

} // namespace
} // namespace kw
