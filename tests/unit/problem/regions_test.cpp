// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs drawn by hand; which cut is right follows from what the operators read and write.
#include "graph/builder.h"
#include "problem/problem_file.h"
#include "problem/regions.h"
#include "sample_profile.h"

#include <gtest/gtest.h>

#include <set>

namespace kw {
namespace {

using Shape = std::vector<std::int64_t>;

/// Short spellings for the operators that the drawings need.
class Drawing : public GraphBuilder {
public:
    Drawing() : GraphBuilder("drawing") {}

    ValueId unary(const std::string& name, ValueId x) { return call("aten::" + name, {{"self", ValueRef{x}}}, type(x)); }
    ValueId binary(const std::string& name, ValueId x, Argument other)
    {
        TensorType result = type(x);
        if (const auto* reference = std::get_if<ValueRef>(&other); reference && type(reference->id).elements() > result.elements())
            result = type(reference->id);
        return call("aten::" + name + ".Tensor", {{"self", ValueRef{x}}, {"other", std::move(other)}}, result.dtype, result.shape);
    }
    ValueId binary(const std::string& name, ValueId x, ValueId y) { return binary(name, x, Argument(ValueRef{y})); }
    ValueId binary(const std::string& name, ValueId x, double number) { return binary(name, x, Argument(number)); }
    ValueId reduce(const std::string& name, ValueId x, std::int64_t axis)
    {
        Shape shape = type(x).shape;
        shape[static_cast<std::size_t>(axis)] = 1;
        return call("aten::" + name, {{"self", ValueRef{x}}, {"dim", intList({axis})}, {"keepdim", true}}, DType::Float, shape);
    }
    ValueId linear(ValueId x, ValueId weight)
    {
        Shape shape = type(x).shape;
        shape.back() = type(weight).shape.front();
        return call("aten::linear", {{"input", ValueRef{x}}, {"weight", ValueRef{weight}}}, DType::Float, shape);
    }
    ValueId slice(ValueId x, std::int64_t axis, std::int64_t start, std::int64_t end)
    {
        TensorType result = type(x);
        result.shape[static_cast<std::size_t>(axis)] = end - start;
        return call("aten::slice.Tensor", {{"self", ValueRef{x}}, {"dim", axis}, {"start", start}, {"end", end}}, result);
    }
    ValueId rmsNorm(ValueId x, ValueId weight)
    {
        const ValueId square = call("aten::pow.Tensor_Scalar", {{"self", ValueRef{x}}, {"exponent", std::int64_t{2}}}, type(x));
        const ValueId mean = reduce("mean.dim", square, std::ssize(type(x).shape) - 1);
        const ValueId scale = unary("rsqrt", binary("add", mean, 1e-6));
        return binary("mul", binary("mul", x, scale), weight);
    }
    Partition cut(const RegionOptions& options = {})
    {
        EXPECT_TRUE(validate(graph()).ok());
        const Profile profile = test::sampleProfile(graph());
        auto partition = findRegions(graph(), profile, options);
        EXPECT_TRUE(partition.ok());
        double sum = 0;
        for (const HotSpot& spot : partition->report.hotSpots)
            sum += spot.seconds;
        EXPECT_NEAR(sum, profile.nodeSeconds, 1e-9) << "hot spots must add up to the model";
        for (const Problem& problem : partition->problems)
            EXPECT_TRUE(validate(problem).ok()) << debugText(validate(problem).error().message);
        return *std::move(partition);
    }
};

std::multiset<std::string> targets(const Problem& problem)
{
    std::multiset<std::string> names;
    for (const Node& node : problem.reference.nodes)
        names.insert(node.target);
    return names;
}

const Shape large{256, 4096};

TEST(Regions, ChainIsOneRegion)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, large);
    d.output(d.unary("relu", d.binary("add", d.binary("mul", x, 2.0), 1.0)));
    const Partition partition = d.cut();
    ASSERT_EQ(partition.problems.size(), 1u);
    const Problem& problem = partition.problems[0];
    EXPECT_EQ(problem.reference.nodes.size(), 3u);
    EXPECT_EQ(problem.kind, RegionKind::Pointwise);
    EXPECT_EQ(problem.inputs.size(), 1u);
    EXPECT_EQ(problem.compulsoryBytes, 2.0 * 256 * 4096 * 4);
    EXPECT_EQ(problem.flops, 3.0 * 256 * 4096);
    ASSERT_EQ(problem.dimensions.size(), 2u);
    EXPECT_TRUE(problem.dimensions[0].free && problem.dimensions[1].free);
    EXPECT_LT(problem.predictedSeconds, problem.seconds);
    EXPECT_GE(problem.predictedSeconds, problem.floorSeconds);
}

