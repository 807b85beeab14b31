// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph.h"

namespace kw {
namespace {

void appendValues(const Argument& argument, std::vector<ValueId>& ids)
{
    if (const auto* single = std::get_if<ValueRef>(&argument)) {
        if (single->id != noValue)
            ids.push_back(single->id);
    } else if (const auto* list = std::get_if<std::vector<ValueRef>>(&argument)) {
        for (const ValueRef& entry : *list)
            if (entry.id != noValue)
                ids.push_back(entry.id);
    } else if (const auto* items = std::get_if<std::vector<IntItem>>(&argument)) {
        for (const IntItem& item : *items)
            if (item.symbol != noValue)
                ids.push_back(item.symbol);
    }
}

} // namespace

std::int64_t TensorType::elements() const
{
    std::int64_t product = 1;
    for (const std::int64_t size : shape)
        product *= size;
    return product;
}

std::int64_t TensorType::bytes() const { return elements() * itemSize(dtype); }

bool TensorType::contiguous() const
{
    if (elements() == 0)
        return true;
    std::int64_t expected = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        if (shape[axis] == 1)
            continue;
        if (strides[axis] != expected)
            return false;
        expected *= shape[axis];
    }
    return true;
}

std::vector<std::int64_t> contiguousStrides(const std::vector<std::int64_t>& shape)
{
    std::vector<std::int64_t> strides(shape.size());
    std::int64_t step = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        strides[axis] = step;
        step *= shape[axis] > 0 ? shape[axis] : 1; // torch gives empty tensors the strides of size 1
    }
    return strides;
}

const Argument* findArgument(const Node& node, std::string_view name)
{
    for (const NamedArgument& argument : node.arguments)
        if (argument.name == name)
            return &argument.value;
    return nullptr;
}

std::vector<ValueId> readValues(const Argument& argument)
{
    std::vector<ValueId> ids;
    appendValues(argument, ids);
    return ids;
}

std::vector<ValueId> readValues(const Node& node)
{
    std::vector<ValueId> ids;
    for (const NamedArgument& argument : node.arguments)
        appendValues(argument.value, ids);
    return ids;
}

std::vector<ValueId> writtenValues(const Node& node)
{
    std::vector<ValueId> ids;
    for (const NodeOutput& output : node.outputs)
        for (const ValueId id : output.values)
            if (id != noValue)
                ids.push_back(id);
    return ids;
}

std::vector<std::int32_t> producers(const Graph& graph)
{
    std::vector<std::int32_t> result(graph.values.size(), -1);
    for (std::size_t index = 0; index < graph.nodes.size(); ++index)
        for (const ValueId id : writtenValues(graph.nodes[index]))
            result[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(index);
    return result;
}

std::vector<std::vector<std::int32_t>> consumers(const Graph& graph)
{
    std::vector<std::vector<std::int32_t>> result(graph.values.size());
    for (std::size_t index = 0; index < graph.nodes.size(); ++index)
        for (const ValueId id : readValues(graph.nodes[index])) {
            auto& readers = result[static_cast<std::size_t>(id)];
            if (readers.empty() || readers.back() != static_cast<std::int32_t>(index))
                readers.push_back(static_cast<std::int32_t>(index));
        }
    return result;
}

} // namespace kw
