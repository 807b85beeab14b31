// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/condition.h"

#include "worker/verify/inputs.h"

#include "graph/builder.h"
#include "support/kernel_problems.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kw {
namespace {

/// y = x; the noisy computation is off by a constant when the decomposition has the operator wrong.
class Copy final : public Reference {
public:
    explicit Copy(double offset) : m_offset(offset) {}

    Result<std::vector<HostTensor>> run(const Problem&, const std::vector<std::int64_t>&, const std::vector<HostTensor>& inputs,
        Precision) override
    {
        return moved(inputs, 0);
    }
    Result<std::vector<HostTensor>> runNoisy(const Problem&, const std::vector<std::int64_t>&, const std::vector<HostTensor>& inputs,
        std::uint64_t) override
    {
        return moved(inputs, m_offset);
    }

private:
    static std::vector<HostTensor> moved(const std::vector<HostTensor>& inputs, double offset)
    {
        const TensorType& type = inputs[0].type;
        HostTensor output(TensorType{DType::Double, type.shape, contiguousStrides(type.shape)});
        const auto places = elementOffsets(type);
        for (std::size_t i = 0; i < places.size(); ++i)
            setElement(output.storage.data(), DType::Double, static_cast<std::int64_t>(i),
                elementAt(inputs[0].storage.data(), type.dtype, places[i]) + offset);
        return {output};
    }

    double m_offset;
};

double largestCondition(double offset)
{
    const Problem problem = test::softmaxProblem();
    const auto dimensions = capturedDimensions(problem);
    const auto inputs = makeInputs(problem, dimensions, Pattern::Fresh, 1);
    Copy reference(offset);
    Expected expected;
    expected.precise = reference.run(problem, dimensions, inputs, Precision::Double).value();
    const Condition condition = conditionOf(problem, dimensions, inputs, expected, reference, 2);
    EXPECT_EQ(condition.size(), 1U);
    return *std::max_element(condition.at(0).begin(), condition.at(0).end());
}

TEST(Condition, IsTheMoveOfTheInputs)
{
    // Inputs move by at most 4 ulp, and none of them is larger than 64 = 2^6: 3 x 4 x 2^-17.
    EXPECT_GT(largestCondition(0), 0);
    EXPECT_LE(largestCondition(0), 12 * 0x1p-17);
}

TEST(Condition, ADecompositionThatIsAnotherFunctionGrantsNothing)
{
    EXPECT_LE(largestCondition(0.5), 12 * 0x1p-17);
}

} // namespace
} // namespace kw