TEST(Regions, PartsAreNeverMoreThanTheWhole)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, large);
    d.output(d.unary("neg", d.unary("exp", d.binary("mul", x, 2.0))));
    Profile profile = test::sampleProfile(d.graph());
    profile.seconds = profile.nodeSeconds / 1.25; // node by node it took a quarter longer
    const auto partition = findRegions(d.graph(), profile);
    ASSERT_TRUE(partition.ok());
    ASSERT_EQ(partition->problems.size(), 1U);
    EXPECT_NEAR(partition->problems[0].seconds, profile.seconds, 1e-12);
    EXPECT_NEAR(partition->report.hotSpots[0].share, 1, 1e-12);
    EXPECT_NEAR(partition->report.predictedSeconds, profile.seconds - partition->problems[0].predictedSaving(), 1e-12);
}

TEST(Regions, NormWithItsSurroundingsIsOneRowReduction)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, large), r = d.input("r", DType::Float, large);
    const ValueId w = d.input("w", rowMajor(DType::Float, {4096}), InputKind::Parameter, "layer.norm.weight");
    const ValueId residual = d.binary("add", x, r);
    d.output(d.rmsNorm(residual, w));
    d.output(residual);
    const Partition partition = d.cut();
    ASSERT_EQ(partition.problems.size(), 1u);
    const Problem& problem = partition.problems[0];
    EXPECT_EQ(problem.kind, RegionKind::RowReduction);
    EXPECT_EQ(problem.reference.nodes.size(), 7u);
    EXPECT_EQ(problem.outputs.size(), 2u);
    ASSERT_EQ(problem.inputs.size(), 3u);
    EXPECT_EQ(problem.inputs[2].name, "weight");
    EXPECT_TRUE(problem.inputs[2].sharedAcrossCalls);
    EXPECT_FALSE(problem.inputs[0].sharedAcrossCalls);
}

TEST(Regions, ProductsStayOutsideAndWhatFollowsIsAnEpilogue)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, large), w = d.input("w", DType::Float, {4096, 4096}), b = d.input("b", DType::Float, {4096});
    d.output(d.unary("gelu", d.binary("add", d.linear(x, w), b)));
    const Partition partition = d.cut();
    ASSERT_EQ(partition.problems.size(), 1u);
    EXPECT_EQ(partition.problems[0].kind, RegionKind::Epilogue);
    EXPECT_EQ(targets(partition.problems[0]), (std::multiset<std::string>{"aten::add.Tensor", "aten::gelu"}));
}

TEST(Regions, RegionsAreConvex)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, large), w = d.input("w", DType::Float, {4096, 4096});
    const ValueId a = d.unary("exp", x);
    d.output(d.unary("tanh", d.binary("add", a, d.linear(a, w)))); // exp may not join: the product lies between
    for (const Problem& problem : d.cut().problems)
        EXPECT_FALSE(targets(problem).contains("aten::exp") && targets(problem).contains("aten::add.Tensor"));
}

TEST(Regions, ReductionsOverDifferentAxesAreApart)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, large);
    const ValueId rows = d.reduce("sum.dim_IntList", d.unary("exp", x), 1);
    const ValueId scaled = d.binary("div", x, rows);
    d.output(d.reduce("amax", scaled, 0));
    for (const Problem& problem : d.cut().problems)
        EXPECT_FALSE(targets(problem).contains("aten::sum.dim_IntList") && targets(problem).contains("aten::amax"));
}

