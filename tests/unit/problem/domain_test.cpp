// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/domain.h"

#include "graph/builder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kw {
namespace {

struct Drawn {
    GraphBuilder builder{"domain"};
    ValueId x = builder.input("x", DType::Float, {4, 8});
    ValueId unary(const char* name, ValueId of, std::vector<NamedArgument> more = {})
    {
        more.insert(more.begin(), {"self", ValueRef{of}});
        return builder.call(name, std::move(more), DType::Float, {4, 8});
    }
    ProvenRange range(ValueId id) { return provenRange(builder.graph(), id); }
};

TEST(Domain, ProvenRangesFollowFromTheOperators)
{
    Drawn d;
    EXPECT_TRUE(std::isinf(d.range(d.x).low) && std::isinf(d.range(d.x).high));
    const ValueId gate = d.unary("aten::sigmoid", d.x);
    EXPECT_EQ(d.range(gate).low, 0);
    EXPECT_EQ(d.range(gate).high, 1);
    const ValueId scaled = d.unary("aten::mul.Tensor", gate, {{"other", -3.0}});
    EXPECT_EQ(d.range(scaled).low, -3);
    EXPECT_EQ(d.range(scaled).high, 0);
    const ValueId shifted = d.unary("aten::add.Tensor", scaled, {{"other", std::int64_t{1}}});
    EXPECT_EQ(d.range(shifted).low, -2);
    EXPECT_EQ(d.range(shifted).high, 1);
    const ValueId clamped = d.unary("aten::clamp", d.x, {{"min", 0.5}});
    EXPECT_EQ(d.range(clamped).low, 0.5);
    EXPECT_TRUE(std::isinf(d.range(clamped).high));
    const ValueId square = d.unary("aten::mul.Tensor", d.x, {{"other", ValueRef{d.x}}});
    EXPECT_EQ(d.range(square).low, 0);
    const ValueId product = d.unary("aten::mul.Tensor", d.x, {{"other", ValueRef{gate}}});
    EXPECT_TRUE(std::isinf(d.range(product).low));
    const ValueId cube = d.unary("aten::pow.Tensor_Scalar", d.x, {{"exponent", std::int64_t{3}}});
    EXPECT_TRUE(std::isinf(d.range(cube).low));
}

TEST(Domain, FloatsAreNormalAndBoundedOnlyWhenProven)
{
    Drawn d;
    const ValueStatistics seen{d.x, 0, 1, 0.4, 0.2, 1, 32, 0, 0, 0};
    const InputDomain open = inputDomain(d.builder.graph(), d.x, &seen);
    EXPECT_EQ(open.kind, DomainKind::Normal);
    EXPECT_FALSE(open.bounded) << "captured in [0, 1] proves nothing";
    EXPECT_EQ(open.mean, 0.4);
    EXPECT_EQ(open.deviation, 0.2);
    const ValueId gate = d.unary("aten::sigmoid", d.x);
    const InputDomain bounded = inputDomain(d.builder.graph(), gate, &seen);
    EXPECT_TRUE(bounded.bounded);
    EXPECT_EQ(bounded.low, 0);
    EXPECT_EQ(bounded.high, 1);
    const InputDomain half = inputDomain(d.builder.graph(), d.unary("aten::exp", d.x), nullptr);
    EXPECT_TRUE(half.bounded);
    EXPECT_EQ(half.low, 0);
    EXPECT_GE(half.high, 1e4);
}

TEST(Domain, MasksFlagsAndIndicesAreRecognised)
{
    Drawn d;
    const ValueId flags = d.builder.input("flags", DType::Bool, {4}), indices = d.builder.input("indices", DType::Int64, {4});
    EXPECT_EQ(inputDomain(d.builder.graph(), flags, nullptr).kind, DomainKind::Boolean);
    const ValueStatistics range{indices, -2, 9, 3, 2, 9, 4, 0, 0, 0};
    const InputDomain integers = inputDomain(d.builder.graph(), indices, &range);
    EXPECT_EQ(integers.kind, DomainKind::Integers);
    EXPECT_EQ(integers.low, -2);
    EXPECT_EQ(integers.high, 9);
    ValueStatistics mask{d.x, -3e38, 0, -1e38, 1e38, 0, 32, 0, 20, 12};
    EXPECT_EQ(inputDomain(d.builder.graph(), d.x, &mask).kind, DomainKind::Mask);
    EXPECT_EQ(inputDomain(d.builder.graph(), d.x, &mask).low, -3e38);
    mask.zeros = 19; // one element is neither 0 nor very negative
    EXPECT_EQ(inputDomain(d.builder.graph(), d.x, &mask).kind, DomainKind::Normal);
    const ValueStatistics infinite{d.x, 0, 0, 0, 0, 0, 20, 12, 20, 12};
    EXPECT_TRUE(std::isfinite(inputDomain(d.builder.graph(), d.x, &infinite).low));
}

} // namespace
} // namespace kw
