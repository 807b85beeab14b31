// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/model_compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kw {
namespace {

HostTensor tensor(const std::vector<double>& numbers, DType dtype = DType::Float)
{
    HostTensor host(TensorType{dtype, {static_cast<std::int64_t>(numbers.size())}, {1}});
    for (std::size_t index = 0; index < numbers.size(); ++index)
        setElement(host.storage.data(), dtype, static_cast<std::int64_t>(index), numbers[index]);
    return host;
}

const ErrorBudget budget{4, 16};
const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

TEST(CompareOutput, AllowsAMultipleOfTheLibrarysOwnError)
{
    // The library is 0.125 off, so 4 x 0.125 = 0.5 is allowed.
    const auto library = tensor({1, 2.125}), exact = tensor({1, 2}, DType::Double);
    EXPECT_TRUE(compareOutput("y", library, exact, tensor({1, 2.5}), budget).passed);
    EXPECT_FALSE(compareOutput("y", library, exact, tensor({1, 2.5625}), budget).passed);
    EXPECT_EQ(compareOutput("y", library, exact, tensor({1, 2.5}), budget).allowedError, 0.5);
}

TEST(CompareOutput, HasAFloorInUnitsOfTheLastPlace)
{
    const auto library = tensor({1024}), exact = tensor({1024}, DType::Double);
    const double ulp = std::ldexp(1.0, -13); // of 1024 in fp32
    EXPECT_TRUE(compareOutput("y", library, exact, tensor({1024 + 16 * ulp}), budget).passed);
    EXPECT_FALSE(compareOutput("y", library, exact, tensor({1024 + 17 * ulp}), budget).passed);
}

TEST(CompareOutput, NonFiniteValuesMustStandInTheSamePlaces)
{
    const auto library = tensor({nan, inf, 1}), exact = tensor({nan, inf, 1}, DType::Double);
    EXPECT_TRUE(compareOutput("y", library, exact, tensor({nan, inf, 1}), budget).passed);
    EXPECT_FALSE(compareOutput("y", library, exact, tensor({0, inf, 1}), budget).passed);
    EXPECT_FALSE(compareOutput("y", library, exact, tensor({nan, -inf, 1}), budget).passed);
    EXPECT_FALSE(compareOutput("y", library, exact, tensor({nan, inf, nan}), budget).passed);
}

TEST(CompareOutput, WhereOnlyTheLibraryOverflowsBothAreRight)
{
    const auto library = tensor({inf}), exact = tensor({1e39}, DType::Double);
    EXPECT_TRUE(compareOutput("y", library, exact, tensor({inf}), budget).sameNonFinite);
    EXPECT_TRUE(compareOutput("y", library, exact, tensor({3e38}), budget).sameNonFinite);
}

TEST(CompareOutput, IntegersAndTypesMustBeEqual)
{
    const auto library = tensor({1, 2}, DType::Int64);
    EXPECT_TRUE(compareOutput("y", library, library, tensor({1, 2}, DType::Int64), budget).passed);
    EXPECT_FALSE(compareOutput("y", library, library, tensor({1, 3}, DType::Int64), budget).passed);
    EXPECT_FALSE(compareOutput("y", library, library, tensor({1, 2}, DType::Int32), budget).sameType);
    EXPECT_FALSE(compareOutput("y", library, library, std::nullopt, budget).passed);
}

TEST(CompareOutput, CountsEqualChoicesAmongTokens)
{
    std::vector<double> row(1000, 0);
    row[7] = 1;
    const auto library = tensor(row), exact = tensor(row, DType::Double);
    EXPECT_EQ(compareOutput("y", library, exact, library, budget).top1, 1);
    row[8] = 2;
    EXPECT_EQ(compareOutput("y", library, exact, tensor(row), budget).top1, 0);
    EXPECT_EQ(compareOutput("y", tensor({1}), tensor({1}, DType::Double), tensor({1}), budget).top1, -1);
}

} // namespace
} // namespace kw
