// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_io.h"
#include "graph/builder.h"

#include <gtest/gtest.h>

#include <limits>

namespace kw {
namespace {

/// y = relu(x + 1.5), and a node with a list result.
Graph smallGraph(const std::string& prefix = {})
{
    GraphBuilder builder("small");
    const ValueId x = builder.input(prefix + "x", DType::Float, {2, 6});
    const ValueId y = builder.call("aten::add.Tensor", {{"self", ValueRef{x}}, {"other", 1.5}}, DType::Float, {2, 6}, prefix + "y");
    const ValueId z = builder.call("aten::relu", {{"self", ValueRef{y}}}, DType::Float, {2, 6}, prefix + "z");
    Node split;
    split.target = "aten::split.Tensor";
    split.arguments = {{"self", ValueRef{z}}, {"split_size", std::int64_t{3}}, {"dim", std::int64_t{1}}};
    split.outputs = {{{builder.value(prefix + "a", TensorType{DType::Float, {2, 3}, {6, 1}}),
                          builder.value(prefix + "b", TensorType{DType::Float, {2, 3}, {6, 1}})}, true}};
    split.modulePath = prefix + "block.0";
    const ValueId b = split.outputs[0].values[1];
    builder.add(split);
    builder.output(b);
    return builder.take();
}

Graph withEveryArgument()
{
    GraphBuilder builder("arguments");
    const ValueId x = builder.input("x", DType::BFloat16, {3});
    const ValueId s = builder.value("s", std::nullopt, ValueKind::SymInt);
    Node size;
    size.target = "aten::sym_size.int";
    size.arguments = {{"self", ValueRef{x}}, {"dim", std::int64_t{0}}};
    size.outputs = {{{s}, false}};
    builder.add(size);
    const double infinity = std::numeric_limits<double>::infinity();
    builder.call("aten::strange",
        {{"none", std::monostate()}, {"list", std::vector<ValueRef>{{x}, {noValue}}}, {"truth", true}, {"real", -infinity},
            {"complex", std::complex<double>(1, infinity)}, {"text", std::string("a\"b\n")},
            {"ints", std::vector<IntItem>{{7, noValue}, {0, s}}}, {"reals", std::vector<double>{0.1, infinity}},
            {"truths", std::vector<bool>{true, false}}, {"dtype", DType::Half}, {"layout", Layout::SparseCsr},
            {"format", MemoryFormat::ChannelsLast}, {"device", DeviceName{"cpu"}}, {"body", SubgraphRef{0}}},
        DType::Half, {3}, "y");
    Graph graph = builder.take();
    graph.nodes.back().source = {"model.py", 12, "y = f(x)"};
    graph.outputs = {{ValueRef{2}, OutputKind::BufferMutation, "buffer"}, {std::int64_t{3}, OutputKind::User, {}}};
    graph.inputs.push_back({static_cast<ValueId>(graph.values.size()), InputKind::Scalar, "scale", true, 2.5});
    graph.values.push_back({"scale", ValueKind::SymFloat, std::nullopt});
    graph.subgraphs.push_back(smallGraph());
    return graph;
}

TEST(Graph, ContiguousFollowsTorchsRules)
{
    EXPECT_TRUE((TensorType{DType::Float, {2, 1, 3}, {3, 999, 1}}).contiguous());
    EXPECT_TRUE((TensorType{DType::Float, {0, 3}, {7, 5}}).contiguous());
    EXPECT_TRUE((TensorType{DType::Float, {}, {}}).contiguous());
    EXPECT_FALSE((TensorType{DType::Float, {2, 3}, {1, 2}}).contiguous());
    EXPECT_FALSE((TensorType{DType::Float, {2, 3}, {4, 1}}).contiguous());
    EXPECT_EQ(contiguousStrides({2, 0, 3}), (std::vector<std::int64_t>{3, 3, 1}));
    EXPECT_EQ((TensorType{DType::Double, {2, 3}, {3, 1}}).bytes(), 48);
}

TEST(Graph, UsersAndProducersAreFound)
{
    const Graph graph = smallGraph();
    EXPECT_EQ(producers(graph), (std::vector<std::int32_t>{-1, 0, 1, 2, 2}));
    EXPECT_EQ(consumers(graph)[1], std::vector<std::int32_t>{1});
    EXPECT_TRUE(consumers(graph)[4].empty());
    EXPECT_EQ(writtenValues(graph.nodes[2]), (std::vector<ValueId>{3, 4}));
    EXPECT_EQ(readValues(withEveryArgument().nodes[1]), (std::vector<ValueId>{0, 1}));
}

TEST(Graph, JsonKeepsEverything)
{
    for (const Graph& graph : {smallGraph(), withEveryArgument()}) {
        ASSERT_TRUE(validate(graph).ok());
        const auto again = parseAs<Graph>(dump(Json(graph)));
        ASSERT_TRUE(again.ok()) << debugText(again.error().message);
        EXPECT_EQ(*again, graph);
    }
}

TEST(Graph, HashIgnoresNamesAndNumbering)
{
    Graph other = smallGraph("other_");
    EXPECT_EQ(structuralHash(other), structuralHash(smallGraph()));
    // The same graph with its values stored in another order.
    std::swap(other.values[0], other.values[1]);
    const auto swapped = [](ValueId id) { return id == 0 ? 1 : id == 1 ? 0 : id; };
    for (Node& node : other.nodes)
        renumberValues(node, swapped);
    other.inputs[0].value = 1;
    ASSERT_TRUE(validate(other).ok());
    EXPECT_EQ(structuralHash(other), structuralHash(smallGraph()));
}

TEST(Graph, HashSeesEverythingThatChangesMeaning)
{
    const std::string original = structuralHash(smallGraph());
    const auto changed = [&](auto change) {
        Graph graph = smallGraph();
        change(graph);
        return structuralHash(graph) != original;
    };
    EXPECT_TRUE(changed([](Graph& graph) { graph.nodes[0].arguments[1].value = 1.25; }));
    EXPECT_TRUE(changed([](Graph& graph) { graph.nodes[0].arguments[1].value = std::int64_t{1}; }));
    EXPECT_TRUE(changed([](Graph& graph) { graph.nodes[1].target = "aten::exp"; }));
    EXPECT_TRUE(changed([](Graph& graph) { graph.values[0].type->strides = {1, 2}; }));
    EXPECT_TRUE(changed([](Graph& graph) { graph.values[1].type->dtype = DType::Double; }));
    EXPECT_TRUE(changed([](Graph& graph) { graph.outputs[0].value = ValueRef{3}; }));
    EXPECT_TRUE(changed([](Graph& graph) { graph.outputs[0].kind = OutputKind::UserInputMutation; }));
    EXPECT_FALSE(changed([](Graph& graph) { graph.nodes[0].modulePath = "elsewhere"; }));
}

TEST(Graph, PrintIsReadableAndEscapesUntrustedNames)
{
    Graph graph = smallGraph();
    EXPECT_NE(print(graph).find("%y: float32[2, 6] = aten::add.Tensor(self=%x, other=1.5)"), std::string::npos) << print(graph);
    EXPECT_NE(print(graph).find("[%a: float32[2, 3] strides [6, 1], %b"), std::string::npos) << print(graph);
    graph.values[0].name = "x\x1b[31m\n";
    EXPECT_EQ(print(graph).find('\x1b'), std::string::npos);
    EXPECT_NE(print(graph).find("\\x1b"), std::string::npos);
}

TEST(Graph, ValidateNamesTheFault)
{
    const auto faulty = [](auto change) {
        Graph graph = smallGraph();
        change(graph);
        return !validate(graph).ok();
    };
    EXPECT_FALSE(faulty([](Graph&) {}));
    EXPECT_TRUE(faulty([](Graph& graph) { graph.nodes[0].arguments[0].value = ValueRef{99}; }));
    EXPECT_TRUE(faulty([](Graph& graph) { graph.nodes[0].arguments[0].value = ValueRef{-7}; }));
    EXPECT_TRUE(faulty([](Graph& graph) { graph.nodes[0].arguments[0].value = ValueRef{2}; })); // used before defined
    EXPECT_TRUE(faulty([](Graph& graph) { graph.nodes[1].outputs[0].values[0] = 1; }));         // defined twice
    EXPECT_TRUE(faulty([](Graph& graph) { graph.nodes[1].outputs[0].values.clear(); }));
    EXPECT_TRUE(faulty([](Graph& graph) { graph.values[1].name = "x"; }));
    EXPECT_TRUE(faulty([](Graph& graph) { graph.values[0].type->strides.pop_back(); }));
    EXPECT_TRUE(faulty([](Graph& graph) { graph.values[0].type->shape[0] = -1; }));
    EXPECT_TRUE(faulty([](Graph& graph) { graph.values[0].type->shape = {std::int64_t{1} << 40, std::int64_t{1} << 40}; }));
    EXPECT_TRUE(faulty([](Graph& graph) { graph.nodes[0].arguments[1].value = SubgraphRef{0}; }));
    EXPECT_TRUE(faulty([](Graph& graph) { graph.outputs[0].value = ValueRef{noValue}; }));
    EXPECT_TRUE(faulty([](Graph& graph) {
        for (int depth = 0; depth < 40; ++depth) {
            Graph outer;
            outer.subgraphs.push_back(std::move(graph));
            graph = std::move(outer);
        }
    }));
}

TEST(Graph, HostileJsonIsRefused)
{
    const std::string good = dump(Json(withEveryArgument()));
    ASSERT_TRUE(parseAs<Graph>(good).ok());
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const auto place = text.find(from);
        EXPECT_NE(place, std::string::npos) << from;
        return text.replace(place, from.size(), to);
    };
    EXPECT_FALSE(parseAs<Graph>(replaced("\"version\":1", "\"version\":2")).ok());
    EXPECT_FALSE(parseAs<Graph>(replaced("{\"symbol\":1}", "{\"symbol\":99999999999}")).ok());
    EXPECT_FALSE(parseAs<Graph>(replaced("\"bfloat16\"", "\"float3\"")).ok());
    EXPECT_FALSE(parseAs<Graph>(replaced("\"shape\":[3]", "\"shape\":[3.5]")).ok());
    EXPECT_FALSE(parseAs<Graph>(replaced("\"shape\":[3]", "\"shape\":[18446744073709551615]")).ok());
    EXPECT_FALSE(parseAs<Graph>(replaced("\"shape\":[3]", "\"shape\":\"three\"")).ok());
    EXPECT_FALSE(parseAs<Graph>(replaced("{\"bool\":true}", "{\"bool\":true,\"int\":1}")).ok());
    EXPECT_FALSE(parseAs<Graph>(replaced("{\"bool\":true}", "{\"unknown\":1}")).ok());
    EXPECT_FALSE(parseAs<Graph>("[]").ok());
    // Every prefix of the text is refused, none crashes.
    for (std::size_t length = 0; length < good.size(); ++length)
        EXPECT_FALSE(parseAs<Graph>(std::string_view(good).substr(0, length)).ok());
}

TEST(Graph, PruneDropsWhatNobodyNeeds)
{
    Graph graph = smallGraph();
    graph.outputs[0].value = ValueRef{1}; // y: relu and split are not needed any more
    const Pruned pruned = pruneUnused(graph);
    EXPECT_EQ(pruned.nodes, std::vector<std::int32_t>{0});
    EXPECT_EQ(graph.nodes.size(), 1u);
    EXPECT_EQ(graph.values.size(), 2u);
    EXPECT_EQ(pruned.valueOf, (std::vector<ValueId>{0, 1, noValue, noValue, noValue}));
    EXPECT_TRUE(validate(graph).ok());
}

} // namespace
} // namespace kw
