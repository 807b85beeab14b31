// SPDX-License-Identifier: GPL-3.0-or-later
// The primitives of every operator against torch's own operator, in one run of Python.
#include "graph/builder.h"
#include "graph/decompose.h"
#include "torch_oracle.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

using Shape = std::vector<std::int64_t>;

struct Operand {
    DType dtype = DType::Float;
    Shape shape;
};

struct Case {
    std::string target;
    std::vector<Operand> operands;
    /// Values below count(operands) in a ValueRef mean the operand.
    std::vector<NamedArgument> arguments;
    std::vector<Operand> results;
    bool isList = false;
};

const Operand matrix{DType::Float, {5, 12}}, image{DType::Float, {2, 6, 7, 9}};
Argument ref(ValueId id) { return ValueRef{id}; }

Case unary(const std::string& name, std::vector<NamedArgument> more = {})
{
    std::vector<NamedArgument> arguments{{"self", ref(0)}};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return {"aten::" + name, {matrix}, std::move(arguments), {matrix}};
}

Case binary(const std::string& name, std::vector<NamedArgument> more = {}, DType result = DType::Float)
{
    std::vector<NamedArgument> arguments{{"self", ref(0)}, {"other", ref(1)}};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return {"aten::" + name, {matrix, {DType::Float, {12}}}, std::move(arguments), {{result, matrix.shape}}};
}

