// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/lowerer.h"
#include "codegen/names.h"
#include "codegen/refusal.h"

#include "graph/builder.h"

#include <algorithm>
#include <unordered_map>

namespace kw {

namespace {

/// Primitive overload -> function of the loop IR.
const std::unordered_map<std::string, std::string>& pointwiseFunctions()
{
    static const std::unordered_map<std::string, std::string> map{{"aten::add.Tensor", "add"}, {"aten::sub.Tensor", "sub"},
        {"aten::mul.Tensor", "mul"}, {"aten::div.Tensor", "div"}, {"aten::pow.Tensor_Scalar", "pow"},
        {"aten::pow.Tensor_Tensor", "pow"}, {"aten::pow.Scalar", "pow"}, {"aten::maximum", "maximum"},
        {"aten::minimum", "minimum"}, {"aten::neg", "neg"}, {"aten::abs", "abs"}, {"aten::sgn", "sign"}, {"aten::exp", "exp"},
        {"aten::exp2", "exp2"}, {"aten::expm1", "expm1"}, {"aten::log", "log"}, {"aten::log2", "log2"},
        {"aten::log10", "log10"}, {"aten::log1p", "log1p"}, {"aten::sqrt", "sqrt"}, {"aten::rsqrt", "rsqrt"},
        {"aten::reciprocal", "reciprocal"}, {"aten::sin", "sin"}, {"aten::cos", "cos"}, {"aten::tan", "tan"},
        {"aten::tanh", "tanh"}, {"aten::sinh", "sinh"}, {"aten::cosh", "cosh"}, {"aten::asin", "asin"},
        {"aten::acos", "acos"}, {"aten::atan", "atan"}, {"aten::erf", "erf"}, {"aten::erfc", "erfc"},
        {"aten::sigmoid", "sigmoid"}, {"aten::floor", "floor"}, {"aten::ceil", "ceil"}, {"aten::round", "round"},
        {"aten::trunc", "trunc"}, {"aten::atan2", "atan2"}, {"aten::eq.Tensor", "eq"}, {"aten::ne.Tensor", "ne"},
        {"aten::lt.Tensor", "lt"}, {"aten::le.Tensor", "le"}, {"aten::gt.Tensor", "gt"}, {"aten::ge.Tensor", "ge"},
        {"aten::logical_and", "and"}, {"aten::logical_or", "or"}, {"aten::logical_xor", "xor"}, {"aten::logical_not", "not"},
        {"aten::isnan", "isnan"}, {"aten::isinf", "isinf"}, {"aten::isfinite", "isfinite"}, {"aten::where.self", "where"},
        {"aten::_to_copy", "convert"}};
    return map;
}

} // namespace

void Lowerer::lowerNode(const Node& node)
{
    const std::string name = identifierFrom(node.outputs.empty() || node.outputs.front().values.empty()
            ? std::string()
            : m_graph.values.at(static_cast<std::size_t>(node.outputs.front().values.front())).name, "value");
    if (lowerPointwise(node, name) || lowerReduction(node, name) || lowerMap(node, name) || lowerCreation(node, name))
        return;
    throw CodegenRefused(Message("codegen.refused.operator").with("node", name).with("operator", node.target));
}

IrNode Lowerer::fresh(const Node& node, IrKind kind) const
{
    const Value& value = m_graph.values.at(static_cast<std::size_t>(node.outputs.at(0).values.at(0)));
    IrNode result;
    result.kind = kind;
    result.name = identifierFrom(value.name, "value");
    result.dtype = value.type.value().dtype;
    result.shape = value.type->shape;
    for (const std::int64_t size : result.shape)
        if (size == 0)
            refuse("empty", result.name);
    return result;
}

void Lowerer::bind(const Node& node, IrNode result)
{
    m_nodeOf.at(static_cast<std::size_t>(node.outputs.at(0).values.at(0))) = add(std::move(result));
}

std::int32_t Lowerer::number(double value)
{
    IrNode node;
    node.kind = IrKind::Number;
    node.number = value;
    node.name = "constant";
    return add(std::move(node));
}

std::int32_t Lowerer::tensor(const Node& node, const char* name) const
{
    const ValueId value = valueOf(findArgument(node, name));
    const std::int32_t found = value == noValue ? -1 : m_nodeOf.at(static_cast<std::size_t>(value));
    if (found < 0)
        refuse("argument", node.target);
    return found;
}

std::int32_t Lowerer::operand(const Node& node, const char* name)
{
    const Argument* argument = findArgument(node, name);
    if (const auto value = numberOf(argument))
        return number(*value);
    return tensor(node, name);
}

std::int64_t Lowerer::integer(const Node& node, const char* name) const
{
    const auto value = intOf(findArgument(node, name));
    if (!value)
        refuse("argument", node.target);
    return *value;
}

std::vector<std::int64_t> Lowerer::integers(const Node& node, const char* name) const
{
    const auto values = intsOf(findArgument(node, name));
    if (!values)
        refuse("argument", node.target);
    return *values;
}

/// A pointwise call of nodes that are already there; shapes broadcast.
std::int32_t Lowerer::call(const std::string& function, std::vector<std::int32_t> arguments, DType dtype, const std::string& name)
{
    IrNode node;
    node.kind = IrKind::Call;
    node.function = function;
    node.dtype = dtype;
    node.name = name;
    std::size_t rank = 0;
    for (const std::int32_t argument : arguments)
        rank = std::max(rank, shapeOf(argument).size());
    node.shape.assign(rank, 1);
    node.axes.assign(rank, noAxis);
    for (const std::int32_t argument : arguments) {
        const auto& shape = shapeOf(argument);
        const auto& axes = axesOf(argument);
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const std::size_t at = rank - shape.size() + i;
            if (axes[i] == noAxis)
                continue;
            if (node.axes[at] == noAxis)
                node.axes[at] = axes[i];
            else if (!m_data->axes.unify(node.axes[at], axes[i]))
                refuse("shape", name);
            node.shape[at] = shape[i];
        }
    }
    node.arguments = std::move(arguments);
    return add(std::move(node));
}

