// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/problem.h"

#include "graph/builder.h"
#include "problem/dims.h"

#include <limits>

namespace kw {
namespace {

Error cannotResize(std::string node)
{
    return Error{Message("problem.cannot_resize").with("node", std::move(node)), {}};
}

/// The problem's dimension of every dimension that the analysis found; -1: it appears inside only.
Result<std::vector<std::int32_t>> matchDimensions(const Problem& problem, const SymbolicShapes& symbols)
{
    std::vector<std::int32_t> match(symbols.dimensions.size(), -1);
    for (const auto* arguments : {&problem.inputs, &problem.outputs})
        for (const TensorArgument& argument : *arguments) {
            const auto& shape = symbols.shapes.at(static_cast<std::size_t>(argument.value));
            for (std::size_t axis = 0; axis < argument.shape.size() && axis < shape.size(); ++axis) {
                const std::int32_t wanted = argument.shape[axis].dimension, found = shape[axis].dimension;
                if (found >= 0 && wanted >= 0)
                    match[static_cast<std::size_t>(found)] = wanted;
            }
        }
    return match;
}

/// Shapes and strides at new sizes. One thread; works on a copy of the reference.
class Resizer {
public:
    Resizer(const Problem& problem, std::vector<std::int64_t> sizes, SymbolicShapes symbols, std::vector<std::int32_t> match)
        : m_problem(problem), m_graph(problem.reference), m_sizes(std::move(sizes)), m_captured(capturedDimensions(problem)),
          m_symbols(std::move(symbols)), m_match(std::move(match))
    {
    }

    Result<Graph> run()
    {
        for (std::size_t value = 0; value < m_graph.values.size(); ++value)
            resize(value);
        for (const auto* arguments : {&m_problem.inputs, &m_problem.outputs})
            for (const TensorArgument& argument : *arguments)
                if (concreteShape(argument.shape, m_sizes) != shapeOf(argument.value))
                    return cannotResize(m_graph.values[static_cast<std::size_t>(argument.value)].name);
        for (Node& node : m_graph.nodes)
            rewrite(node);
        if (const auto checked = decompose(m_graph); !checked)
            return cannotResize(debugText(checked.error().message));
        return std::move(m_graph);
    }

private:
    const std::vector<std::int64_t>& shapeOf(ValueId id) const { return m_graph.values[static_cast<std::size_t>(id)].type->shape; }
    const std::vector<std::int64_t>& capturedShape(ValueId id) const
    {
        return m_problem.reference.values[static_cast<std::size_t>(id)].type->shape;
    }

    void resize(std::size_t value)
    {
        auto& type = m_graph.values[value].type;
        TensorArgument argument;
        argument.strides = type->strides;
        for (const Size& size : m_symbols.shapes[value]) {
            const std::int32_t match = size.dimension < 0 ? -1 : m_match[static_cast<std::size_t>(size.dimension)];
            const bool inner = size.dimension >= 0 && match < 0;
            argument.shape.push_back(inner ? Size{m_symbols.dimensions[static_cast<std::size_t>(size.dimension)].captured, -1}
                                           : Size{size.constant, match});
        }
        type->strides = concreteStrides(argument, m_sizes, m_captured);
        type->shape = concreteShape(argument.shape, m_sizes);
    }

    void set(Node& node, std::string_view name, Argument value)
    {
        for (NamedArgument& argument : node.arguments)
            if (argument.name == name)
                argument.value = std::move(value);
    }

    /// Numbers in the call that repeat a size.
    void rewrite(Node& node)
    {
        const auto written = writtenValues(node);
        if (written.empty() || shapeOf(written.front()) == capturedShape(written.front()))
            return;
        const auto& result = shapeOf(written.front());
        if (node.target == "aten::reshape")
            set(node, "shape", intList(result));
        else if (node.target == "aten::slice.Tensor" || node.target == "aten::narrow")
            openSlice(node, written.front());
        else if (node.target == "aten::native_group_norm")
            groupNorm(node);
        else
            set(node, "size", intList(result));
        if (const auto last = intsOf(findArgument(node, "normalized_shape"))) {
            std::vector<std::int64_t> tail(result.end() - static_cast<std::ptrdiff_t>(last->size()), result.end());
            set(node, "normalized_shape", intList(tail));
        }
    }

    /// A slice that takes the whole axis goes on taking it.
    void openSlice(Node& node, ValueId written)
    {
        const ValueId self = valueOf(findArgument(node, "self"));
        const auto rank = static_cast<std::int64_t>(shapeOf(written).size());
        const std::int64_t wanted = intOf(findArgument(node, "dim")).value_or(0);
        const auto axis = static_cast<std::size_t>(wanted < 0 ? wanted + rank : wanted);
        if (capturedShape(self)[axis] != capturedShape(written)[axis])
            return;
        set(node, "end", std::numeric_limits<std::int64_t>::max());
        set(node, "length", shapeOf(self)[axis]);
    }

    void groupNorm(Node& node)
    {
        const auto& shape = shapeOf(valueOf(findArgument(node, "input")));
        std::int64_t positions = 1;
        for (std::size_t axis = 2; axis < shape.size(); ++axis)
            positions *= shape[axis];
        set(node, "N", shape[0]);
        set(node, "C", shape[1]);
        set(node, "HxW", positions);
    }

    const Problem& m_problem;
    Graph m_graph;
    std::vector<std::int64_t> m_sizes, m_captured;
    SymbolicShapes m_symbols;
    std::vector<std::int32_t> m_match;
};

} // namespace

Result<Graph> referenceAt(const Problem& problem, const std::vector<std::int64_t>& dimensions)
{
    if (dimensions.size() != problem.dimensions.size())
        return cannotResize("dimensions");
    for (std::size_t index = 0; index < dimensions.size(); ++index) {
        const Dimension& dimension = problem.dimensions[index];
        if (dimensions[index] < 0 || (!dimension.free && dimensions[index] != dimension.captured))
            return cannotResize(dimension.name);
    }
    if (dimensions == capturedDimensions(problem))
        return problem.reference;
    KW_TRY(SymbolicShapes symbols, symbolicShapes(problem.reference));
    KW_TRY(std::vector<std::int32_t> match, matchDimensions(problem, symbols));
    return Resizer(problem, dimensions, std::move(symbols), std::move(match)).run();
}

} // namespace kw