std::vector<Case> pointwiseCases()
{
    std::vector<Case> cases;
    for (const char* name : {"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal", "sin", "cos",
             "tan", "tanh", "sinh", "cosh", "asin", "acos", "atan", "erf", "erfc", "sigmoid", "neg", "abs", "floor", "ceil",
             "round", "trunc", "sgn", "sign", "relu", "relu6", "square", "silu", "gelu", "hardswish", "hardsigmoid", "mish",
             "log_sigmoid", "softplus", "selu"})
        cases.push_back(unary(name));
    cases.push_back(unary("gelu", {{"approximate", std::string("tanh")}}));
    cases.push_back(unary("elu", {{"alpha", 0.7}}));
    cases.push_back(unary("celu", {{"alpha", 0.7}}));
    cases.push_back(unary("leaky_relu", {{"negative_slope", 0.1}}));
    cases.push_back(unary("hardtanh", {{"min_val", -0.5}, {"max_val", 0.25}}));
    cases.push_back(unary("softplus", {{"beta", 2.0}, {"threshold", 3.0}}));
    cases.push_back(unary("threshold", {{"threshold", 0.1}, {"value", -2.0}}));
    cases.push_back(unary("hardshrink", {{"lambd", 0.3}}));
    cases.push_back(unary("clamp", {{"min", -0.5}, {"max", std::int64_t{1}}}));
    cases.push_back(unary("clamp_min", {{"min", 0.1}}));
    for (const double exponent : {0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.0, 2.4, -1.5})
        cases.push_back(unary("pow.Tensor_Scalar", {{"exponent", exponent}}));
    for (const char* name : {"add.Tensor", "sub.Tensor", "mul.Tensor", "div.Tensor", "maximum", "minimum", "atan2"})
        cases.push_back(binary(name));
    cases.push_back(binary("add.Tensor", {{"alpha", 2.5}}));
    cases.push_back(binary("sub.Tensor", {{"alpha", std::int64_t{3}}}));
    cases.push_back(binary("rsub.Tensor", {{"alpha", 0.5}}));
    cases.push_back(binary("div.Tensor_mode", {{"rounding_mode", std::string("trunc")}}));
    cases.push_back({"aten::pow.Tensor_Tensor", {matrix, matrix}, {{"self", ref(0)}, {"exponent", ref(1)}}, {matrix}});
    cases.push_back({"aten::pow.Scalar", {matrix}, {{"self", 1.7}, {"exponent", ref(0)}}, {matrix}});
    cases.push_back(unary("rsub.Scalar", {{"other", 1.5}}));
    for (const char* name : {"eq.Tensor", "ne.Tensor", "lt.Tensor", "le.Tensor", "gt.Tensor", "ge.Tensor", "logical_and", "logical_or", "logical_xor"})
        cases.push_back(binary(name, {}, DType::Bool));
    for (const char* name : {"isnan", "isinf", "isfinite", "logical_not"})
        cases.push_back({std::string("aten::") + name, {matrix}, {{"self", ref(0)}}, {{DType::Bool, matrix.shape}}});
    const Operand flags{DType::Bool, matrix.shape};
    for (const char* name : {"bitwise_and.Tensor", "bitwise_or.Tensor", "bitwise_xor.Tensor", "__and__.Tensor", "__or__.Tensor", "logical_and"})
        cases.push_back({std::string("aten::") + name, {flags, flags}, {{"self", ref(0)}, {"other", ref(1)}}, {flags}});
    cases.push_back({"aten::bitwise_not", {flags}, {{"self", ref(0)}}, {flags}});
    cases.push_back({"aten::where.self", {flags, matrix, matrix}, {{"condition", ref(0)}, {"self", ref(1)}, {"other", ref(2)}}, {matrix}});
    cases.push_back({"aten::masked_fill.Scalar", {matrix, flags}, {{"self", ref(0)}, {"mask", ref(1)}, {"value", -2.0}}, {matrix}});
    cases.push_back({"aten::addcmul", {matrix, matrix, matrix}, {{"self", ref(0)}, {"tensor1", ref(1)}, {"tensor2", ref(2)}, {"value", 0.3}}, {matrix}});
    cases.push_back({"aten::addcdiv", {matrix, matrix, matrix}, {{"self", ref(0)}, {"tensor1", ref(1)}, {"tensor2", ref(2)}}, {matrix}});
    cases.push_back({"aten::lerp.Scalar", {matrix, matrix}, {{"self", ref(0)}, {"end", ref(1)}, {"weight", 0.8}}, {matrix}});
    cases.push_back({"aten::prelu", {image, {DType::Float, {6}}}, {{"self", ref(0)}, {"weight", ref(1)}}, {image}});
    cases.push_back({"aten::mul.Tensor", {{DType::Int64, {5, 12}}, matrix}, {{"self", ref(0)}, {"other", ref(1)}}, {matrix}});
    cases.push_back({"aten::mul.Tensor", {{DType::Bool, {5, 12}}}, {{"self", ref(0)}, {"other", 0.5}}, {matrix}});
    cases.push_back({"aten::to.dtype", {{DType::Int64, {5, 12}}}, {{"self", ref(0)}, {"dtype", DType::Float}}, {matrix}});
    cases.push_back({"aten::glu", {matrix}, {{"self", ref(0)}, {"dim", std::int64_t{-1}}}, {{DType::Float, {5, 6}}}});
    return cases;
}