bool Lowerer::lowerPointwise(const Node& node, const std::string& name)
{
    const auto found = pointwiseFunctions().find(node.target);
    if (found == pointwiseFunctions().end())
        return false;
    const IrNode wanted = fresh(node, IrKind::Call);
    std::vector<std::int32_t> arguments;
    if (found->second == "where")
        arguments.push_back(tensor(node, "condition"));
    for (const char* argument : {"self", "exponent", "other"})
        if (findArgument(node, argument))
            arguments.push_back(operand(node, argument));
    const std::int32_t result = call(found->second, arguments, wanted.dtype, name);
    if (shapeOf(result) != wanted.shape)
        refuse("shape", name);
    m_nodeOf.at(static_cast<std::size_t>(node.outputs.at(0).values.at(0))) = result;
    return true;
}

bool Lowerer::lowerReduction(const Node& node, const std::string& name)
{
    const bool mean = node.target == "aten::mean.dim";
    const bool sum = mean || node.target == "aten::sum.dim_IntList";
    if (!sum && node.target != "aten::amax" && node.target != "aten::amin")
        return false;
    IrNode result = fresh(node, IrKind::Reduce);
    const std::int32_t self = tensor(node, "self");
    if (result.dtype != DType::Float || m_data->nodes[static_cast<std::size_t>(self)].dtype != DType::Float)
        refuse("integer_reduction", name);
    result.function = sum ? "sum" : node.target.substr(6);
    result.arguments = {self};
    result.integers = integers(node, "dim");
    result.keep = boolOf(findArgument(node, "keepdim")).value_or(false);
    std::vector<AxisId> reduced;
    for (std::size_t i = 0; i < axesOf(self).size(); ++i) {
        const bool over = std::find(result.integers.begin(), result.integers.end(), static_cast<std::int64_t>(i)) != result.integers.end();
        if (!over)
            result.axes.push_back(axesOf(self)[i]);
        else if (result.keep)
            result.axes.push_back(noAxis);
        if (over && axesOf(self)[i] != noAxis)
            reduced.push_back(axesOf(self)[i]);
    }
    if (result.axes.size() != result.shape.size())
        refuse("shape", name);
    ++m_data->reductions;
    const std::string plain = result.name;
    if (!mean) {
        bind(node, std::move(result));
        return true;
    }
    result.name = identifierFrom(plain + "_sum", "total");
    IrNode count;
    count.kind = IrKind::Size;
    count.sizes = std::move(reduced);
    count.name = "count";
    const std::int32_t total = add(std::move(result));
    const std::int32_t size = add(std::move(count));
    const std::int32_t quotient = call("div", {total, size}, DType::Float, plain);
    m_nodeOf.at(static_cast<std::size_t>(node.outputs.at(0).values.at(0))) = quotient;
    return true;
}

bool Lowerer::lowerCreation(const Node& node, const std::string& name)
{
    if (node.target == "aten::full") {
        const auto value = numberOf(findArgument(node, "fill_value"));
        IrNode result = fresh(node, IrKind::Expand);
        if (!value)
            refuse("argument", name);
        IrNode constant;
        constant.kind = IrKind::Number;
        constant.number = *value;
        constant.dtype = result.dtype;
        constant.name = name;
        result.arguments = {add(std::move(constant))};
        for (const std::int64_t size : result.shape)
            result.axes.push_back(freshAxis(size));
        bind(node, std::move(result));
        return true;
    }
    if (node.target == "aten::arange.start_step") {
        IrNode result = fresh(node, IrKind::Position);
        result.number = static_cast<double>(integer(node, "start"));
        result.integers = {integer(node, "step")};
        result.axes = {freshAxis(result.shape.at(0))};
        bind(node, std::move(result));
        return true;
    }
    return false;
}

} // namespace kw
