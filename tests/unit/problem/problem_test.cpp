// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/problem_file.h"

#include "base/json_io.h"
#include "graph/builder.h"
#include "problem/dims.h"
#include "problem/regions.h"
#include "sample_profile.h"
#include "torch_oracle.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

using Shape = std::vector<std::int64_t>;

/// layer_norm(x + bias).view(d0, 8, 16).transpose(0, 1) * 2, with x strided.
Problem sampleProblem()
{
    GraphBuilder builder("sample");
    const ValueId x = builder.input("x", TensorType{DType::Float, {24, 128}, {160, 1}});
    const ValueId b = builder.input("b", rowMajor(DType::Float, {128}), InputKind::Parameter, "block.bias");
    const ValueId sum = builder.call("aten::add.Tensor", {{"self", ValueRef{x}}, {"other", ValueRef{b}}}, DType::Float, {24, 128}, "sum");
    const ValueId norm = builder.call("aten::layer_norm", {{"input", ValueRef{sum}}, {"normalized_shape", intList({128})}}, DType::Float, {24, 128}, "norm");
    const ValueId view = builder.call("aten::view", {{"self", ValueRef{norm}}, {"size", intList({24, 8, 16})}}, DType::Float, {24, 8, 16}, "view");
    const ValueId turned = builder.call("aten::transpose.int", {{"self", ValueRef{view}}, {"dim0", std::int64_t{0}}, {"dim1", std::int64_t{1}}}, TensorType{DType::Float, {8, 24, 16}, {16, 128, 1}}, "turned");
    const ValueId y = builder.call("aten::mul.Tensor", {{"self", ValueRef{turned}}, {"other", 2.0}}, TensorType{DType::Float, {8, 24, 16}, {16, 128, 1}}, "y");
    builder.output(y);
    const Graph graph = builder.take();
    auto problem = cutProblem(graph, {0, 1, 2, 3, 4}, test::sampleProfile(graph));
    EXPECT_TRUE(problem.ok()) << debugText(problem.error().message);
    return *std::move(problem);
}

TEST(Problem, FileKeepsEverything)
{
    const Problem problem = sampleProblem();
    const TemporaryFolder folder;
    ASSERT_TRUE(writeProblem(folder.path() / "p.kwp", problem).ok());
    const auto again = readProblem(folder.path() / "p.kwp");
    ASSERT_TRUE(again.ok()) << debugText(again.error().message);
    EXPECT_EQ(*again, problem);
    EXPECT_EQ(problem.id, problemId(problem));
    EXPECT_EQ(problem.id.size(), 16u);
}

TEST(Problem, HostileFilesAreRefused)
{
    const Problem good = sampleProblem();
    ASSERT_TRUE(validate(good).ok());
    const auto faulty = [&](auto change) {
        Problem problem = good;
        change(problem);
        return !parseProblem(problemText(problem)).ok();
    };
    EXPECT_FALSE(faulty([](Problem&) {}));
    EXPECT_TRUE(faulty([](Problem& p) { p.inputs[0].name = "x; int main"; }));
    EXPECT_TRUE(faulty([](Problem& p) { p.inputs[0].name = p.outputs[0].name; }));
    EXPECT_TRUE(faulty([](Problem& p) { p.inputs[0].value = 1000; }));
    EXPECT_TRUE(faulty([](Problem& p) { p.inputs[0].shape[0].dimension = 44; }));
    EXPECT_TRUE(faulty([](Problem& p) { p.inputs[0].strides[0] = 3; }));
    EXPECT_TRUE(faulty([](Problem& p) { p.inputs[0].dtype = DType::Half; }));
    EXPECT_TRUE(faulty([](Problem& p) { p.inputs[0].domain.deviation = -1; }));
    EXPECT_TRUE(faulty([](Problem& p) { p.inputs.pop_back(); }));
    EXPECT_TRUE(faulty([](Problem& p) { p.outputs.clear(); }));
    EXPECT_TRUE(faulty([](Problem& p) { p.dimensions[0].captured = -5; }));
    EXPECT_TRUE(faulty([](Problem& p) { p.shapes.clear(); }));
    EXPECT_TRUE(faulty([](Problem& p) { p.shapes[0].dimensions.push_back(1); }));
    EXPECT_TRUE(faulty([](Problem& p) { p.seconds = std::numeric_limits<double>::infinity(); }));
    EXPECT_TRUE(faulty([](Problem& p) { p.reference.nodes[0].arguments[0].value = ValueRef{77}; }));
    EXPECT_TRUE(faulty([](Problem& p) { p.sites[0].inputs.clear(); }));
    const std::string text = problemText(good);
    for (std::size_t length = 0; length < text.size(); length += 7)
        EXPECT_FALSE(parseProblem(text.substr(0, length)).ok());
}

TEST(Problem, RowsAreFreeAndTheSplitAxisIsFixed)
{
    const Problem problem = sampleProblem();
    ASSERT_EQ(problem.dimensions.size(), 1u);
    EXPECT_EQ(problem.dimensions[0].captured, 24);
    EXPECT_EQ(problem.inputs[0].shape, (std::vector<Size>{{0, 0}, {128, -1}}));
    EXPECT_EQ(problem.outputs[0].shape, (std::vector<Size>{{8, -1}, {0, 0}, {16, -1}}));
    EXPECT_TRUE(problem.inputs[1].sharedAcrossCalls);
}