std::vector<Case> reductionCases()
{
    std::vector<Case> cases;
    const Operand column{DType::Float, {5, 1}}, row{DType::Float, {12}};
    // Not among the special values: torch fuses its multiply and add, so huge weights overflow elsewhere.
    cases.push_back({"aten::lerp.Tensor", {matrix, matrix, matrix}, {{"self", ref(0)}, {"end", ref(1)}, {"weight", ref(2)}}, {matrix}});
    for (const char* name : {"sum.dim_IntList", "mean.dim", "amax", "amin", "logsumexp"}) {
        cases.push_back({std::string("aten::") + name, {matrix}, {{"self", ref(0)}, {"dim", intList({-1})}, {"keepdim", true}}, {column}});
        cases.push_back({std::string("aten::") + name, {matrix}, {{"self", ref(0)}, {"dim", intList({0})}}, {row}});
    }
    cases.push_back({"aten::sum", {image}, {{"self", ref(0)}}, {{DType::Float, {}}}});
    cases.push_back({"aten::mean", {image}, {{"self", ref(0)}}, {{DType::Float, {}}}});
    for (const std::int64_t correction : {0, 1, 3}) {
        const std::vector<NamedArgument> arguments{{"self", ref(0)}, {"dim", intList({1})}, {"correction", correction}, {"keepdim", true}};
        cases.push_back({"aten::var.correction", {matrix}, arguments, {column}});
        cases.push_back({"aten::std.correction", {matrix}, arguments, {column}});
        cases.push_back({"aten::var_mean.correction", {matrix}, arguments, {column, column}});
    }
    cases.push_back({"aten::var.dim", {matrix}, {{"self", ref(0)}, {"dim", intList({0})}, {"unbiased", false}}, {row}});
    for (const char* name : {"softmax.int", "log_softmax.int"}) {
        cases.push_back({std::string("aten::") + name, {matrix}, {{"self", ref(0)}, {"dim", std::int64_t{-1}}}, {matrix}});
        cases.push_back({std::string("aten::") + name, {image}, {{"self", ref(0)}, {"dim", std::int64_t{1}}}, {image}});
    }
    for (const double order : {1.0, 2.0, std::numeric_limits<double>::infinity()})
        cases.push_back({"aten::linalg_vector_norm", {matrix}, {{"self", ref(0)}, {"ord", order}, {"dim", intList({1})}, {"keepdim", true}}, {column}});
    cases.push_back({"aten::mse_loss", {matrix, matrix}, {{"self", ref(0)}, {"target", ref(1)}}, {{DType::Float, {}}}});
    cases.push_back({"aten::l1_loss", {matrix, matrix}, {{"self", ref(0)}, {"target", ref(1)}, {"reduction", std::int64_t{2}}}, {{DType::Float, {}}}});
    cases.push_back({"aten::adaptive_avg_pool2d", {image}, {{"self", ref(0)}, {"output_size", intList({1, 1})}}, {{DType::Float, {2, 6, 1, 1}}}});
    const Operand channel{DType::Float, {6}};
    cases.push_back({"aten::layer_norm", {matrix, row, row}, {{"input", ref(0)}, {"normalized_shape", intList({12})}, {"weight", ref(1)}, {"bias", ref(2)}, {"eps", 1e-3}}, {matrix}});
    cases.push_back({"aten::layer_norm", {image}, {{"input", ref(0)}, {"normalized_shape", intList({7, 9})}}, {image}});
    cases.push_back({"aten::native_layer_norm", {matrix, row}, {{"input", ref(0)}, {"normalized_shape", intList({12})}, {"weight", ref(1)}, {"bias", std::monostate()}, {"eps", 1e-3}}, {matrix, column, column}});
    cases.push_back({"aten::rms_norm", {matrix, row}, {{"input", ref(0)}, {"normalized_shape", intList({12})}, {"weight", ref(1)}, {"eps", 1e-4}}, {matrix}});
    cases.push_back({"aten::rms_norm", {matrix}, {{"input", ref(0)}, {"normalized_shape", intList({12})}}, {matrix}});
    cases.push_back({"aten::group_norm", {image, channel, channel}, {{"input", ref(0)}, {"num_groups", std::int64_t{3}}, {"weight", ref(1)}, {"bias", ref(2)}}, {image}});
    cases.push_back({"aten::instance_norm", {image, channel, channel}, {{"input", ref(0)}, {"weight", ref(1)}, {"bias", ref(2)}, {"running_mean", std::monostate()}, {"running_var", std::monostate()}, {"use_input_stats", true}, {"momentum", 0.1}, {"eps", 1e-5}, {"cudnn_enabled", false}}, {image}});
    cases.push_back({"aten::batch_norm", {image, channel, channel, channel, channel}, {{"input", ref(0)}, {"weight", ref(1)}, {"bias", ref(2)}, {"running_mean", ref(3)}, {"running_var", ref(4)}, {"training", false}, {"momentum", 0.1}, {"eps", 1e-5}, {"cudnn_enabled", false}}, {image}});
    return cases;
}

