// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/sink_pads.h"

#include "graph/builder.h"
#include "graph/operators.h"

#include <unordered_map>
#include <unordered_set>

namespace kw {
namespace {

/// Rewrites one graph. Used once, on one thread.
class PadSinker {
public:
    PadSinker(Graph& graph, std::vector<std::int32_t>& origin) : m_graph(graph), m_origin(origin)
    {
        for (const Value& value : graph.values)
            m_names.insert(value.name);
    }

    void run()
    {
        std::vector<Node> before = std::move(m_graph.nodes);
        const std::vector<std::int32_t> from = std::move(m_origin);
        m_graph.nodes.clear();
        m_origin.clear();
        for (std::size_t index = 0; index < before.size(); ++index) {
            if (const Node* pad = commonPad(before[index]))
                sink(std::move(before[index]), Node(*pad), from[index]);
            else
                add(std::move(before[index]), from[index]);
        }
    }

private:
    const TensorType& type(ValueId id) const { return *m_graph.values[static_cast<std::size_t>(id)].type; }

    static bool isBorder(const Node& node)
    {
        return node.target.starts_with("aten::reflection_pad") || node.target.starts_with("aten::replication_pad");
    }

    void add(Node node, std::int32_t origin)
    {
        if (isBorder(node))
            m_pads.emplace(node.outputs.front().values.front(), m_graph.nodes.size());
        m_graph.nodes.push_back(std::move(node));
        m_origin.push_back(origin);
    }

    const Node* padOf(ValueId id) const
    {
        const auto found = m_pads.find(id);
        return found == m_pads.end() ? nullptr : &m_graph.nodes[found->second];
    }

    /// The border that all operands of a pointwise operator share, or nullptr.
    const Node* commonPad(const Node& node) const
    {
        if (operatorKind(m_graph, node) != OperatorKind::Pointwise && node.target != "aten::_to_copy")
            return nullptr;
        const Node* common = nullptr;
        for (const ValueId id : readValues(node)) {
            if (type(id).shape.empty())
                continue;
            const Node* pad = padOf(id);
            if (!pad || type(id).shape != type(node.outputs.front().values.front()).shape)
                return nullptr;
            if (common && (common->target != pad->target || *findArgument(*common, "padding") != *findArgument(*pad, "padding")
                    || type(source(*common)).shape != type(source(*pad)).shape))
                return nullptr;
            common = pad;
        }
        return common;
    }

    static ValueId source(const Node& pad) { return valueOf(findArgument(pad, "self")); }

    void sink(Node node, Node pad, std::int32_t origin)
    {
        const ValueId result = node.outputs.front().values.front();
        Value inner;
        inner.name = m_graph.values[static_cast<std::size_t>(result)].name + "_inside";
        while (!m_names.insert(inner.name).second)
            inner.name += "_";
        inner.type = rowMajor(type(result).dtype, type(source(pad)).shape);
        const auto id = static_cast<ValueId>(m_graph.values.size());
        m_graph.values.push_back(std::move(inner));
        renumberValues(node, [&](ValueId value) {
            if (value == result)
                return id;
            const Node* border = padOf(value);
            return border ? source(*border) : value;
        });
        add(std::move(node), origin);
        for (NamedArgument& argument : pad.arguments)
            if (argument.name == "self")
                argument.value = ValueRef{id};
        pad.outputs.front().values.front() = result;
        add(std::move(pad), origin);
    }

    Graph& m_graph;
    std::vector<std::int32_t>& m_origin;
    std::unordered_set<std::string> m_names;
    std::unordered_map<ValueId, std::size_t> m_pads; ///< result -> index of the node
};

} // namespace

void sinkPads(Graph& graph, std::vector<std::int32_t>& origin) { PadSinker(graph, origin).run(); }

} // namespace kw
