// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/hazards.h"

#include "graph/decompose.h"
#include "graph/operators.h"

#include <algorithm>
#include <numeric>

namespace kw {
namespace {

/// Groups values that may share memory. Used once, on one thread.
class AliasFinder {
public:
    explicit AliasFinder(const Graph& graph) : m_graph(graph), m_parent(graph.values.size()), m_readers(consumers(graph))
    {
        std::iota(m_parent.begin(), m_parent.end(), 0);
    }

    Hazards run()
    {
        Hazards hazards;
        hazards.harmless.assign(m_graph.nodes.size(), false);
        std::vector<ValueId> written;
        for (std::size_t index = 0; index < m_graph.nodes.size(); ++index) {
            const Node& node = m_graph.nodes[index];
            if (isInPlace(node.target)) {
                const ValueId self = aliasedInput(m_graph, node);
                if (self == noValue)
                    continue;
                if (isHarmless(static_cast<std::int32_t>(index), node, self)) {
                    hazards.harmless[index] = true;
                    continue;
                }
                written.push_back(self);
                join(node, {self});
            } else if (mayWriteAnything(node)) {
                const auto read = readValues(node);
                written.insert(written.end(), read.begin(), read.end());
                join(node, read);
            } else if (const ValueId source = aliasedInput(m_graph, node); source != noValue) {
                join(node, {source});
            }
        }
        hazards.tainted.assign(m_graph.values.size(), false);
        std::vector<bool> group(m_graph.values.size(), false);
        for (const ValueId id : written)
            group[find(id)] = true;
        for (std::size_t id = 0; id < m_graph.values.size(); ++id)
            hazards.tainted[id] = group[find(static_cast<ValueId>(id))];
        return hazards;
    }

private:
    std::size_t find(ValueId id)
    {
        auto slot = static_cast<std::size_t>(id);
        while (m_parent[slot] != slot)
            slot = m_parent[slot] = m_parent[m_parent[slot]];
        return slot;
    }

    void join(const Node& node, const std::vector<ValueId>& sources)
    {
        for (const ValueId result : writtenValues(node))
            for (const ValueId source : sources)
                m_parent[find(result)] = find(source);
    }

    /// Operators of other libraries, out= overloads and nested graphs.
    static bool mayWriteAnything(const Node& node)
    {
        if (node.target.starts_with("python::"))
            return false;
        return !node.target.starts_with("aten::") || node.target.ends_with(".out") || node.target.ends_with("_out") || node.target.starts_with("aten::_foreach");
    }

    bool isHarmless(std::int32_t index, const Node& node, ValueId self)
    {
        Node functional = node;
        functional.target = functionalTarget(node.target);
        if (writtenValues(node).size() != 1 || !canDecompose(m_graph, functional))
            return false;
        const std::size_t group = find(self);
        const auto inGroup = [&](ValueId id) { return find(id) == group; };
        for (const GraphInput& input : m_graph.inputs)
            if (inGroup(input.value))
                return false;
        for (const GraphOutput& output : m_graph.outputs)
            for (const ValueId id : readValues(output.value))
                if (inGroup(id))
                    return false;
        for (std::size_t id = 0; id < m_graph.values.size(); ++id) {
            if (!inGroup(static_cast<ValueId>(id)))
                continue;
            const auto& readers = m_readers[id];
            if (!readers.empty() && readers.back() > index)
                return false;
            const auto used = std::count(readers.begin(), readers.end(), index);
            if (used > 0 && static_cast<ValueId>(id) != self)
                return false; // x.add_(view of x): reading and writing meet
        }
        return true;
    }

    const Graph& m_graph;
    std::vector<std::size_t> m_parent;
    std::vector<std::vector<std::int32_t>> m_readers;
};

} // namespace

Hazards findHazards(const Graph& graph) { return AliasFinder(graph).run(); }

} // namespace kw
