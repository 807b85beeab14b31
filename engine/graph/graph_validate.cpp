// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_set>

namespace kw {
namespace {

constexpr std::size_t maxRank = 64;

/// Collects the first thing that is wrong with one graph. Used on one thread.
class Checker {
public:
    explicit Checker(const Graph& graph) : m_graph(graph), m_defined(graph.values.size(), false) {}

    std::string firstFault()
    {
        values();
        inputs();
        for (const Node& node : m_graph.nodes)
            if (m_fault.empty())
                this->node(node);
        for (const GraphOutput& output : m_graph.outputs)
            reads(output.value, "the outputs");
        return m_fault;
    }

private:
    void fail(std::string what)
    {
        if (m_fault.empty())
            m_fault = std::move(what);
    }

    bool inRange(ValueId id) const { return id >= 0 && static_cast<std::size_t>(id) < m_graph.values.size(); }

    void values()
    {
        std::unordered_set<std::string_view> names;
        for (const Value& value : m_graph.values) {
            if (!names.insert(value.name).second)
                fail("two values are called " + value.name);
            if (!value.type)
                continue;
            if (value.kind != ValueKind::Tensor)
                fail("value " + value.name + " is no tensor but has a tensor type");
            type(value);
        }
    }

    void type(const Value& value)
    {
        const TensorType& type = *value.type;
        if (type.shape.size() != type.strides.size() || type.shape.size() > maxRank)
            fail("value " + value.name + " has a malformed shape");
        std::int64_t bytes = std::max<std::int64_t>(itemSize(type.dtype), 1);
        bool empty = false;
        for (const std::int64_t size : type.shape) {
            if (size < 0)
                fail("value " + value.name + " has a negative size");
            empty = empty || size == 0;
            if (size > 1 && bytes > std::numeric_limits<std::int64_t>::max() / size)
                return fail("value " + value.name + " is too large");
            bytes *= std::max<std::int64_t>(size, 1);
        }
    }

    void define(ValueId id, std::string_view where)
    {
        if (!inRange(id))
            return fail("a value defined by " + std::string(where) + " does not exist");
        if (m_defined[static_cast<std::size_t>(id)])
            return fail("value " + m_graph.values[static_cast<std::size_t>(id)].name + " is defined twice");
        m_defined[static_cast<std::size_t>(id)] = true;
    }

    void read(ValueId id, std::string_view where)
    {
        if (!inRange(id))
            return fail("a value read by " + std::string(where) + " does not exist");
        if (!m_defined[static_cast<std::size_t>(id)])
            fail("value " + m_graph.values[static_cast<std::size_t>(id)].name + " is read by " + std::string(where)
                + " before it is defined");
    }

    void reads(const Argument& argument, std::string_view where)
    {
        if (const auto* single = std::get_if<ValueRef>(&argument); single && single->id == noValue)
            fail("a single reference of " + std::string(where) + " is empty");
        if (const auto* subgraph = std::get_if<SubgraphRef>(&argument))
            if (subgraph->index < 0 || static_cast<std::size_t>(subgraph->index) >= m_graph.subgraphs.size())
                fail("a sub-graph used by " + std::string(where) + " does not exist");
        for (const ValueId id : readValues(argument))
            read(id, where);
    }

    void inputs()
    {
        for (const GraphInput& input : m_graph.inputs) {
            define(input.value, "the inputs");
            if (!readValues(input.constant).empty())
                fail("the constant of an input refers to a value");
        }
    }

    void node(const Node& node)
    {
        if (node.target.empty())
            fail("a node has no target");
        for (const NamedArgument& argument : node.arguments)
            reads(argument.value, node.target);
        for (const NodeOutput& output : node.outputs) {
            if (!output.isList && output.values.size() != 1)
                fail("a result of " + node.target + " is not bound to one value");
            for (const ValueId id : output.values)
                if (id != noValue)
                    define(id, node.target);
        }
    }

    const Graph& m_graph;
    std::vector<bool> m_defined;
    std::string m_fault;
};

std::string firstFault(const Graph& graph, int depth)
{
    if (depth > maxSubgraphDepth)
        return "sub-graphs are nested too deeply";
    std::string fault = Checker(graph).firstFault();
    for (const Graph& subgraph : graph.subgraphs)
        if (fault.empty())
            fault = firstFault(subgraph, depth + 1);
    return fault;
}

} // namespace

Result<void> validate(const Graph& graph)
{
    if (std::string fault = firstFault(graph, 0); !fault.empty())
        return Error{Message("graph.invalid").with("what", std::move(fault)), {}};
    return {};
}

} // namespace kw
