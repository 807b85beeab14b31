// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <set>

namespace kw {

/// What the region finder may do with a node.
enum class NodeRole : std::uint8_t {
    Compute,  ///< may become part of a kernel
    View,     ///< costs nothing; goes along where that helps
    Constant, ///< reads no tensor: every region that needs it makes its own
    Ignored,  ///< no result: assertions
    Opaque,   ///< stays the library's
};

/// The model graph prepared for cutting: roles, users, hazards of memory. Refers to the graph; read-only after building.
class ModelView {
public:
    explicit ModelView(const Graph& graph);

    const Graph& graph() const { return m_graph; }
    NodeRole role(std::int32_t node) const { return m_roles[static_cast<std::size_t>(node)]; }
    std::int32_t producer(ValueId value) const { return m_producer[static_cast<std::size_t>(value)]; }
    const std::vector<std::int32_t>& consumers(ValueId value) const { return m_consumers[static_cast<std::size_t>(value)]; }
    bool isOutput(ValueId value) const { return m_isOutput[static_cast<std::size_t>(value)]; }
    const Node& node(std::int32_t index) const { return m_graph.nodes[static_cast<std::size_t>(index)]; }
    const TensorType* type(ValueId value) const;
    /// A weight, buffer or constant of the model, or a view of one.
    bool isShared(ValueId value) const;
    /// The value behind a chain of View nodes.
    ValueId base(ValueId value) const;
    /// The node as an out-of-place call (aten::add_ -> aten::add).
    Node functional(std::int32_t index) const;

    /// The set with everything that has to come along: views between its members, constants, views that cut one common
    /// tensor into several inputs, expansions. Empty when a path leaves the set and comes back through other work.
    std::set<std::int32_t> closed(std::set<std::int32_t> nodes) const;
    /// Tensors that the set reads and does not make, in order of first use.
    std::vector<ValueId> inputs(const std::set<std::int32_t>& nodes) const;
    /// Tensors that the set makes and others need, in order; `recomputed` nodes are made elsewhere too.
    std::vector<ValueId> outputs(const std::set<std::int32_t>& nodes, const std::set<std::int32_t>& recomputed) const;

private:
    NodeRole roleOf(std::int32_t index) const;
    bool addBetween(std::set<std::int32_t>& nodes) const;
    void addConstants(std::set<std::int32_t>& nodes) const;
    void addInputViews(std::set<std::int32_t>& nodes) const;
    bool neededOutside(ValueId value, const std::set<std::int32_t>& nodes) const;

    const Graph& m_graph;
    std::vector<std::int32_t> m_producer;
    std::vector<std::vector<std::int32_t>> m_consumers;
    std::vector<bool> m_isOutput, m_tainted, m_isShared;
    std::vector<bool> m_outOfPlace; ///< per node: written in place, but nobody sees the difference
    std::vector<NodeRole> m_roles;
};

} // namespace kw