TEST(Problem, StridesKeepOrderGapsAndBroadcasts)
{
    const TensorArgument padded{"x", DType::Float, {{0, 0}, {0, 1}}, {160, 1}, 0, {}, false};
    EXPECT_EQ(concreteStrides(padded, {24, 128}, {24, 128}), (Shape{160, 1}));
    EXPECT_EQ(concreteStrides(padded, {3, 128}, {24, 128}), (Shape{160, 1}));
    EXPECT_EQ(concreteStrides(padded, {3, 10}, {24, 128}), (Shape{42, 1})); // the gap of 32 elements stays
    const TensorArgument half{"x", DType::Float, {{0, 0}, {0, 1}}, {256, 1}, 0, {}, false};
    EXPECT_EQ(concreteStrides(half, {3, 10}, {24, 128}), (Shape{20, 1}));   // every second row stays every second row
    const TensorArgument turned{"x", DType::Float, {{8, -1}, {0, 0}, {16, -1}}, {16, 128, 1}, 0, {}, false};
    EXPECT_EQ(concreteStrides(turned, {5}, {24}), (Shape{16, 128, 1}));
    const TensorArgument spread{"x", DType::Float, {{0, 0}, {0, 1}}, {0, 1}, 0, {}, false};
    EXPECT_EQ(concreteStrides(spread, {5, 7}, {24, 128}), (Shape{0, 1}));
    EXPECT_EQ(concreteStrides(padded, {0, 10}, {24, 128}), (Shape{42, 1}));
}

TEST(Problem, ReferenceTakesOtherSizesAndTorchRunsIt)
{
    const Problem problem = sampleProblem();
    EXPECT_EQ(*referenceAt(problem, {24}), problem.reference);
    EXPECT_FALSE(referenceAt(problem, {24, 1}).ok());
    EXPECT_FALSE(referenceAt(problem, {-1}).ok());
    std::string text = "import torch\naten = torch.ops.aten\n";
    for (const std::int64_t rows : {1, 7, 0, 40}) {
        const auto graph = referenceAt(problem, {rows});
        ASSERT_TRUE(graph.ok()) << debugText(graph.error().message);
        ASSERT_TRUE(validate(*graph).ok());
        const std::string n = std::to_string(rows);
        text += *pytorchFunction(*graph, "f") + "x = torch.randn(" + n + ", 128)\nb = torch.randn(128)\n(y,) = f(x, b)\n"
            "z = torch.nn.functional.layer_norm(x + b, (128,)).view(" + n + ", 8, 16).transpose(0, 1) * 2\n"
            "assert torch.equal(y, z), 'differs at " + n + "'\n";
    }
    if (test::torchPython().empty())
        GTEST_SKIP() << "no Python with torch";
    EXPECT_EQ(test::runPython(text + "print('done')\n"), "done\n");
}

TEST(Problem, PytorchFileRunsAlone)
{
    if (test::torchPython().empty())
        GTEST_SKIP() << "no Python with torch";
    const auto text = pytorchText(sampleProblem());
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(test::runPython(*text + R"(
inputs = get_inputs()
assert [x.stride() for x in inputs] == [(160, 1), (1,)], [x.stride() for x in inputs]
(y,) = Model(*get_init_inputs())(*inputs)
x, b = inputs
z = torch.nn.functional.layer_norm(x + b, (128,)).view(24, 8, 16).transpose(0, 1) * 2
assert torch.equal(y, z)
print('done')
)"), "done\n");
}

TEST(Problem, IdIgnoresNamesAndFiguresButNotDomains)
{
    Problem problem = sampleProblem();
    const std::string id = problem.id;
    problem.inputs[0].name = "other";
    problem.seconds = 7;
    problem.inputs[0].domain.mean = 3;
    EXPECT_EQ(problemId(problem), id);
    problem.inputs[0].domain.bounded = true;
    EXPECT_NE(problemId(problem), id);
}

TEST(Dimensions, BroadcastsTieSizesAndNumbersFixThem)
{
    GraphBuilder builder("dims");
    const ValueId x = builder.input("x", DType::Float, {5, 7}), row = builder.input("row", DType::Float, {7});
    const ValueId other = builder.input("other", DType::Float, {7, 3});
    builder.output(builder.call("aten::add.Tensor", {{"self", ValueRef{x}}, {"other", ValueRef{row}}}, DType::Float, {5, 7}));
    builder.output(builder.call("aten::var.correction", {{"self", ValueRef{other}}, {"dim", intList({1})}, {"correction", std::int64_t{1}}}, DType::Float, {7}));
    const auto symbols = symbolicShapes(builder.graph());
    ASSERT_TRUE(symbols.ok());
    const auto shape = [&](ValueId id) { return symbols->shapes[static_cast<std::size_t>(id)]; };
    EXPECT_EQ(shape(x)[1], shape(row)[0]);
    EXPECT_NE(shape(x)[0], shape(x)[1]);
    EXPECT_NE(shape(other)[0], shape(row)[0]);           // 7 by chance only
    EXPECT_EQ(shape(other)[1], (Size{3, -1}));           // n - 1 is baked into the unbiased variance
    EXPECT_EQ(symbols->dimensions.size(), 3u);
}

} // namespace
} // namespace kw
