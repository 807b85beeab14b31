// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/planner.h"

#include "codegen/refusal.h"

#include <algorithm>

namespace kw {

namespace {

constexpr int mostSplits = 24;
constexpr std::int64_t mostUnrolled = 16;

} // namespace

AxisId PlanPart::loopOf(AxisId leaf) const
{
    for (auto found = merged.find(leaf); found != merged.end(); found = merged.find(leaf))
        leaf = found->second;
    return leaf;
}

std::set<AxisId> PlanPart::loopsOf(const std::set<AxisId>& leaves) const
{
    std::set<AxisId> loops;
    for (const AxisId leaf : leaves)
        loops.insert(loopOf(leaf));
    return loops;
}

std::vector<bool> freeDimensions(const ProgramData& data)
{
    std::vector<bool> free(data.captured.size(), true);
    for (const std::int32_t dimension : data.pinned)
        free[static_cast<std::size_t>(dimension)] = false;
    for (std::size_t i = 0; i < free.size(); ++i)
        free[i] = free[i] && data.problem.dimensions[i].free && data.captured[i] > 1;
    return free;
}

std::vector<AxisId> smallLeaves(const ProgramData& data)
{
    constexpr std::int64_t mostTogether = 4;
    std::set<AxisId> touched;
    const auto touch = [&](std::int32_t node, std::int64_t dim) {
        const AxisId axis = data.nodes[static_cast<std::size_t>(node)].axes.at(static_cast<std::size_t>(dim));
        if (axis != noAxis)
            for (const AxisId leaf : data.axes.leaves(axis))
                touched.insert(leaf);
    };
    for (std::size_t i = 0; i < data.nodes.size(); ++i) {
        const IrNode& node = data.nodes[i];
        if (node.kind == IrKind::Reduce)
            for (const std::int64_t dim : node.integers)
                touch(node.arguments[0], dim);
        if (node.kind == IrKind::Slice || node.kind == IrKind::Select)
            touch(node.arguments[0], node.integers[0]);
        if (node.kind == IrKind::Cat)
            touch(static_cast<std::int32_t>(i), node.integers[0]);
    }
    std::vector<AxisId> result;
    for (const AxisId leaf : touched)
        if (data.axes.size(leaf) <= mostTogether)
            result.push_back(leaf);
    return result;
}

std::vector<AxisId> unrollableLeaves(const ProgramData& data)
{
    std::set<AxisId> inOutputs;
    for (const std::int32_t output : data.outputs)
        for (const AxisId axis : data.nodes[static_cast<std::size_t>(output)].axes)
            if (axis != noAxis)
                for (const AxisId leaf : data.axes.leaves(axis))
                    inOutputs.insert(leaf);
    std::vector<AxisId> result;
    for (const AxisId leaf : smallLeaves(data))
        if (inOutputs.count(leaf) != 0 && data.axes.leafSize(leaf).constant())
            result.push_back(leaf);
    return result;
}

Planner::Planner(const ProgramData& data, const Schedule& schedule) : m_data(data), m_schedule(schedule)
{
    const std::vector<bool> free = freeDimensions(data);
    m_plan.fixed.assign(free.size(), true);
    // "free": everything that may; "outer": only the first dimension of the first output; "fixed": nothing.
    const std::string& sizes = schedule["sizes"];
    for (std::size_t i = 0; i < free.size(); ++i)
        m_plan.fixed[i] = !(free[i] && sizes == "free");
    if (sizes == "outer" && !data.problem.outputs.empty())
        for (const Size& size : data.problem.outputs[0].shape)
            if (size.dimension >= 0 && free[static_cast<std::size_t>(size.dimension)]) {
                m_plan.fixed[static_cast<std::size_t>(size.dimension)] = false;
                break;
            }
    if (schedule["channels"] != "apart")
        for (const AxisId leaf : unrollableLeaves(data))
            m_unrolled.insert(leaf);
}

Plan Planner::run()
{
    m_resolver = std::make_unique<Resolver>(m_data, m_plan.fixed, m_plan.pool);
    m_resolver->unrollReductions(mostUnrolled);
    for (std::size_t output = 0; output < m_data.outputs.size(); ++output)
        addItems(output, {}, 0);
    groupItems();
    return std::move(m_plan);
}

void Planner::addItems(std::size_t output, const Ranges& ranges, int depth)
{
    if (depth > mostSplits || m_items.size() > mostSplits)
        refuse("too_many_pieces");
    try {
        m_items.push_back(resolveItem(output, ranges));
    } catch (const NeedSplit& split) {
        if (!m_resolver->leafSize(split.leaf).constant())
            refuse("symbolic_split");
        const auto found = ranges.find(split.leaf);
        const Range whole{0, m_resolver->capturedSize(split.leaf), false};
        const Range now = found == ranges.end() ? whole : found->second;
        if (split.at <= now.low || split.at >= now.high)
            refuse("mixed_index");
        Ranges first = ranges, second = ranges;
        first[split.leaf] = Range{now.low, split.at, false};
        second[split.leaf] = Range{split.at, now.high, false};
        addItems(output, first, depth + 1);
        addItems(output, second, depth + 1);
    }
}

Affine Planner::outputOffset(std::size_t output, const std::vector<Affine>& index) const
{
    Affine offset;
    const IrNode& node = m_data.nodes[static_cast<std::size_t>(m_data.outputs[output])];
    for (std::size_t dim = 0; dim < index.size(); ++dim)
        if (node.axes[dim] != noAxis)
            offset += index[dim] * m_resolver->fixedPoly(m_data.outputStrides[output][dim]);
    return offset;
}

Planner::Item Planner::resolveItem(std::size_t output, const Ranges& ranges)
{
    Item item;
    item.ranges = ranges;
    const IrNode& node = m_data.nodes[static_cast<std::size_t>(m_data.outputs[output])];
    std::vector<Affine> index;
    std::vector<AxisId> together;
    for (const AxisId axis : node.axes) {
        index.push_back(m_resolver->identity(axis));
        if (axis == noAxis)
            continue;
        for (const AxisId leaf : m_data.axes.leaves(axis)) {
            auto& list = m_unrolled.count(leaf) != 0 ? together : item.leaves;
            if (std::find(list.begin(), list.end(), leaf) != list.end())
                refuse("same_axis", node.name);
            list.push_back(leaf);
        }
    }
    std::vector<std::int64_t> position(together.size(), 0);
    while (true) {
        std::vector<Affine> at = index;
        for (Affine& each : at) {
            for (std::size_t i = 0; i < together.size(); ++i) {
                const auto found = each.terms.find(together[i]);
                if (found == each.terms.end())
                    continue;
                each.constant += found->second * Poly(position[i]);
                each.terms.erase(found);
            }
        }
        item.stores.push_back({static_cast<std::int32_t>(output), m_resolver->resolve(m_data.outputs[output], at, ranges), outputOffset(output, at)});
        std::size_t digit = together.size();
        while (digit > 0 && ++position[digit - 1] == m_resolver->capturedSize(together[digit - 1]))
            position[--digit] = 0;
        if (digit == 0)
            break;
    }
    std::vector<std::int32_t> roots;
    for (const StoreOp& store : item.stores)
        roots.push_back(store.expr);
    for (const std::int32_t id : m_plan.pool.reachable(roots, true)) {
        const Expr& expr = m_plan.pool[id];
        if (expr.kind == ExprKind::Window)
            item.window = true;
        if (expr.kind != ExprKind::Reduce)
            continue;
        item.reduces.insert(id);
        item.kept.insert(expr.variables.begin(), expr.variables.end());
    }
    for (const AxisId leaf : item.kept)
        if (std::find(item.leaves.begin(), item.leaves.end(), leaf) == item.leaves.end())
            refuse("nested_reduction", node.name);
    if (item.window && !item.reduces.empty())
        refuse("window_and_reduction", node.name);
    return item;
}

/// Same loop space, or values of a whole row beside the row's elements.
bool Planner::joins(const std::vector<const Item*>& group, const Item& item) const
{
    const Item& first = *group.front();
    if (first.window != item.window)
        return false;
    std::set<AxisId> kept = item.kept;
    for (const Item* other : group)
        kept.insert(other->kept.begin(), other->kept.end());
    const std::set<AxisId> space(first.leaves.begin(), first.leaves.end());
    const std::set<AxisId> own(item.leaves.begin(), item.leaves.end());
    if (own != space && (first.reduces.empty() || own != kept))
        return false;
    for (const AxisId leaf : kept) {
        if (space.count(leaf) == 0)
            return false;
        const auto a = first.ranges.find(leaf);
        const auto b = item.ranges.find(leaf);
        if ((a == first.ranges.end()) != (b == item.ranges.end()) || (a != first.ranges.end() && a->second != b->second))
            return false;
    }
    if (!kept.empty())
        return true;
    // Without reductions a split space becomes separate nests, with one exception: a contiguous loop may be split, since
    // its pieces then share cache lines and everything that is computed outside.
    std::set<AxisId> differing;
    for (const AxisId leaf : space) {
        const auto a = first.ranges.find(leaf);
        const auto b = item.ranges.find(leaf);
        if ((a == first.ranges.end()) != (b == item.ranges.end()) || (a != first.ranges.end() && a->second != b->second))
            differing.insert(leaf);
    }
    return differing.empty()
        || (differing.size() == 1 && first.stores.front().offset.coefficient(*differing.begin()) == Poly(1)
            && item.stores.front().offset.coefficient(*differing.begin()) == Poly(1));
}

void Planner::groupItems()
{
    std::vector<std::vector<const Item*>> groups;
    std::vector<const Item*> order;
    for (const Item& item : m_items)
        order.push_back(&item);
    std::stable_sort(order.begin(), order.end(), [](const Item* a, const Item* b) { return a->leaves.size() > b->leaves.size(); });
    for (const Item* item : order) {
        const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& each) { return joins(each, *item); });
        if (group == groups.end())
            groups.push_back({item});
        else
            group->push_back(item);
    }
    for (const auto& group : groups)
        m_plan.parts.push_back(makePart(group));
}

Plan makePlan(const ProgramData& data, const Schedule& schedule) { return Planner(data, schedule).run(); }

} // namespace kw
