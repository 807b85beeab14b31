// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/condition.h"

#include "worker/verify/inputs.h"

#include "graph/builder.h"
#include "support/kernel_problems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace kw {
namespace {

/// y = x; the whole noisy computation is off by `offset` when the decomposition has the operator wrong, and what is made of
/// noise alone is `noisy` times the first element.
class Copy final : public Reference {
public:
    explicit Copy(double offset, double noisy = 1, double still = 1) : m_offset(offset), m_noisy(noisy), m_still(still) {}

    Result<std::vector<HostTensor>> run(const Problem&, const std::vector<std::int64_t>&, const std::vector<HostTensor>& inputs,
        Precision) override
    {
        return moved(inputs, 0, m_still);
    }
    Result<std::vector<HostTensor>> runNoisy(const Problem&, const std::vector<std::int64_t>&, const std::vector<HostTensor>& inputs,
        std::uint64_t seed) override
    {
        return moved(inputs, m_offset, seed == 0 ? m_still : m_noisy);
    }

private:
    static std::vector<HostTensor> moved(const std::vector<HostTensor>& inputs, double offset, double first)
    {
        const TensorType& type = inputs[0].type;
        HostTensor output(TensorType{DType::Double, type.shape, contiguousStrides(type.shape)});
        const auto places = elementOffsets(type);
        for (std::size_t i = 0; i < places.size(); ++i)
            setElement(output.storage.data(), DType::Double, static_cast<std::int64_t>(i),
                elementAt(inputs[0].storage.data(), type.dtype, places[i]) + offset);
        setElement(output.storage.data(), DType::Double, 0, first * elementAt(output.storage.data(), DType::Double, 0));
        return {output};
    }

    double m_offset, m_noisy, m_still;
};

double largestCondition(Copy reference)
{
    const Problem problem = test::softmaxProblem();
    const auto dimensions = capturedDimensions(problem);
    const auto inputs = makeInputs(problem, dimensions, Pattern::Fresh, 1);
    Expected expected;
    expected.precise = reference.run(problem, dimensions, inputs, Precision::Double).value();
    const Condition condition = conditionOf(problem, dimensions, inputs, expected, reference, 2);
    EXPECT_EQ(condition.size(), 1U);
    return *std::max_element(condition.at(0).begin(), condition.at(0).end());
}

// Inputs move by at most 4 ulp, and none of them is larger than 64 = 2^6: 3 x 4 x 2^-17.
constexpr double mostMove = 12 * 0x1p-17;

TEST(Condition, IsTheMoveOfTheInputs)
{
    EXPECT_GT(largestCondition(Copy(0)), 0);
    EXPECT_LE(largestCondition(Copy(0)), mostMove);
}

TEST(Condition, ADecompositionThatIsAnotherFunctionGrantsNothing)
{
    EXPECT_LE(largestCondition(Copy(0.5)), mostMove);
}

TEST(Condition, WhatNoiseTurnsIntoAnotherKindOfNonFiniteIsAnybodysGuess)
{
    EXPECT_EQ(largestCondition(Copy(0, HUGE_VAL)), HUGE_VAL) << "becomes infinite";
    EXPECT_EQ(largestCondition(Copy(0, 1, HUGE_VAL)), HUGE_VAL) << "becomes finite";
    EXPECT_EQ(largestCondition(Copy(0, -HUGE_VAL, HUGE_VAL)), HUGE_VAL) << "changes its sign";
    EXPECT_EQ(largestCondition(Copy(0, NAN, HUGE_VAL)), HUGE_VAL);
    EXPECT_LE(largestCondition(Copy(0, HUGE_VAL, HUGE_VAL)), mostMove) << "stays as it is";
    EXPECT_LE(largestCondition(Copy(0, NAN, NAN)), mostMove);
}

} // namespace
} // namespace kw