TEST(Regions, CheapProducerIsRecomputedWhereJoiningIsImpossible)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, {4096, 4096});
    const ValueId p = d.binary("add", d.binary("mul", x, 2.0), 1.0);
    d.output(d.reduce("sum.dim_IntList", p, 1));
    d.output(d.reduce("sum.dim_IntList", p, 0));
    const Partition partition = d.cut();
    ASSERT_EQ(partition.problems.size(), 2u);
    for (const Problem& problem : partition.problems) {
        EXPECT_TRUE(targets(problem).contains("aten::mul.Tensor"));
        EXPECT_EQ(problem.outputs.size(), 1u);
    }
    EXPECT_EQ(std::set({partition.problems[0].kind, partition.problems[1].kind}),
        std::set({RegionKind::RowReduction, RegionKind::ColumnReduction}));
}

TEST(Regions, IdenticalRegionsAreOneProblem)
{
    Drawing d;
    ValueId x = d.input("x", DType::Float, large);
    const ValueId w = d.input("w", DType::Float, {4096, 4096});
    for (int layer = 0; layer < 3; ++layer) {
        x = d.linear(x, w);
        x = d.unary("tanh", d.binary("add", x, 0.5));
    }
    d.output(x);
    const Partition partition = d.cut();
    ASSERT_EQ(partition.problems.size(), 1u);
    const Problem& problem = partition.problems[0];
    EXPECT_EQ(problem.calls(), 3);
    EXPECT_EQ(problem.shapes[0].calls, 3);
    EXPECT_EQ(problem.sites[1].nodes, (std::vector<std::int32_t>{4, 5}));
    EXPECT_NEAR(problem.predictedSaving(), 3 * (problem.seconds - problem.predictedSeconds), 1e-12);
}

TEST(Regions, DifferentNumbersAreDifferentProblems)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, large), w = d.input("w", DType::Float, {4096, 4096});
    const ValueId first = d.unary("tanh", d.binary("add", x, 0.5));
    d.output(d.unary("tanh", d.binary("add", d.linear(first, w), 0.25)));
    EXPECT_EQ(d.cut().problems.size(), 2u);
}

TEST(Regions, HarmlessInPlaceOperatorJoinsOutOfPlace)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, large);
    const ValueId y = d.binary("mul", x, 2.0);
    const ValueId z = d.call("aten::add_.Tensor", {{"self", ValueRef{y}}, {"other", 1.0}}, d.type(y));
    d.output(d.unary("tanh", z));
    const Partition partition = d.cut();
    ASSERT_EQ(partition.problems.size(), 1u);
    EXPECT_EQ(targets(partition.problems[0]), (std::multiset<std::string>{"aten::mul.Tensor", "aten::add.Tensor", "aten::tanh"}));
}

TEST(Regions, NothingMovesAcrossAWriteThatOthersSee)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, large);
    const ValueId y = d.binary("mul", x, 2.0);
    const ValueId z = d.call("aten::add_.Tensor", {{"self", ValueRef{y}}, {"other", 1.0}}, d.type(y));
    d.output(d.unary("tanh", d.binary("add", y, z))); // y is read after it was overwritten
    for (const Problem& problem : d.cut().problems)
        EXPECT_EQ(targets(problem), std::multiset<std::string>{"aten::tanh"});
}

TEST(Regions, WritesThroughAViewOfAnInputTaintTheInput)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, large);
    const ValueId part = d.slice(x, 0, 0, 16);
    const ValueId other = d.input("other", DType::Float, {16, 4096});
    d.call("aten::copy_", {{"self", ValueRef{part}}, {"src", ValueRef{other}}}, d.type(part));
    d.output(d.unary("tanh", d.binary("mul", x, 2.0)));
    for (const Problem& problem : d.cut().problems)
        EXPECT_EQ(targets(problem), std::multiset<std::string>{"aten::tanh"});
}

