// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/model_view.h"

#include "graph/builder.h"
#include "graph/decompose.h"
#include "graph/operators.h"
#include "problem/hazards.h"

#include <algorithm>
#include <map>

namespace kw {
namespace {

bool kernelReads(DType type)
{
    return type == DType::Float || type == DType::Bool || type == DType::Int64 || type == DType::Int32;
}

bool kernelWrites(DType type) { return type == DType::Float || type == DType::Bool; }

bool isExpansion(const Node& node)
{
    return node.target == "aten::expand" || node.target == "aten::expand_as" || node.target == "aten::broadcast_to";
}

} // namespace

ModelView::ModelView(const Graph& graph)
    : m_graph(graph), m_producer(producers(graph)), m_consumers(kw::consumers(graph)), m_isOutput(graph.values.size(), false),
      m_isShared(graph.values.size(), false)
{
    for (const GraphOutput& output : graph.outputs)
        for (const ValueId id : readValues(output.value))
            m_isOutput[static_cast<std::size_t>(id)] = true;
    for (const GraphInput& input : graph.inputs)
        m_isShared[static_cast<std::size_t>(input.value)]
            = input.kind == InputKind::Parameter || input.kind == InputKind::Buffer || input.kind == InputKind::Constant;
    Hazards hazards = findHazards(graph);
    m_tainted = std::move(hazards.tainted);
    m_outOfPlace = std::move(hazards.harmless);
    for (std::size_t index = 0; index < graph.nodes.size(); ++index)
        m_roles.push_back(roleOf(static_cast<std::int32_t>(index)));
}

const TensorType* ModelView::type(ValueId value) const
{
    const auto& type = m_graph.values[static_cast<std::size_t>(value)].type;
    return type ? &*type : nullptr;
}

Node ModelView::functional(std::int32_t index) const
{
    Node copy = node(index);
    if (m_outOfPlace[static_cast<std::size_t>(index)])
        copy.target = functionalTarget(copy.target);
    return copy;
}

NodeRole ModelView::roleOf(std::int32_t index) const
{
    const Node copy = functional(index);
    const OperatorKind kind = operatorKind(m_graph, copy);
    const auto written = writtenValues(copy), read = readValues(copy);
    if (kind == OperatorKind::Bookkeeping && written.empty())
        return NodeRole::Ignored;
    const auto fits = [&](ValueId id, bool (*allowed)(DType)) {
        return type(id) && allowed(type(id)->dtype) && !m_tainted[static_cast<std::size_t>(id)];
    };
    for (const ValueId id : read)
        if (!fits(id, kernelReads))
            return NodeRole::Opaque;
    const bool view = kind == OperatorKind::View || kind == OperatorKind::ListView || kind == OperatorKind::Bookkeeping;
    const bool constant = kind == OperatorKind::Creation && read.empty();
    for (const ValueId id : written)
        if (!fits(id, view || constant ? kernelReads : kernelWrites))
            return NodeRole::Opaque;
    const bool supported = kind != OperatorKind::Opaque && kind != OperatorKind::Product && !isInPlace(copy.target)
        && (kind != OperatorKind::Creation || constant);
    if (!supported || written.empty() || !canDecompose(m_graph, copy))
        return NodeRole::Opaque;
    return view ? NodeRole::View : constant ? NodeRole::Constant : NodeRole::Compute;
}

ValueId ModelView::base(ValueId value) const
{
    for (std::int32_t index = producer(value); index >= 0 && role(index) == NodeRole::View; index = producer(value))
        value = readValues(node(index)).front();
    return value;
}

bool ModelView::isShared(ValueId value) const { return m_isShared[static_cast<std::size_t>(base(value))]; }

std::set<std::int32_t> ModelView::closed(std::set<std::int32_t> nodes) const
{
    if (nodes.empty() || !addBetween(nodes))
        return {};
    addConstants(nodes);
    addInputViews(nodes);
    addConstants(nodes);
    return nodes;
}

/// Everything that lies on a path from the set to the set must be a view, and comes along.
bool ModelView::addBetween(std::set<std::int32_t>& nodes) const
{
    const std::int32_t first = *nodes.begin(), last = *nodes.rbegin();
    const auto count = static_cast<std::size_t>(last - first + 1);
    std::vector<bool> after(count, false), before(count, false);
    for (std::int32_t index = first; index <= last; ++index) {
        bool reached = nodes.contains(index);
        for (const ValueId id : readValues(node(index)))
            if (const std::int32_t source = producer(id); source >= first)
                reached = reached || after[static_cast<std::size_t>(source - first)];
        after[static_cast<std::size_t>(index - first)] = reached;
    }
    for (std::int32_t index = last; index >= first; --index) {
        bool reaches = nodes.contains(index);
        for (const ValueId id : writtenValues(node(index)))
            for (const std::int32_t reader : consumers(id))
                reaches = reaches || (reader <= last && before[static_cast<std::size_t>(reader - first)]);
        before[static_cast<std::size_t>(index - first)] = reaches;
    }
    for (std::int32_t index = first; index <= last; ++index) {
        const auto slot = static_cast<std::size_t>(index - first);
        if (!after[slot] || !before[slot] || nodes.contains(index))
            continue;
        if (role(index) != NodeRole::View)
            return false;
        nodes.insert(index);
    }
    return true;
}

void ModelView::addConstants(std::set<std::int32_t>& nodes) const
{
    for (const ValueId id : inputs(nodes)) {
        // A view of a constant (an arange as a column) comes along with it.
        std::vector<std::int32_t> chain;
        std::int32_t index = producer(id);
        while (index >= 0 && role(index) == NodeRole::View) {
            chain.push_back(index);
            index = producer(readValues(node(index)).front());
        }
        if (index < 0 || role(index) != NodeRole::Constant)
            continue;
        chain.push_back(index);
        nodes.insert(chain.begin(), chain.end());
    }
}

/// Views that cut the same tensor into several inputs come along, so that it is one input; expansions come along, so
/// that the small tensor is the input.
void ModelView::addInputViews(std::set<std::int32_t>& nodes) const
{
    const auto read = inputs(nodes);
    std::map<ValueId, int> users;
    const auto forChain = [&](ValueId id, const auto& step) {
        while (step(id)) {
            const std::int32_t index = producer(id);
            if (index < 0 || role(index) != NodeRole::View)
                return;
            id = readValues(node(index)).front();
        }
    };
    for (const ValueId id : read)
        forChain(id, [&](ValueId value) { ++users[value]; return true; });
    for (const ValueId id : read) {
        std::vector<std::int32_t> chain;
        bool meets = false;
        forChain(id, [&](ValueId value) {
            meets = users[value] > 1;
            if (!meets && producer(value) >= 0)
                chain.push_back(producer(value));
            return !meets;
        });
        if (meets) {
            nodes.insert(chain.begin(), chain.end());
            continue;
        }
        const std::int32_t index = producer(id);
        if (index >= 0 && role(index) == NodeRole::View && isExpansion(node(index)))
            nodes.insert(index);
    }
}

std::vector<ValueId> ModelView::inputs(const std::set<std::int32_t>& nodes) const
{
    std::vector<ValueId> result;
    std::set<ValueId> seen;
    for (const std::int32_t index : nodes)
        for (const ValueId id : readValues(node(index)))
            if (!nodes.contains(producer(id)) && seen.insert(id).second)
                result.push_back(id);
    return result;
}

bool ModelView::neededOutside(ValueId value, const std::set<std::int32_t>& nodes) const
{
    if (isOutput(value))
        return true;
    for (const std::int32_t reader : consumers(value)) {
        if (!nodes.contains(reader)) {
            if (role(reader) != NodeRole::Ignored)
                return true;
            continue;
        }
        if (role(reader) != NodeRole::View)
            continue;
        for (const ValueId id : writtenValues(node(reader)))
            if (neededOutside(id, nodes))
                return true;
    }
    return false;
}

std::vector<ValueId> ModelView::outputs(const std::set<std::int32_t>& nodes, const std::set<std::int32_t>& recomputed) const
{
    std::vector<ValueId> result;
    for (const std::int32_t index : nodes) {
        if (role(index) != NodeRole::Compute || recomputed.contains(index))
            continue;
        for (const ValueId id : writtenValues(node(index)))
            if (neededOutside(id, nodes))
                result.push_back(id);
    }
    return result;
}

} // namespace kw
