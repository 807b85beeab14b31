// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/operator_work.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

/// A one-node graph with the given tensor arguments.
struct OneNode {
    Graph graph;

    OneNode(const std::string& target, const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& inputs,
        const std::vector<std::int64_t>& output)
    {
        Node node;
        node.target = target;
        for (const auto& [name, shape] : inputs)
            node.arguments.push_back({name, ValueRef{value(shape)}});
        node.outputs.push_back({{value(output)}, false});
        graph.nodes.push_back(node);
    }
    ValueId value(const std::vector<std::int64_t>& shape)
    {
        graph.values.push_back({"v" + std::to_string(graph.values.size()), ValueKind::Tensor,
            TensorType{DType::Float, shape, contiguousStrides(shape)}});
        return static_cast<ValueId>(graph.values.size() - 1);
    }
    OperatorWork work() const { return operatorWork(graph, graph.nodes.front()); }
};

TEST(OperatorWork, MatrixProductsCountTwoPerMultiplyAdd)
{
    const auto mm = OneNode("aten::mm", {{"self", {3, 5}}, {"mat2", {5, 7}}}, {3, 7}).work();
    EXPECT_TRUE(mm.product);
    EXPECT_EQ(mm.flops, 2 * 3 * 5 * 7);
    EXPECT_EQ(mm.bytes, 4 * (15 + 35 + 21));
    EXPECT_EQ(OneNode("aten::addmm", {{"self", {7}}, {"mat1", {3, 5}}, {"mat2", {5, 7}}}, {3, 7}).work().flops, 2 * 3 * 5 * 7);
    EXPECT_EQ(OneNode("aten::bmm", {{"self", {2, 3, 5}}, {"mat2", {2, 5, 7}}}, {2, 3, 7}).work().flops, 2 * 2 * 3 * 5 * 7);
    EXPECT_EQ(OneNode("aten::linear", {{"input", {4, 3, 5}}, {"weight", {7, 5}}, {"bias", {7}}}, {4, 3, 7}).work().flops, 2 * 12 * 5 * 7);
}

TEST(OperatorWork, ConvolutionsCountTheirWindow)
{
    // 6 output channels, 3 input channels, 3 x 3 window, 8 x 8 output: each output element is a dot product of 27.
    const auto conv = OneNode("aten::conv2d", {{"input", {1, 3, 10, 10}}, {"weight", {6, 3, 3, 3}}}, {1, 6, 8, 8}).work();
    EXPECT_TRUE(conv.product);
    EXPECT_EQ(conv.flops, 2.0 * 6 * 8 * 8 * 27);
}

TEST(OperatorWork, AttentionCountsBothProducts)
{
    const auto attention = OneNode("aten::scaled_dot_product_attention",
        {{"query", {1, 2, 10, 8}}, {"key", {1, 2, 12, 8}}, {"value", {1, 2, 12, 16}}}, {1, 2, 10, 16}).work();
    EXPECT_EQ(attention.flops, 2.0 * 2 * 10 * 12 * (8 + 16));
}

TEST(OperatorWork, ViewsAreFreeAndBroadcastsAreReadOnce)
{
    EXPECT_EQ(OneNode("aten::view", {{"self", {4, 6}}}, {24}).work().bytes, 0);
    OneNode add("aten::add.Tensor", {{"self", {100, 8}}, {"other", {100, 8}}}, {100, 8});
    add.graph.values[1].type->strides = {0, 1};
    EXPECT_EQ(add.work().bytes, 4 * (800 + 8 + 800));
    EXPECT_EQ(add.work().flops, 800);
}

} // namespace
} // namespace kw