TEST(Regions, SlicesOfOneTensorAreOneInput)
{
    Drawing d; // rotary embedding: x cos + rotate(x) sin
    const ValueId x = d.input("x", TensorType{DType::Float, {8, 1024, 64}, {64, 512, 1}});
    const ValueId c = d.input("c", DType::Float, {1024, 64}), s = d.input("s", DType::Float, {1024, 64});
    const ValueId low = d.slice(x, 2, 0, 32), high = d.slice(x, 2, 32, 64);
    const ValueId turned = d.call("aten::cat", {{"tensors", std::vector<ValueRef>{{d.unary("neg", high)}, {low}}}, {"dim", std::int64_t{-1}}}, d.type(x));
    d.output(d.binary("add", d.binary("mul", x, c), d.binary("mul", turned, s)));
    const Partition partition = d.cut();
    ASSERT_EQ(partition.problems.size(), 1u);
    const Problem& problem = partition.problems[0];
    EXPECT_EQ(problem.inputs.size(), 3u);
    EXPECT_EQ(problem.reference.nodes.size(), 7u);
    EXPECT_EQ(problem.inputs[0].strides, (Shape{64, 512, 1}));
    EXPECT_EQ(problem.compulsoryBytes, 4.0 * (2 * 8 * 1024 * 64 + 2 * 1024 * 64));
    // The cut at 32 fixes the last axis; heads and positions stay free.
    EXPECT_EQ(problem.dimensions.size(), 2u);
    EXPECT_EQ(problem.inputs[0].shape[2], (Size{64, -1}));
}

TEST(Regions, ViewsBetweenComeAlongAndViewsAtTheBorderStay)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, {64, 128, 32});
    const ValueId t = d.call("aten::transpose.int", {{"self", ValueRef{x}}, {"dim0", std::int64_t{0}}, {"dim1", std::int64_t{1}}}, TensorType{DType::Float, {128, 64, 32}, {32, 4096, 1}});
    const ValueId e = d.unary("exp", t);
    const ValueId v = d.call("aten::view", {{"self", ValueRef{e}}, {"size", intList({128, 2, 32, 32})}}, TensorType{DType::Float, {128, 2, 32, 32}, {32, 131072, 4096, 1}});
    d.output(d.unary("tanh", v));
    const Partition partition = d.cut();
    ASSERT_EQ(partition.problems.size(), 1u);
    EXPECT_EQ(targets(partition.problems[0]), (std::multiset<std::string>{"aten::exp", "aten::view", "aten::tanh"}));
    EXPECT_EQ(partition.problems[0].inputs[0].strides, (Shape{32, 4096, 1}));
}

TEST(Regions, WindowTakesItsSurroundings)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, {1, 1, 512, 512});
    const ValueId p = d.unary("exp", x);
    const ValueId padded = d.call("aten::reflection_pad2d", {{"self", ValueRef{p}}, {"padding", intList({3, 3, 3, 3})}}, DType::Float, {1, 1, 518, 518});
    const auto pool = [&](ValueId value) {
        return d.call("aten::avg_pool2d", {{"self", ValueRef{value}}, {"kernel_size", intList({7, 7})}, {"stride", intList({1, 1})}}, DType::Float, {1, 1, 512, 512});
    };
    const ValueId mean = pool(padded), square = pool(d.binary("mul", padded, padded));
    const ValueId variance = d.binary("sub", square, d.binary("mul", mean, mean));
    d.output(d.binary("div", d.binary("sub", p, mean), d.unary("sqrt", variance)));
    const Partition partition = d.cut();
    const Problem* window = nullptr;
    for (const Problem& problem : partition.problems)
        if (problem.kind == RegionKind::Window)
            window = &problem;
    ASSERT_TRUE(window);
    EXPECT_EQ(targets(*window).count("aten::avg_pool2d"), 2u);
    EXPECT_TRUE(targets(*window).contains("aten::div.Tensor"));
    EXPECT_TRUE(targets(*window).contains("aten::reflection_pad2d"));
    // Rows are prepared once for all windows that they belong to, so that arithmetic may stand under them.
    EXPECT_TRUE(targets(*window).contains("aten::exp"));
    EXPECT_EQ(partition.problems.size(), 1u);
}

