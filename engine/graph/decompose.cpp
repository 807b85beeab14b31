// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/decompose.h"

#include "graph/operators.h"
#include "graph/rewriter.h"
#include "graph/sink_pads.h"

namespace kw {
namespace {

const RuleTable& rules()
{
    static const RuleTable table = [] {
        RuleTable all;
        addPointwiseRules(all);
        addActivationRules(all);
        addReductionRules(all);
        addNormalisationRules(all);
        addViewRules(all);
        addCopyRules(all);
        return all;
    }();
    return table;
}

Error cannotDecompose(const std::string& target, std::string why)
{
    return Error{Message("graph.cannot_decompose").with("target", target).with("why", std::move(why)), {}};
}

} // namespace

void Rewriter::rewrite(std::int32_t index)
{
    m_node = &m_source.nodes[static_cast<std::size_t>(index)];
    m_nodeIndex = index;
    m_results.clear();
    for (const NodeOutput& output : m_node->outputs)
        m_results.insert(m_results.end(), output.values.begin(), output.values.end());
    m_firstFresh = m_builder.graph().values.size();
    const auto rule = rules().find(m_node->target);
    if (rule == rules().end() || operatorKind(m_source, *m_node) == OperatorKind::Opaque)
        return refuse("there is no rule for this operator");
    rule->second(*this);
}

Result<Decomposition> Rewriter::run()
{
    copyInputs();
    for (std::size_t index = 0; index < m_source.nodes.size() && !refused(); ++index)
        rewrite(static_cast<std::int32_t>(index));
    const std::string target = m_node && refused() ? m_node->target : std::string("outputs");
    if (!refused())
        copyOutputs();
    if (refused())
        return cannotDecompose(target, m_refusal);
    return finished();
}

Decomposition Rewriter::finished()
{
    Decomposition result;
    result.graph = m_builder.take();
    sinkPads(result.graph, m_nodeOf);
    const Pruned pruned = pruneUnused(result.graph);
    const auto renumber = [&](ValueId id) { return id == noValue ? noValue : pruned.valueOf[static_cast<std::size_t>(id)]; };
    for (const ValueId id : m_valueOf)
        result.valueOf.push_back(renumber(id));
    for (const std::int32_t index : pruned.nodes)
        result.nodeOf.push_back(m_nodeOf[static_cast<std::size_t>(index)]);
    for (const auto& [id, axis] : m_pinned)
        if (renumber(id) != noValue)
            result.pinnedAxes.emplace_back(renumber(id), axis);
    return result;
}

Result<Decomposition> decompose(const Graph& graph) { return Rewriter(graph).run(); }

bool canDecompose(const Graph& graph, const Node& node)
{
    if (!rules().contains(node.target))
        return false;
    Graph single;
    std::unordered_map<ValueId, ValueId> renumbered;
    Node copy = node;
    const auto local = [&](ValueId id) {
        const auto [entry, fresh] = renumbered.emplace(id, static_cast<ValueId>(single.values.size()));
        if (fresh)
            single.values.push_back(graph.values.at(static_cast<std::size_t>(id)));
        return entry->second;
    };
    for (const ValueId id : readValues(node))
        if (!renumbered.contains(id))
            single.inputs.push_back({local(id), InputKind::User, {}, false, {}});
    renumberValues(copy, local);
    for (const ValueId id : writtenValues(copy))
        if (single.values[static_cast<std::size_t>(id)].type)
            single.outputs.push_back({ValueRef{id}, OutputKind::User, {}});
    single.nodes.push_back(std::move(copy));
    // A result that the rules cannot give (indices of a maximum) is no obstacle as long as nobody asks for it.
    while (!single.outputs.empty()) {
        if (decompose(single).ok())
            return true;
        single.outputs.pop_back();
    }
    return false;
}

} // namespace kw