std::vector<Case> movingCases()
{
    std::vector<Case> cases;
    const auto self = [](std::vector<NamedArgument> more) {
        more.insert(more.begin(), {"self", ref(0)});
        return more;
    };
    const auto one = [&](const std::string& name, std::vector<NamedArgument> more, Shape result) {
        cases.push_back({"aten::" + name, {image}, self(std::move(more)), {{DType::Float, std::move(result)}}});
    };
    one("permute", {{"dims", intList({3, -4, 2, 1})}}, {9, 2, 7, 6});
    one("transpose.int", {{"dim0", std::int64_t{1}}, {"dim1", std::int64_t{-1}}}, {2, 9, 7, 6});
    one("movedim.intlist", {{"source", intList({0, 1})}, {"destination", intList({-1, 0})}}, {6, 7, 9, 2});
    one("slice.Tensor", {{"dim", std::int64_t{-1}}, {"start", std::int64_t{-7}}, {"end", std::int64_t{8}}, {"step", std::int64_t{2}}}, {2, 6, 7, 3});
    one("select.int", {{"dim", std::int64_t{1}}, {"index", std::int64_t{-2}}}, {2, 7, 9});
    one("narrow", {{"dim", std::int64_t{2}}, {"start", std::int64_t{2}}, {"length", std::int64_t{3}}}, {2, 6, 3, 9});
    one("flip", {{"dims", intList({1, -1})}}, image.shape);
    one("roll", {{"shifts", intList({2, -3})}, {"dims", intList({1, 3})}}, image.shape);
    one("repeat", {{"repeats", intList({2, 1, 3, 1, 2})}}, {2, 2, 18, 7, 18});
    one("repeat_interleave.self_int", {{"repeats", std::int64_t{3}}, {"dim", std::int64_t{1}}}, {2, 18, 7, 9});
    one("expand", {{"size", intList({3, 2, 6, 7, 9})}}, {3, 2, 6, 7, 9});
    one("unsqueeze", {{"dim", std::int64_t{-1}}}, {2, 6, 7, 9, 1});
    one("flatten.using_ints", {{"start_dim", std::int64_t{1}}, {"end_dim", std::int64_t{2}}}, {2, 42, 9});
    one("unflatten.int", {{"dim", std::int64_t{1}}, {"sizes", intList({2, 3})}}, {2, 2, 3, 7, 9});
    one("constant_pad_nd", {{"pad", intList({1, 2, 0, 3})}, {"value", 1.5}}, {2, 6, 10, 12});
    one("reflection_pad2d", {{"padding", intList({1, 2, 3, 0})}}, {2, 6, 10, 12});
    one("replication_pad2d", {{"padding", intList({4, 1, 0, 2})}}, {2, 6, 9, 14});
    one("pad", {{"pad", intList({2, 2, 1, 1})}, {"mode", std::string("reflect")}}, {2, 6, 9, 13});
    one("avg_pool2d", {{"kernel_size", intList({3})}, {"stride", intList({1})}, {"padding", intList({1})}, {"ceil_mode", false}, {"count_include_pad", false}}, image.shape);
    one("avg_pool2d", {{"kernel_size", intList({3, 2})}}, {2, 6, 2, 4});
    cases.push_back({"aten::avg_pool1d", {{DType::Float, {2, 3, 11}}}, self({{"kernel_size", intList({3})}, {"stride", intList({1})}, {"padding", intList({1})}}), {{DType::Float, {2, 3, 11}}}});
    cases.push_back({"aten::pixel_shuffle", {{DType::Float, {2, 8, 3, 5}}}, self({{"upscale_factor", std::int64_t{2}}}), {{DType::Float, {2, 2, 6, 10}}}});
    const std::vector<Operand> parts{{DType::Float, {2, 5, 7, 9}}, {DType::Float, {2, 1, 7, 9}}};
    cases.push_back({"aten::split_with_sizes", {image}, self({{"split_sizes", intList({5, 1})}, {"dim", std::int64_t{1}}}), parts, true});
    cases.push_back({"aten::chunk", {matrix}, self({{"chunks", std::int64_t{2}}, {"dim", std::int64_t{-1}}}), {{DType::Float, {5, 6}}, {DType::Float, {5, 6}}}, true});
    cases.push_back({"aten::unbind.int", {{DType::Float, {3, 4}}}, self({{"dim", std::int64_t{0}}}), {{DType::Float, {4}}, {DType::Float, {4}}, {DType::Float, {4}}}, true});
    cases.push_back({"aten::cat", {matrix, {DType::Float, {5, 3}}}, {{"tensors", std::vector<ValueRef>{{0}, {1}, {0}}}, {"dim", std::int64_t{-1}}}, {{DType::Float, {5, 27}}}});
    cases.push_back({"aten::stack", {matrix, matrix}, {{"tensors", std::vector<ValueRef>{{0}, {1}}}, {"dim", std::int64_t{1}}}, {{DType::Float, {5, 2, 12}}}});
    cases.push_back({"aten::full", {}, {{"size", intList({2, 3})}, {"fill_value", 0.25}}, {{DType::Float, {2, 3}}}});
    cases.push_back({"aten::arange.start_step", {}, {{"start", std::int64_t{2}}, {"end", std::int64_t{11}}, {"step", std::int64_t{3}}}, {{DType::Int64, {3}}}});
    cases.push_back({"aten::ones_like", {matrix}, self({}), {matrix}});
    return cases;
}

