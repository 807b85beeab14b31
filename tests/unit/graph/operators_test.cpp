// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/builder.h"
#include "graph/decompose.h"
#include "graph/operator_table.h"

#include <gtest/gtest.h>

#include <set>

namespace kw {
namespace {

OperatorKind kindOf(const GraphBuilder& builder) { return operatorKind(builder.graph(), builder.graph().nodes.back()); }

TEST(Operators, TableHasEachOperatorOnce)
{
    std::set<std::string_view> seen;
    for (const OperatorInfo& row : operatorTable) {
        EXPECT_TRUE(seen.insert(row.target).second) << row.target;
        EXPECT_EQ(findOperator(row.target), &row);
        EXPECT_GE(row.cost, 0);
    }
    EXPECT_EQ(findOperator("aten::nothing_like_this"), nullptr);
}

TEST(Operators, InPlaceIsToldByTheName)
{
    EXPECT_TRUE(isInPlace("aten::add_.Tensor"));
    EXPECT_TRUE(isInPlace("aten::copy_"));
    EXPECT_FALSE(isInPlace("aten::__and__.Tensor"));
    EXPECT_FALSE(isInPlace("aten::add.Tensor"));
    EXPECT_FALSE(isInPlace("aten::detach_"));
    EXPECT_FALSE(isInPlace("other::add_"));
    EXPECT_EQ(functionalTarget("aten::add_.Tensor"), "aten::add.Tensor");
    EXPECT_EQ(functionalTarget("aten::relu_"), "aten::relu");
    EXPECT_EQ(functionalTarget("aten::relu"), "aten::relu");
}

TEST(Operators, ArgumentsDecideTheKind)
{
    GraphBuilder builder("kinds");
    const ValueId x = builder.input("x", DType::Float, {4, 6});
    builder.call("aten::dropout", {{"input", ValueRef{x}}, {"p", 0.1}, {"train", false}}, DType::Float, {4, 6});
    EXPECT_EQ(kindOf(builder), OperatorKind::Bookkeeping);
    builder.call("aten::dropout", {{"input", ValueRef{x}}, {"p", 0.1}, {"train", true}}, DType::Float, {4, 6});
    EXPECT_EQ(kindOf(builder), OperatorKind::Opaque);
    builder.call("aten::to.dtype", {{"self", ValueRef{x}}, {"dtype", DType::Float}}, DType::Float, {4, 6});
    EXPECT_EQ(kindOf(builder), OperatorKind::Bookkeeping);
    builder.call("aten::to.dtype", {{"self", ValueRef{x}}, {"dtype", DType::Bool}}, DType::Bool, {4, 6});
    EXPECT_EQ(kindOf(builder), OperatorKind::Copy);
    builder.call("aten::reshape", {{"self", ValueRef{x}}, {"shape", intList({24})}}, DType::Float, {24});
    EXPECT_EQ(kindOf(builder), OperatorKind::View);
    const ValueId t = builder.call("aten::t", {{"self", ValueRef{x}}}, TensorType{DType::Float, {6, 4}, {1, 6}});
    EXPECT_EQ(kindOf(builder), OperatorKind::View);
    builder.call("aten::reshape", {{"self", ValueRef{t}}, {"shape", intList({24})}}, DType::Float, {24});
    EXPECT_EQ(kindOf(builder), OperatorKind::Copy); // the transposed elements are not in a row
    builder.call("aten::reshape", {{"self", ValueRef{t}}, {"shape", intList({6, 2, 2})}}, TensorType{DType::Float, {6, 2, 2}, {1, 12, 6}});
    EXPECT_EQ(kindOf(builder), OperatorKind::View); // splitting one axis always works
    EXPECT_EQ(aliasedInput(builder.graph(), builder.graph().nodes.back()), t);
}

TEST(Operators, WhatCannotBeWrittenIsRefused)
{
    GraphBuilder builder("refused");
    const ValueId x = builder.input("x", DType::Float, {4, 6});
    const ValueId n = builder.input("n", DType::Int64, {4});
    const auto can = [&] { return canDecompose(builder.graph(), builder.graph().nodes.back()); };
    builder.call("aten::gelu", {{"self", ValueRef{x}}}, DType::Float, {4, 6});
    EXPECT_TRUE(can());
    builder.call("aten::sort", {{"self", ValueRef{x}}}, DType::Float, {4, 6});
    EXPECT_FALSE(can());
    builder.call("aten::sum.dim_IntList", {{"self", ValueRef{n}}, {"dim", intList({0})}}, DType::Int64, {});
    EXPECT_FALSE(can());
    builder.call("aten::div.Tensor_mode", {{"self", ValueRef{x}}, {"other", 2.0}, {"rounding_mode", std::string("floor")}}, DType::Float, {4, 6});
    EXPECT_FALSE(can());
    builder.call("aten::add.Tensor", {{"self", ValueRef{x}}, {"other", 2.0}}, DType::Float, {4, 7}); // the captured type lies
    EXPECT_FALSE(can());
    builder.call("aten::pad", {{"self", ValueRef{x}}, {"pad", intList({1, 1})}, {"mode", std::string("circular")}}, DType::Float, {4, 8});
    EXPECT_FALSE(can());
    const auto whole = decompose(builder.graph());
    ASSERT_FALSE(whole.ok());
    EXPECT_EQ(whole.error().message.id, "graph.cannot_decompose");
}

TEST(Operators, OnlyPrimitivesRemain)
{
    GraphBuilder builder("norm");
    const ValueId x = builder.input("x", DType::Float, {4, 6});
    const ValueId w = builder.input("w", DType::Float, {6});
    const ValueId c = builder.call("aten::contiguous", {{"self", ValueRef{x}}}, DType::Float, {4, 6}, "c");
    const ValueId y = builder.call("aten::layer_norm", {{"input", ValueRef{c}}, {"normalized_shape", intList({6})}, {"weight", ValueRef{w}}, {"bias", std::monostate()}, {"eps", 1e-5}}, DType::Float, {4, 6}, "y");
    builder.output(y);
    const auto result = decompose(builder.graph());
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(validate(result->graph).ok());
    std::vector<std::string> targets;
    for (const Node& node : result->graph.nodes)
        targets.push_back(node.target);
    EXPECT_EQ(targets, (std::vector<std::string>{"aten::mean.dim", "aten::sub.Tensor", "aten::mul.Tensor", "aten::mean.dim",
        "aten::add.Tensor", "aten::rsqrt", "aten::mul.Tensor", "aten::mul.Tensor"}));
    EXPECT_EQ(result->valueOf[static_cast<std::size_t>(c)], result->valueOf[static_cast<std::size_t>(x)]);
    EXPECT_EQ(result->graph.values[static_cast<std::size_t>(result->valueOf[static_cast<std::size_t>(y)])].name, "y");
    for (const std::int32_t origin : result->nodeOf)
        EXPECT_EQ(origin, 1);
}

} // namespace
} // namespace kw
