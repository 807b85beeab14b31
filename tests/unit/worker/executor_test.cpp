// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/executor.h"
#include "worker/capture.h"
#include "worker/python_operators.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace kw {
namespace {

/// Builds small graphs by name.
class Builder {
public:
    ValueId input(const std::string& name)
    {
        const ValueId id = value(name, ValueKind::Tensor);
        graph.inputs.push_back({id, InputKind::User, {}, false, {}});
        return id;
    }
    ValueId call(const std::string& target, std::vector<NamedArgument> arguments, ValueKind kind = ValueKind::Tensor)
    {
        const ValueId id = value("v" + std::to_string(graph.values.size()), kind);
        graph.nodes.push_back({target, std::move(arguments), {{{id}, false}}, {}, {}, {}});
        return id;
    }
    void output(ValueId id) { graph.outputs.push_back({ValueRef{id}, OutputKind::User, {}}); }
    Graph graph;

private:
    ValueId value(const std::string& name, ValueKind kind)
    {
        graph.values.push_back({name, kind, {}});
        return static_cast<ValueId>(graph.values.size() - 1);
    }
};

at::Tensor runOne(const Graph& graph, const std::vector<at::Tensor>& inputs, bool fp64 = false)
{
    ExecutorOptions options;
    options.fp64 = fp64;
    auto executor = Executor::prepare(graph, {}, options);
    EXPECT_TRUE(executor.ok()) << (executor ? "" : debugText(executor.error().message));
    auto outputs = executor->runTensors(inputs);
    EXPECT_TRUE(outputs.ok()) << (outputs ? "" : debugText(outputs.error().message));
    return outputs->front();
}

TEST(Executor, NumbersInPlaceOfTensorsDoNotChangeTheType)
{
    Builder builder;
    const ValueId x = builder.input("x");
    builder.output(builder.call("aten::mul.Tensor", {{"self", ValueRef{x}}, {"other", 1.5}}));
    EXPECT_EQ(runOne(builder.graph, {at::ones({3}, at::kHalf)}).scalar_type(), at::kHalf);
    EXPECT_EQ(runOne(builder.graph, {at::ones({}, at::kFloat)}).scalar_type(), at::kFloat);
    EXPECT_EQ(runOne(builder.graph, {at::ones({3}, at::kLong)}).scalar_type(), at::kFloat);
}

TEST(Executor, DefaultsListsAndSymbolicSizesAreBound)
{
    Builder builder;
    const ValueId x = builder.input("x");
    const ValueId rows = builder.call("aten::sym_size.int", {{"self", ValueRef{x}}, {"dim", std::int64_t{0}}}, ValueKind::SymInt);
    const ValueId twice = builder.call("python::mul", {{"", ValueRef{rows}}, {"", std::int64_t{2}}}, ValueKind::SymInt);
    const ValueId flat = builder.call("aten::view", {{"self", ValueRef{x}}, {"size", std::vector<IntItem>{{0, twice}, {-1, noValue}}}});
    const ValueId both = builder.call("aten::cat", {{"tensors", std::vector<ValueRef>{{flat}, {flat}}}, {"dim", std::int64_t{1}}});
    builder.output(both);
    const auto x0 = at::arange(12, at::kFloat).view({3, 4});
    EXPECT_TRUE(at::equal(runOne(builder.graph, {x0}), at::cat({x0.view({6, 2}), x0.view({6, 2})}, 1)));
}

TEST(Executor, DoubleReferenceIgnoresCastsToNarrowerTypes)
{
    Builder builder;
    const ValueId x = builder.input("x");
    const ValueId half = builder.call("aten::to.dtype", {{"self", ValueRef{x}}, {"dtype", DType::Half}});
    const ValueId back = builder.call("aten::to.dtype", {{"self", ValueRef{half}}, {"dtype", DType::Float}});
    builder.output(builder.call("aten::add.Tensor", {{"self", ValueRef{back}}, {"other", 1e-9}}));
    const auto result = runOne(builder.graph, {at::full({1}, 1.0, at::kFloat)}, true);
    EXPECT_EQ(result.scalar_type(), at::kDouble);
    EXPECT_EQ(result.item<double>(), 1.0 + 1e-9);
}

TEST(Executor, EveryRunStartsFromTheSameInputs)
{
    Builder builder;
    const ValueId x = builder.input("x");
    const ValueId row = builder.call("aten::select.int", {{"self", ValueRef{x}}, {"dim", std::int64_t{0}}, {"index", std::int64_t{0}}});
    builder.output(builder.call("aten::add_.Tensor", {{"self", ValueRef{row}}, {"other", 1.0}}));
    auto executor = Executor::prepare(builder.graph);
    ASSERT_TRUE(executor.ok());
    EXPECT_EQ(executor->mutatedInputs(), std::vector<ValueId>{x});
    const std::vector<at::Tensor> inputs{at::zeros({2, 2})};
    for (int run = 0; run < 3; ++run)
        EXPECT_TRUE(at::equal(executor->runTensors(inputs)->front(), at::ones({2})));
    EXPECT_TRUE(at::equal(inputs.front(), at::zeros({2, 2})));
}

TEST(Executor, RefusesWhatItMustNotRun)
{
    const auto refusal = [](const std::string& target, std::vector<NamedArgument> arguments = {}) {
        Builder builder;
        builder.input("x");
        builder.output(builder.call(target, std::move(arguments)));
        const auto executor = Executor::prepare(builder.graph);
        return executor ? std::string("accepted") : executor.error().message.id;
    };
    EXPECT_EQ(refusal("aten::no_such_operator"), "import.unknown_operator");
    EXPECT_EQ(refusal("aten::from_file", {{"filename", std::string("/etc/passwd")}}), "import.forbidden_operator");
    EXPECT_EQ(refusal("torchvision::nms"), "import.operator_library");
    EXPECT_EQ(refusal("higher_order::flex_attention"), "import.unsupported_operator");
    EXPECT_EQ(refusal("aten::relu"), "import.bad_call");
    EXPECT_EQ(refusal("aten::relu", {{"self", ValueRef{0}}, {"wrong", true}}), "import.bad_call");
}

TEST(Executor, AFailingOperatorIsAnErrorWithItsName)
{
    Builder builder;
    const ValueId x = builder.input("x");
    builder.output(builder.call("aten::mm", {{"self", ValueRef{x}}, {"mat2", ValueRef{x}}}));
    auto executor = Executor::prepare(builder.graph);
    const std::vector<at::Tensor> wrong{at::zeros({2, 3})};
    const auto outputs = executor->runTensors(wrong);
    ASSERT_FALSE(outputs.ok());
    EXPECT_EQ(outputs.error().message.id, "execute.operator_failed");
    EXPECT_EQ(debugText(outputs.error().message).find("Exception raised from"), std::string::npos) << "no backtrace in a message";
}

TEST(Executor, AskingForTooMuchMemoryIsAnError)
{
    Builder builder;
    builder.input("x");
    builder.output(builder.call("aten::full", {{"size", std::vector<IntItem>{{std::int64_t{1} << 46, noValue}}}, {"fill_value", 1.0}}));
    auto executor = Executor::prepare(builder.graph);
    const std::vector<at::Tensor> inputs{at::zeros({1})};
    EXPECT_EQ(executor->runTensors(inputs).error().message.id, "execute.out_of_memory");
}

c10::IValue python(const char* name, std::vector<c10::IValue> arguments)
{
    const auto function = findPythonOperator(name);
    EXPECT_NE(function, nullptr) << name;
    return function(arguments);
}

TEST(PythonOperators, DivideLikePython)
{
    // Python: -7 // 2 == -4, -7 % 2 == 1, 7 % -2 == -1, -7.5 // 2 == -4.0
    EXPECT_EQ(python("floordiv", {std::int64_t{-7}, std::int64_t{2}}).toInt(), -4);
    EXPECT_EQ(python("mod", {std::int64_t{-7}, std::int64_t{2}}).toInt(), 1);
    EXPECT_EQ(python("mod", {std::int64_t{7}, std::int64_t{-2}}).toInt(), -1);
    EXPECT_EQ(python("floordiv", {-7.5, std::int64_t{2}}).toDouble(), -4.0);
    EXPECT_EQ(python("truediv", {std::int64_t{1}, std::int64_t{2}}).toDouble(), 0.5);
    EXPECT_EQ(python("pow", {std::int64_t{-3}, std::int64_t{3}}).toInt(), -27);
    EXPECT_EQ(python("round", {2.5}).toInt(), 2);
    EXPECT_TRUE(python("le", {std::int64_t{2}, 2.0}).toBool());
    EXPECT_THROW(python("floordiv", {std::int64_t{1}, std::int64_t{0}}), std::invalid_argument);
    EXPECT_THROW(python("mul", {std::int64_t{1} << 62, std::int64_t{4}}), std::invalid_argument);
    EXPECT_EQ(findPythonOperator("system"), nullptr);
}

TEST(Statistics, CountAndAverageFiniteElementsOnly)
{
    const auto tensor = at::tensor({0.0F, 2.0F, -20000.0F, -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), 4.0F});
    const auto seen = statisticsOf(3, tensor);
    EXPECT_EQ(seen.value, 3);
    EXPECT_EQ(seen.finite, 4);
    EXPECT_EQ(seen.nonFinite, 2);
    EXPECT_EQ(seen.zeros, 1);
    EXPECT_EQ(seen.veryNegative, 2);
    EXPECT_EQ(seen.minimum, -20000);
    EXPECT_EQ(seen.maximum, 4);
    EXPECT_EQ(seen.largestOrdinary, 4);
    EXPECT_DOUBLE_EQ(seen.mean, -4998.5);
}

TEST(Statistics, DeviationIsThatOfThePopulation)
{
    const auto seen = statisticsOf(0, at::tensor({2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}));
    EXPECT_DOUBLE_EQ(seen.mean, 5);
    EXPECT_DOUBLE_EQ(seen.deviation, 2);
}

} // namespace
} // namespace kw
