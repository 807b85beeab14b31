// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/dims.h"

#include "graph/builder.h"
#include "graph/operators.h"

#include <map>
#include <numeric>

namespace kw {
namespace {

/// Union-find over the axes of all values; a class may be pinned to its captured size. One thread.
class AxisClasses {
public:
    explicit AxisClasses(const Graph& graph) : m_graph(graph)
    {
        for (const Value& value : graph.values) {
            m_first.push_back(m_parent.size());
            for (std::size_t axis = 0; value.type && axis < value.type->shape.size(); ++axis)
                m_parent.push_back(m_parent.size());
        }
        m_pinned.assign(m_parent.size(), false);
    }

    const std::vector<std::int64_t>& shape(ValueId value) const { return m_graph.values[static_cast<std::size_t>(value)].type->shape; }
    std::size_t find(ValueId value, std::size_t axis)
    {
        std::size_t slot = m_first[static_cast<std::size_t>(value)] + axis;
        while (m_parent[slot] != slot)
            slot = m_parent[slot] = m_parent[m_parent[slot]];
        return slot;
    }
    bool pinned(ValueId value, std::size_t axis) { return m_pinned[find(value, axis)]; }
    void pin(ValueId value, std::size_t axis) { m_pinned[find(value, axis)] = true; }
    void pinAll(ValueId value)
    {
        for (std::size_t axis = 0; axis < shape(value).size(); ++axis)
            pin(value, axis);
    }
    void join(ValueId left, std::size_t leftAxis, ValueId right, std::size_t rightAxis)
    {
        const std::size_t a = find(left, leftAxis), b = find(right, rightAxis);
        m_pinned[a] = m_pinned[a] || m_pinned[b];
        m_parent[b] = a;
    }

private:
    const Graph& m_graph;
    std::vector<std::size_t> m_first, m_parent;
    std::vector<bool> m_pinned;
};

void joinBroadcast(AxisClasses& classes, ValueId input, ValueId result)
{
    const auto& from = classes.shape(input);
    const auto& to = classes.shape(result);
    for (std::size_t back = 1; back <= from.size(); ++back)
        if (from[from.size() - back] != 1)
            classes.join(result, to.size() - back, input, from.size() - back);
}

/// Axes of equal size in a row stay what they are; where a view splits or merges, all sizes of that group are fixed.
void joinReshape(AxisClasses& classes, ValueId input, ValueId result)
{
    const auto& from = classes.shape(input);
    const auto& to = classes.shape(result);
    std::size_t i = 0, j = 0;
    while (i < from.size() || j < to.size()) {
        if (i < from.size() && from[i] == 1) { ++i; continue; }
        if (j < to.size() && to[j] == 1) { ++j; continue; }
        std::size_t iEnd = i, jEnd = j;
        std::int64_t left = iEnd < from.size() ? from[iEnd++] : 1, right = jEnd < to.size() ? to[jEnd++] : 1;
        while (left != right && (iEnd < from.size() || jEnd < to.size())) {
            if ((left < right && iEnd < from.size()) || jEnd == to.size())
                left *= from[iEnd++];
            else
                right *= to[jEnd++];
        }
        if (iEnd - i == 1 && jEnd - j == 1 && left == right) {
            classes.join(result, j, input, i);
        } else {
            for (; i < iEnd; ++i)
                classes.pin(input, i);
            for (; j < jEnd; ++j)
                classes.pin(result, j);
        }
        i = iEnd;
        j = jEnd;
    }
}

void joinReduction(AxisClasses& classes, const Node& node, ValueId input, ValueId result)
{
    const auto axes = intsOf(findArgument(node, "dim")).value_or(std::vector<std::int64_t>{});
    const bool keep = boolOf(findArgument(node, "keepdim")).value_or(false);
    std::size_t target = 0;
    for (std::size_t axis = 0; axis < classes.shape(input).size(); ++axis) {
        const bool reduced = std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end();
        if (!reduced)
            classes.join(result, target, input, axis);
        target += !reduced || keep ? 1 : 0;
    }
}

/// Every axis but one keeps its size; that one is fixed on both sides.
void joinExcept(AxisClasses& classes, ValueId input, ValueId result, std::int64_t changed, bool removed)
{
    std::size_t target = 0;
    for (std::size_t axis = 0; axis < classes.shape(input).size(); ++axis) {
        if (static_cast<std::int64_t>(axis) == changed) {
            classes.pin(input, axis);
            if (removed)
                continue;
            classes.pin(result, target);
        } else {
            classes.join(result, target, input, axis);
        }
        ++target;
    }
}

/// Pads and windows: axes whose size changes are fixed on both sides; a window that keeps the size of the image serves
/// images of every size.
void joinBorder(AxisClasses& classes, ValueId input, ValueId result)
{
    for (std::size_t axis = 0; axis < classes.shape(input).size(); ++axis) {
        if (classes.shape(input)[axis] == classes.shape(result)[axis]) {
            classes.join(result, axis, input, axis);
        } else {
            classes.pin(input, axis);
            classes.pin(result, axis);
        }
    }
}

void joinPermute(AxisClasses& classes, const Node& node, ValueId input, ValueId result)
{
    const auto order = intsOf(findArgument(node, "dims")).value_or(std::vector<std::int64_t>{});
    for (std::size_t axis = 0; axis < order.size(); ++axis)
        classes.join(result, axis, input, static_cast<std::size_t>(order[axis]));
}

void joinNode(AxisClasses& classes, const Graph& graph, const Node& node)
{
    const ValueId result = node.outputs.front().values.front();
    const auto inputs = readValues(node);
    const auto axisArgument = [&](const char* name) { return intOf(findArgument(node, name)).value_or(0); };
    const OperatorKind kind = operatorKind(graph, node);
    if (node.target == "aten::reshape")
        joinReshape(classes, inputs.front(), result);
    else if (node.target == "aten::permute")
        joinPermute(classes, node, inputs.front(), result);
    else if (node.target == "aten::slice.Tensor")
        joinExcept(classes, inputs.front(), result, axisArgument("dim"), false);
    else if (node.target == "aten::select.int")
        joinExcept(classes, inputs.front(), result, axisArgument("dim"), true);
    else if (kind == OperatorKind::Concat)
        for (const ValueId input : inputs)
            joinExcept(classes, input, result, axisArgument("dim"), false);
    else if (kind == OperatorKind::Reduction)
        joinReduction(classes, node, inputs.front(), result);
    else if (kind == OperatorKind::Pad || kind == OperatorKind::Window)
        joinBorder(classes, inputs.front(), result);
    else if (node.target == "aten::arange.start_step")
        classes.pinAll(result);
    else
        for (const ValueId input : inputs)
            joinBroadcast(classes, input, result);
}

} // namespace

SymbolicShapes symbolicShapes(const Decomposition& decomposition)
{
    const Graph& graph = decomposition.graph;
    AxisClasses classes(graph);
    for (const auto& [value, axis] : decomposition.pinnedAxes)
        classes.pin(value, static_cast<std::size_t>(axis));
    for (const Node& node : graph.nodes)
        joinNode(classes, graph, node);

    SymbolicShapes result;
    std::map<std::size_t, std::int32_t> numbers;
    for (std::size_t value = 0; value < graph.values.size(); ++value) {
        std::vector<Size> sizes;
        for (std::size_t axis = 0; axis < graph.values[value].type->shape.size(); ++axis) {
            const auto id = static_cast<ValueId>(value);
            const std::int64_t size = classes.shape(id)[axis];
            if (size == 1 || classes.pinned(id, axis)) {
                sizes.push_back({size, -1});
                continue;
            }
            const auto [entry, fresh] = numbers.emplace(classes.find(id, axis), static_cast<std::int32_t>(numbers.size()));
            if (fresh)
                result.dimensions.push_back({"d" + std::to_string(entry->second), size, true});
            sizes.push_back({0, entry->second});
        }
        result.shapes.push_back(std::move(sizes));
    }
    return result;
}

Result<SymbolicShapes> symbolicShapes(const Graph& reference)
{
    KW_TRY(const Decomposition decomposition, decompose(reference));
    const SymbolicShapes inner = symbolicShapes(decomposition);
    SymbolicShapes result;
    result.dimensions = inner.dimensions;
    for (std::size_t value = 0; value < reference.values.size(); ++value) {
        const ValueId image = decomposition.valueOf[value];
        std::vector<Size> sizes;
        if (image != noValue)
            sizes = inner.shapes[static_cast<std::size_t>(image)];
        else if (reference.values[value].type)
            for (const std::int64_t size : reference.values[value].type->shape)
                sizes.push_back({size, -1});
        result.shapes.push_back(std::move(sizes));
    }
    return result;
}

} // namespace kw
