// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/problem.h"

#include <string>
#include <utility>
#include <vector>

// Small problems with hand-drawn reference graphs. Header only, so that a test links no more layers than it tests.
namespace kw::test {

/// Draws a reference graph over row-major tensors. Sizes are those of the captured call.
class ProblemDrawing {
public:
    explicit ProblemDrawing(std::string name, std::vector<std::pair<std::string, std::int64_t>> dimensions)
    {
        m_problem.id = name;
        m_problem.name = std::move(name);
        m_problem.kind = RegionKind::RowReduction;
        for (auto& [label, size] : dimensions)
            m_problem.dimensions.push_back({label, size, true});
        m_problem.shapes.push_back({capturedSizes(), 1});
    }

    /// `axes` are indices of dimensions.
    ValueId input(const std::string& name, const std::vector<std::int32_t>& axes, bool weight = false, InputDomain domain = {})
    {
        const ValueId id = value(name, axes);
        TensorArgument argument = argumentFor(name, axes, id);
        argument.domain = domain;
        argument.sharedAcrossCalls = weight;
        m_problem.inputs.push_back(argument);
        m_problem.reference.inputs.push_back({id, InputKind::User, {}, false, {}});
        return id;
    }

    /// The result has the sizes of `axes`; an axis of -1 has size 1.
    ValueId node(const std::string& target, std::vector<NamedArgument> arguments, const std::vector<std::int32_t>& axes)
    {
        const ValueId id = value("v" + std::to_string(m_problem.reference.values.size()), axes);
        Node drawn;
        drawn.target = target;
        drawn.arguments = std::move(arguments);
        drawn.outputs.push_back({{id}, false});
        m_problem.reference.nodes.push_back(std::move(drawn));
        return id;
    }

    void output(const std::string& name, ValueId id, const std::vector<std::int32_t>& axes)
    {
        m_problem.outputs.push_back(argumentFor(name, axes, id));
        m_problem.reference.outputs.push_back({ValueRef{id}, OutputKind::User, {}});
    }

    Problem done() { return std::move(m_problem); }

private:
    std::vector<std::int64_t> capturedSizes() const
    {
        std::vector<std::int64_t> sizes;
        for (const Dimension& dimension : m_problem.dimensions)
            sizes.push_back(dimension.captured);
        return sizes;
    }

    ValueId value(const std::string& name, const std::vector<std::int32_t>& axes)
    {
        Value drawn;
        drawn.name = name;
        drawn.type = TensorType{DType::Float, {}, {}};
        for (const std::int32_t axis : axes)
            drawn.type->shape.push_back(axis < 0 ? 1 : m_problem.dimensions[static_cast<std::size_t>(axis)].captured);
        drawn.type->strides = contiguousStrides(drawn.type->shape);
        m_problem.reference.values.push_back(std::move(drawn));
        return static_cast<ValueId>(m_problem.reference.values.size() - 1);
    }

    TensorArgument argumentFor(const std::string& name, const std::vector<std::int32_t>& axes, ValueId id) const
    {
        TensorArgument argument;
        argument.name = name;
        argument.value = id;
        for (const std::int32_t axis : axes)
            argument.shape.push_back(axis < 0 ? Size{1, -1} : Size{0, axis});
        argument.strides = m_problem.reference.values[static_cast<std::size_t>(id)].type->strides;
        return argument;
    }

    Problem m_problem;
};

inline NamedArgument argument(const std::string& name, Argument value) { return {name, std::move(value)}; }
inline std::vector<IntItem> ints(std::vector<std::int64_t> numbers)
{
    std::vector<IntItem> items;
    for (const std::int64_t number : numbers)
        items.push_back({number, noValue});
    return items;
}

/// y = x / sqrt(mean(x x) + 1e-6) weight, over the last dimension.
inline Problem rmsNormProblem(std::int64_t rows = 48, std::int64_t columns = 160)
{
    ProblemDrawing draw("rms_norm", {{"d0", rows}, {"d1", columns}});
    const ValueId x = draw.input("x", {0, 1});
    const ValueId weight = draw.input("weight", {1}, true, InputDomain{DomainKind::Normal, 0, 1, 1, 0, false});
    const ValueId square = draw.node("aten::mul.Tensor", {argument("self", ValueRef{x}), argument("other", ValueRef{x})}, {0, 1});
    const ValueId mean = draw.node("aten::mean.dim",
        {argument("self", ValueRef{square}), argument("dim", ints({-1})), argument("keepdim", true)}, {0, -1});
    const ValueId moved = draw.node("aten::add.Scalar", {argument("self", ValueRef{mean}), argument("other", 1e-6)}, {0, -1});
    const ValueId root = draw.node("aten::rsqrt", {argument("self", ValueRef{moved})}, {0, -1});
    const ValueId scaled = draw.node("aten::mul.Tensor", {argument("self", ValueRef{x}), argument("other", ValueRef{root})}, {0, 1});
    const ValueId y = draw.node("aten::mul.Tensor", {argument("self", ValueRef{scaled}), argument("other", ValueRef{weight})}, {0, 1});
    draw.output("y", y, {0, 1});
    return draw.done();
}

/// y = softmax of x over the last dimension.
inline Problem softmaxProblem(std::int64_t rows = 48, std::int64_t columns = 160)
{
    ProblemDrawing draw("softmax", {{"d0", rows}, {"d1", columns}});
    const ValueId x = draw.input("x", {0, 1});
    const ValueId y = draw.node("aten::softmax.int", {argument("self", ValueRef{x}), argument("dim", std::int64_t{-1})}, {0, 1});
    draw.output("y", y, {0, 1});
    return draw.done();
}

/// y = gelu(x + bias) gate, with erf.
inline Problem geluProblem(std::int64_t rows = 48, std::int64_t columns = 160)
{
    ProblemDrawing draw("gelu_gate", {{"d0", rows}, {"d1", columns}});
    const ValueId x = draw.input("x", {0, 1});
    const ValueId bias = draw.input("bias", {1}, true);
    const ValueId gate = draw.input("gate", {0, 1});
    const ValueId sum = draw.node("aten::add.Tensor", {argument("self", ValueRef{x}), argument("other", ValueRef{bias})}, {0, 1});
    const ValueId gelu = draw.node("aten::gelu", {argument("self", ValueRef{sum})}, {0, 1});
    const ValueId y = draw.node("aten::mul.Tensor", {argument("self", ValueRef{gelu}), argument("other", ValueRef{gate})}, {0, 1});
    draw.output("y", y, {0, 1});
    return draw.done();
}

} // namespace kw::test