Graph graphOf(const Case& entry)
{
    GraphBuilder builder("case");
    for (const Operand& operand : entry.operands)
        builder.input("x", operand.dtype, operand.shape);
    Node node;
    node.target = entry.target;
    node.arguments = entry.arguments;
    if (entry.isList)
        node.outputs.push_back({{}, true});
    for (const Operand& result : entry.results) {
        const ValueId id = builder.value("y", rowMajor(result.dtype, result.shape));
        if (entry.isList)
            node.outputs.front().values.push_back(id);
        else
            node.outputs.push_back({{id}, false});
        builder.output(id);
    }
    builder.add(std::move(node));
    return builder.take();
}

std::string drawsOf(const Case& entry)
{
    std::string text;
    for (const Operand& operand : entry.operands) {
        std::string shape;
        for (const std::int64_t size : operand.shape)
            shape += std::to_string(size) + ",";
        text += "draw(torch." + std::string(dtypeName(operand.dtype)) + ", (" + shape + "), " + (entry.target.find("norm") != std::string::npos ? "True" : "False") + "), ";
    }
    return text;
}

constexpr const char* preamble = R"(import torch
aten = torch.ops.aten
torch.manual_seed(1)
def draw(dtype, shape, positive):
    if dtype == torch.bool: return torch.rand(shape) < 0.5
    if not dtype.is_floating_point: return torch.randint(-5, 6, shape)
    x = torch.randn(shape, dtype=dtype)
    return x.abs() + 0.1 if positive and len(shape) == 1 else x
def special(x):
    if not x.is_floating_point(): return x
    values = torch.tensor([float('nan'), float('inf'), -float('inf'), 0.0, -0.0, 1e-40, -1e-40, 3e38, -3e38, 1e4, -1e4, 88.8])
    x = x.clone()
    flat = x.view(-1)
    place = torch.randperm(flat.numel())[:12]
    flat[place] = values[:len(place)]
    return x
def wide(x): return x.double() if x.is_floating_point() else x
def same(name, f, g, inputs, exact):
    # At the ends of the range the library's vector code depends on the CPU; there its double precision decides.
    for a, b, c in zip(f(*inputs), g(*inputs), f(*[wide(x) for x in inputs])):
        if a.shape != b.shape or a.dtype != b.dtype: print('TYPE', name, a.dtype, b.dtype, a.shape, b.shape)
        elif exact and not torch.equal(a, b): print('DIFFERS', name)
        else:
            bad = ~torch.isclose(a.double(), b.double(), rtol=4e-6, atol=2e-6, equal_nan=True)
            bad &= ~torch.isclose(c.to(b.dtype).double(), b.double(), rtol=4e-6, atol=2e-6, equal_nan=True)
            if bad.any(): print('WRONG', name, a[bad][:4].tolist(), b[bad][:4].tolist())
)";

