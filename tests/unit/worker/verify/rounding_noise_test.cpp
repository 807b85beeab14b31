// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/rounding_noise.h"

#include "graph/builder.h"

#include <gtest/gtest.h>

#include <ATen/ATen.h>

#include <cmath>

namespace kw {
namespace {

constexpr double ulpOfOne = 0x1p-23; ///< of fp32, by IEEE 754

/// One node over x: 64 x 4096 of fp32.
Graph oneNode(const char* target, std::vector<NamedArgument> arguments, std::vector<std::int64_t> shape)
{
    GraphBuilder builder("one");
    const ValueId x = builder.input("x", DType::Float, {64, 4096});
    arguments.insert(arguments.begin(), NamedArgument{"self", ValueRef{x}});
    builder.output(builder.call(target, std::move(arguments), DType::Float, std::move(shape)));
    return builder.take();
}

/// Largest and root-mean-square relative change of ones.
std::pair<double, double> changeOfOnes(const Graph& graph, std::vector<std::int64_t> shape, std::uint64_t seed = 1)
{
    RoundingNoise noise(graph);
    noise.start(seed);
    const at::Tensor change = noise.disturbed(0, at::ones(shape, at::kDouble)) - 1;
    return {change.abs().max().item<double>(), std::sqrt((change * change).mean().item<double>())};
}

TEST(RoundingNoise, PointwiseResultsMoveByFourUlpsUniformly)
{
    const auto [largest, rms] = changeOfOnes(oneNode("aten::exp", {}, {64, 4096}), {64, 4096});
    EXPECT_LE(largest, 4 * ulpOfOne);
    EXPECT_GT(largest, 3.9 * ulpOfOne);
    EXPECT_NEAR(rms, 4 * ulpOfOne / std::sqrt(3.0), 0.05 * ulpOfOne); // of a uniform distribution; rounding adds 0.02
}

TEST(RoundingNoise, SumsMoveByTheRootOfTheirTerms)
{
    const Graph sum = oneNode("aten::sum.dim_IntList", {{"dim", intList({1})}, {"keepdim", false}}, {64});
    const auto [largest, rms] = changeOfOnes(sum, {64});
    EXPECT_LE(largest, 64 * ulpOfOne); // sqrt(4096)
    EXPECT_GT(largest, 48 * ulpOfOne);
    EXPECT_GT(rms, 25 * ulpOfOne);
}

// 4096 terms of either sign that cancel to nothing: their partial sums do not.
TEST(RoundingNoise, SumsThatCancelMoveByTheirTerms)
{
    GraphBuilder builder("cancels");
    const ValueId x = builder.input("x", DType::Float, {64, 4096});
    const ValueId negated = builder.call("aten::neg", {{"self", ValueRef{x}}}, DType::Float, {64, 4096});
    builder.output(builder.call("aten::sum.dim_IntList", {{"self", ValueRef{negated}}, {"dim", intList({1})}, {"keepdim", false}}, DType::Float, {64}));
    RoundingNoise noise(builder.take());
    noise.start(1);
    const at::Tensor signs = at::ones({64, 4096}, at::kDouble);
    signs.narrow(1, 0, 2048).fill_(-1);
    EXPECT_TRUE(at::equal(noise.disturbed(0, signs), signs)) << "the terms themselves are exact";
    const at::Tensor sum = noise.disturbed(1, signs.sum(1));
    // 4096 independent moves of 4 ulp, uniform: 4 x 64 / sqrt 3 ulp of one.
    EXPECT_NEAR(std::sqrt((sum * sum).mean().item<double>()), 4 * 64 / std::sqrt(3.0) * ulpOfOne, 40 * ulpOfOne);
    noise.start(0);
    noise.disturbed(0, signs);
    EXPECT_EQ(noise.disturbed(1, signs.sum(1)).abs().max().item<double>(), 0);
}

TEST(RoundingNoise, ExactOperationsDoNotMove)
{
    EXPECT_EQ(changeOfOnes(oneNode("aten::neg", {}, {64, 4096}), {64, 4096}).first, 0);
    EXPECT_EQ(changeOfOnes(oneNode("aten::amax", {{"dim", intList({1})}, {"keepdim", false}}, {64}), {64}).first, 0);
    EXPECT_EQ(changeOfOnes(oneNode("aten::permute", {{"dims", intList({1, 0})}}, {4096, 64}), {4096, 64}).first, 0);
}

TEST(RoundingNoise, ResultsLeaveTheRangeWhereTheirTypeDoes)
{
    RoundingNoise noise(oneNode("aten::exp", {}, {64, 4096}));
    noise.start(1);
    const at::Tensor disturbed = noise.disturbed(0, at::tensor({1e39, 1e-50, 1e-40, 1.0}, at::kDouble));
    EXPECT_TRUE(std::isinf(disturbed[0].item<double>()));
    EXPECT_EQ(disturbed[1].item<double>(), 0);
    EXPECT_NEAR(disturbed[2].item<double>(), 1e-40, 0x1p-149); // kept as a subnormal number
    EXPECT_NEAR(disturbed[3].item<double>(), 1, 4 * ulpOfOne);
}

TEST(RoundingNoise, InfinityStaysWhatItIs)
{
    RoundingNoise noise(oneNode("aten::exp", {}, {64, 4096}));
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        noise.start(seed);
        const at::Tensor disturbed = noise.disturbed(0, at::tensor({HUGE_VAL, -HUGE_VAL, static_cast<double>(NAN)}, at::kDouble));
        EXPECT_EQ(disturbed[0].item<double>(), HUGE_VAL);
        EXPECT_EQ(disturbed[1].item<double>(), -HUGE_VAL);
        EXPECT_TRUE(std::isnan(disturbed[2].item<double>()));
    }
}

TEST(RoundingNoise, SameSeedSameNoise)
{
    RoundingNoise noise(oneNode("aten::exp", {}, {64, 4096}));
    const auto draw = [&](std::uint64_t seed) {
        noise.start(seed);
        return noise.disturbed(0, at::ones({64, 4096}, at::kDouble));
    };
    const at::Tensor first = draw(7), other = draw(8);
    EXPECT_TRUE(at::equal(first, draw(7)));
    EXPECT_FALSE(at::equal(first, other));
    EXPECT_TRUE(at::equal(draw(0), at::ones({64, 4096}, at::kDouble))) << "no noise";
}

} // namespace
} // namespace kw
