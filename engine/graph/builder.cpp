// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/builder.h"

#include <algorithm>

namespace kw {

std::string GraphBuilder::uniqueName(const std::string& wanted)
{
    const std::string base = wanted.empty() ? "v" : wanted;
    std::string name = base;
    for (int number = 1; !m_names.insert(name).second; ++number)
        name = base + "_" + std::to_string(number);
    return name;
}

ValueId GraphBuilder::value(const std::string& name, std::optional<TensorType> type, ValueKind kind)
{
    m_graph.values.push_back(Value{uniqueName(name), kind, std::move(type)});
    return static_cast<ValueId>(m_graph.values.size() - 1);
}

ValueId GraphBuilder::input(const std::string& name, TensorType type, InputKind kind, std::string target)
{
    const ValueId id = value(name, std::move(type));
    m_graph.inputs.push_back(GraphInput{id, kind, std::move(target), false, {}});
    return id;
}

ValueId GraphBuilder::input(const std::string& name, DType dtype, std::vector<std::int64_t> shape)
{
    return input(name, rowMajor(dtype, std::move(shape)));
}

ValueId GraphBuilder::call(std::string target, std::vector<NamedArgument> arguments, TensorType result, const std::string& name)
{
    const ValueId id = value(name.empty() ? target.substr(target.rfind(':') + 1, target.rfind('.') - target.rfind(':') - 1) : name,
        std::move(result));
    Node node;
    node.target = std::move(target);
    node.arguments = std::move(arguments);
    node.outputs = {NodeOutput{{id}, false}};
    m_graph.nodes.push_back(std::move(node));
    return id;
}

ValueId GraphBuilder::call(std::string target, std::vector<NamedArgument> arguments, DType dtype,
    std::vector<std::int64_t> shape, const std::string& name)
{
    return call(std::move(target), std::move(arguments), rowMajor(dtype, std::move(shape)), name);
}

Node& GraphBuilder::add(Node node)
{
    m_graph.nodes.push_back(std::move(node));
    return m_graph.nodes.back();
}

void GraphBuilder::output(ValueId value) { m_graph.outputs.push_back(GraphOutput{ValueRef{value}, OutputKind::User, {}}); }

void GraphBuilder::rename(ValueId value, const std::string& name)
{
    Value& entry = m_graph.values.at(static_cast<std::size_t>(value));
    m_names.erase(entry.name);
    entry.name = uniqueName(name);
}

void GraphBuilder::retype(ValueId value, TensorType type)
{
    m_graph.values.at(static_cast<std::size_t>(value)).type = std::move(type);
}

void GraphBuilder::adopt(Graph graph)
{
    m_graph = std::move(graph);
    m_names.clear();
    for (const Value& value : m_graph.values)
        m_names.insert(value.name);
}

void renumberValues(Node& node, const std::function<ValueId(ValueId)>& renumber)
{
    const auto replace = [&](ValueId& id) {
        if (id != noValue)
            id = renumber(id);
    };
    for (NamedArgument& argument : node.arguments) {
        if (auto* single = std::get_if<ValueRef>(&argument.value))
            replace(single->id);
        else if (auto* list = std::get_if<std::vector<ValueRef>>(&argument.value))
            for (ValueRef& entry : *list)
                replace(entry.id);
        else if (auto* items = std::get_if<std::vector<IntItem>>(&argument.value))
            for (IntItem& item : *items)
                replace(item.symbol);
    }
    for (NodeOutput& output : node.outputs)
        for (ValueId& id : output.values)
            replace(id);
}

Pruned pruneUnused(Graph& graph)
{
    std::vector<bool> used(graph.values.size(), false);
    const auto mark = [&](ValueId id) { used[static_cast<std::size_t>(id)] = true; };
    for (const GraphOutput& output : graph.outputs)
        for (const ValueId id : readValues(output.value))
            mark(id);
    Pruned pruned;
    for (std::size_t index = graph.nodes.size(); index-- > 0;) {
        const auto written = writtenValues(graph.nodes[index]);
        const auto needed = [&](ValueId id) { return used[static_cast<std::size_t>(id)]; };
        if (std::none_of(written.begin(), written.end(), needed))
            continue;
        pruned.nodes.push_back(static_cast<std::int32_t>(index));
        for (const ValueId id : readValues(graph.nodes[index]))
            mark(id);
        for (const ValueId id : written)
            mark(id);
    }
    std::reverse(pruned.nodes.begin(), pruned.nodes.end());
    for (const GraphInput& input : graph.inputs)
        mark(input.value);

    std::vector<Value> values;
    for (std::size_t id = 0; id < used.size(); ++id) {
        pruned.valueOf.push_back(used[id] ? static_cast<ValueId>(values.size()) : noValue);
        if (used[id])
            values.push_back(std::move(graph.values[id]));
    }
    graph.values = std::move(values);
    const auto renumber = [&](ValueId id) { return pruned.valueOf[static_cast<std::size_t>(id)]; };
    std::vector<Node> nodes;
    for (const std::int32_t index : pruned.nodes) {
        nodes.push_back(std::move(graph.nodes[static_cast<std::size_t>(index)]));
        renumberValues(nodes.back(), renumber);
    }
    graph.nodes = std::move(nodes);
    for (GraphInput& input : graph.inputs)
        input.value = renumber(input.value);
    for (GraphOutput& output : graph.outputs)
        if (auto* reference = std::get_if<ValueRef>(&output.value))
            reference->id = renumber(reference->id);
    return pruned;
}

TensorType rowMajor(DType dtype, std::vector<std::int64_t> shape)
{
    auto strides = contiguousStrides(shape);
    return {dtype, std::move(shape), std::move(strides)};
}

Argument intList(const std::vector<std::int64_t>& numbers)
{
    std::vector<IntItem> items;
    items.reserve(numbers.size());
    for (const std::int64_t number : numbers)
        items.push_back({number, noValue});
    return items;
}

std::optional<std::vector<std::int64_t>> intsOf(const Argument* argument)
{
    if (!argument)
        return std::nullopt;
    if (const auto* single = std::get_if<std::int64_t>(argument))
        return std::vector<std::int64_t>{*single};
    const auto* items = std::get_if<std::vector<IntItem>>(argument);
    if (!items)
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const IntItem& item : *items) {
        if (item.symbol != noValue)
            return std::nullopt;
        numbers.push_back(item.number);
    }
    return numbers;
}

std::optional<std::int64_t> intOf(const Argument* argument)
{
    const auto* number = argument ? std::get_if<std::int64_t>(argument) : nullptr;
    return number ? std::optional(*number) : std::nullopt;
}

std::optional<bool> boolOf(const Argument* argument)
{
    const auto* truth = argument ? std::get_if<bool>(argument) : nullptr;
    return truth ? std::optional(*truth) : std::nullopt;
}

std::optional<double> numberOf(const Argument* argument)
{
    if (!argument)
        return std::nullopt;
    if (const auto* real = std::get_if<double>(argument))
        return *real;
    if (const auto* whole = std::get_if<std::int64_t>(argument))
        return static_cast<double>(*whole);
    if (const auto* truth = std::get_if<bool>(argument))
        return *truth ? 1.0 : 0.0;
    return std::nullopt;
}

ValueId valueOf(const Argument* argument)
{
    const auto* reference = argument ? std::get_if<ValueRef>(argument) : nullptr;
    return reference ? reference->id : noValue;
}

} // namespace kw