void compare(const std::vector<Case>& cases, bool exact, bool specials)
{
    if (test::torchPython().empty())
        GTEST_SKIP() << "no Python with torch";
    std::string text = preamble;
    for (std::size_t index = 0; index < cases.size(); ++index) {
        const Graph graph = graphOf(cases[index]);
        ASSERT_TRUE(validate(graph).ok()) << cases[index].target;
        const auto primitives = decompose(graph);
        ASSERT_TRUE(primitives.ok()) << cases[index].target << ": " << debugText(primitives.error().message);
        ASSERT_TRUE(validate(primitives->graph).ok()) << cases[index].target;
        const auto before = pytorchFunction(graph, "before"), after = pytorchFunction(primitives->graph, "after");
        ASSERT_TRUE(before.ok() && after.ok()) << cases[index].target;
        text += *before + *after + "inputs = [" + drawsOf(cases[index]) + "]\n";
        const std::string call = "same('" + cases[index].target + "', before, after, inputs, " + (exact ? "True" : "False") + ")\n";
        text += call;
        if (specials)
            text += "inputs = [special(x) for x in inputs]\n" + call;
    }
    EXPECT_EQ(test::runPython(text + "print('done')\n"), "done\n");
}

TEST(DecomposeTorch, BordersMoveBehindPointwiseOperators)
{
    GraphBuilder builder("window");
    const ValueId x = builder.input("x", DType::Float, {2, 3, 8, 9});
    const auto pad = [&](ValueId value) {
        return builder.call("aten::reflection_pad2d", {{"self", ref(value)}, {"padding", intList({1, 1, 2, 0})}}, DType::Float, {2, 3, 10, 11});
    };
    const ValueId a = pad(x), b = pad(builder.call("aten::exp", {{"self", ref(x)}}, DType::Float, {2, 3, 8, 9}));
    const ValueId product = builder.call("aten::mul.Tensor", {{"self", ref(a)}, {"other", ref(b)}}, DType::Float, {2, 3, 10, 11});
    const ValueId sum = builder.call("aten::add.Tensor", {{"self", ref(product)}, {"other", 1.5}}, DType::Float, {2, 3, 10, 11});
    builder.output(builder.call("aten::avg_pool2d", {{"self", ref(sum)}, {"kernel_size", intList({3, 3})}, {"stride", intList({1, 1})}}, DType::Float, {2, 3, 8, 9}));
    builder.output(a);
    const auto primitives = decompose(builder.graph());
    ASSERT_TRUE(primitives.ok());
    ASSERT_TRUE(validate(primitives->graph).ok());
    std::vector<std::string> targets;
    for (const Node& node : primitives->graph.nodes)
        targets.push_back(node.target);
    EXPECT_EQ(targets, (std::vector<std::string>{"aten::reflection_pad2d", "aten::exp", "aten::mul.Tensor", "aten::add.Tensor",
        "aten::reflection_pad2d", "aten::avg_pool2d"}));
    EXPECT_EQ(primitives->nodeOf, (std::vector<std::int32_t>{0, 1, 3, 4, 4, 5}));
    if (test::torchPython().empty())
        GTEST_SKIP() << "no Python with torch";
    const std::string text = preamble + *pytorchFunction(builder.graph(), "before") + *pytorchFunction(primitives->graph, "after")
        + "same('borders', before, after, [draw(torch.float32, (2, 3, 8, 9), False)], True)\nprint('done')\n";
    EXPECT_EQ(test::runPython(text), "done\n");
}

TEST(DecomposeTorch, PointwiseAgreesIncludingSpecialValues) { compare(pointwiseCases(), false, true); }
TEST(DecomposeTorch, ReductionsAgree) { compare(reductionCases(), false, false); }
TEST(DecomposeTorch, MovedElementsAreEqual) { compare(movingCases(), false, false); }

} // namespace
} // namespace kw