TEST(Regions, AFewChannelsAreSummedBesideAWindow)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, {1, 3, 256, 512});
    const ValueId p = d.unary("exp", x);
    const ValueId light = d.call("aten::sum.dim_IntList", {{"self", ValueRef{p}}, {"dim", intList({1})}, {"keepdim", true}}, DType::Float, {1, 1, 256, 512});
    const ValueId mean = d.call("aten::avg_pool2d", {{"self", ValueRef{light}}, {"kernel_size", intList({5, 5})}, {"stride", intList({1, 1})}, {"padding", intList({2, 2})}},
        DType::Float, {1, 1, 256, 512});
    d.output(d.binary("mul", p, mean));
    const Partition partition = d.cut();
    ASSERT_EQ(partition.problems.size(), 1u);
    EXPECT_EQ(partition.problems[0].kind, RegionKind::Window);
    EXPECT_EQ(partition.problems[0].inputs.size(), 1u);
}

TEST(Regions, JoiningDoesNotMakeMemorySlower)
{
    // Two kernels whose tensors fit the cache, and one whose tensors do not: what lies between them is saved all the same.
    Drawing d;
    const std::vector<std::int64_t> shape{1 << 21};
    const ValueId a = d.input("a", DType::Float, shape), b = d.input("b", DType::Float, shape), c = d.input("c", DType::Float, shape);
    const ValueId e = d.input("e", DType::Float, shape);
    d.output(d.binary("mul", d.binary("mul", d.binary("mul", a, b), c), e));
    Profile profile = test::sampleProfile(d.graph());
    profile.calibration.bandwidth = {{8e6, 100e9, 100e9, 100e9}, {26e6, 100e9, 100e9, 100e9}, {64e6, 8e9, 8e9, 8e9}};
    const auto partition = findRegions(d.graph(), profile);
    ASSERT_TRUE(partition.ok());
    ASSERT_EQ(partition->problems.size(), 1u);
    EXPECT_EQ(partition->problems[0].inputs.size(), 4u);
}

TEST(Regions, RefusedJoinsAreNotMade)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, large);
    d.output(d.unary("tanh", d.unary("exp", d.binary("mul", x, 2.0))));
    RegionOptions options;
    options.accepts = [](const Problem& problem) { return !targets(problem).contains("aten::tanh"); };
    const Partition partition = d.cut(options);
    ASSERT_EQ(partition.problems.size(), 1u);
    EXPECT_EQ(targets(partition.problems[0]), (std::multiset<std::string>{"aten::mul.Tensor", "aten::exp"}));
}

TEST(Regions, TinyWorkIsReportedButMakesNoProblem)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Float, {4});
    d.output(d.unary("tanh", x));
    const Partition partition = d.cut();
    EXPECT_TRUE(partition.problems.empty());
    ASSERT_EQ(partition.report.hotSpots.size(), 1u);
    EXPECT_TRUE(partition.report.hotSpots[0].problem.empty());
    EXPECT_EQ(partition.report.predictedSeconds, partition.report.seconds);
}

TEST(Regions, UnsupportedTypesStayOutside)
{
    Drawing d;
    const ValueId x = d.input("x", DType::Double, large);
    const ValueId n = d.input("n", DType::Int64, large);
    d.output(d.unary("tanh", x));
    d.output(d.binary("add", n, Argument(std::int64_t{1})));
    EXPECT_TRUE(d.cut().problems.empty());
}

TEST(Regions, SameInputGivesTheSamePartition)
{
    const auto draw = [] {
        Drawing d;
        const ValueId x = d.input("x", DType::Float, large), w = d.input("w", DType::Float, {4096});
        d.output(d.unary("tanh", d.rmsNorm(d.unary("exp", x), w)));
        return d.cut();
    };
    EXPECT_EQ(draw().problems, draw().problems);
    EXPECT_EQ(draw().report, draw().report);
}

TEST(Regions, AProfileOfAnotherModelIsRefused)
{
    Drawing d;
    d.output(d.unary("tanh", d.input("x", DType::Float, large)));
    Profile profile = test::sampleProfile(d.graph());
    profile.nodes.push_back({7, 1e-3, 0, 0, 0});
    const auto partition = findRegions(d.graph(), profile);
    ASSERT_FALSE(partition.ok());
    EXPECT_EQ(partition.error().message.id, "problem.profile_mismatch");
}

} // namespace
} // namespace kw
