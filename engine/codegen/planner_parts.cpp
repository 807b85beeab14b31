// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/planner.h"

#include "codegen/refusal.h"

#include <algorithm>

namespace kw {

std::vector<std::int32_t> rootsOf(const std::vector<StoreOp>& stores)
{
    std::vector<std::int32_t> roots;
    for (const StoreOp& store : stores)
        roots.push_back(store.expr);
    return roots;
}

std::vector<const Affine*> Planner::accesses(const PlanPart& part) const
{
    std::vector<const Affine*> all;
    std::vector<std::int32_t> roots;
    for (const FinalLoops& loops : part.finals) {
        for (const StoreOp& store : loops.stores) {
            all.push_back(&store.offset);
            roots.push_back(store.expr);
        }
    }
    for (const std::int32_t id : m_plan.pool.reachable(roots, true)) {
        const Expr& expr = m_plan.pool[id];
        if (expr.kind == ExprKind::Load || expr.kind == ExprKind::Position)
            all.push_back(&expr.index);
    }
    return all;
}

/// Joins loops that every access walks through as one.
void Planner::mergeLoops(PlanPart& part, const std::vector<std::set<AxisId>>& spaces, const std::set<AxisId>& untouched)
{
    const auto used = accesses(part);
    const auto together = [&](AxisId a, AxisId b) {
        return std::all_of(spaces.begin(), spaces.end(), [&](const auto& space) { return space.count(a) == space.count(b); });
    };
    bool changed = true;
    while (changed) {
        changed = false;
        for (const auto& [outer, outerSize] : part.sizes) {
            for (const auto& [inner, innerSize] : part.sizes) {
                if (outer == inner || untouched.count(outer) != 0 || untouched.count(inner) != 0 || !together(outer, inner))
                    continue;
                const bool dense = std::all_of(used.begin(), used.end(), [&, outer = outer, inner = inner, size = innerSize](const Affine* access) {
                    return access->coefficient(outer) == access->coefficient(inner) * size;
                });
                if (!dense)
                    continue;
                part.merged[outer] = inner;
                part.sizes[inner] = innerSize * outerSize;
                part.sizes.erase(outer);
                changed = true;
                break;
            }
            if (changed)
                break;
        }
    }
}

double Planner::score(const PlanPart& part, AxisId loop, const std::vector<std::int32_t>& roots, const std::vector<StoreOp>& stores) const
{
    double total = 0;
    const auto count = [&](const Affine& access, double weight) {
        const Poly step = access.coefficient(loop);
        total += weight * (step == Poly(1) ? 1.0 : step.isZero() ? 0.25 : -1.0);
    };
    for (const std::int32_t id : m_plan.pool.reachable(roots, false))
        if (m_plan.pool[id].kind == ExprKind::Load)
            count(m_plan.pool[id].index, 1);
    for (const StoreOp& store : stores)
        count(store.offset, 1.5);
    constexpr std::int64_t shortLoop = 8;
    const std::int64_t size = part.sizes.at(loop).at(m_data.captured);
    return size < shortLoop ? total - 2.0 * static_cast<double>(shortLoop - size) / shortLoop * std::max<double>(1, static_cast<double>(roots.size())) : total;
}

AxisId Planner::bestVector(const PlanPart& part, const std::vector<AxisId>& loops, const std::vector<std::int32_t>& roots,
    const std::vector<StoreOp>& stores) const
{
    AxisId best = noAxis;
    double bestScore = 0;
    std::int64_t bestSize = 0;
    for (const AxisId loop : loops) {
        const double value = score(part, loop, roots, stores);
        const std::int64_t size = part.sizes.at(loop).at(m_data.captured);
        if (best == noAxis || value > bestScore || (value == bestScore && size > bestSize)) {
            best = loop;
            bestScore = value;
            bestSize = size;
        }
    }
    return best;
}

void Planner::orderLoops(const PlanPart& part, std::vector<AxisId>& loops, const StoreOp* store) const
{
    std::stable_sort(loops.begin(), loops.end(), [&](AxisId a, AxisId b) {
        const auto step = [&](AxisId loop) {
            return store ? store->offset.coefficient(loop).at(m_data.captured) : part.sizes.at(loop).at(m_data.captured);
        };
        return std::pair(-step(a), a) < std::pair(-step(b), b);
    });
}

PlanPart Planner::makePart(const std::vector<const Item*>& group)
{
    PlanPart part;
    std::set<AxisId> kept, space, reducedAll, ranged;
    std::set<std::int32_t> reduces;
    for (const Item* item : group) {
        kept.insert(item->kept.begin(), item->kept.end());
        space.insert(item->leaves.begin(), item->leaves.end());
        reduces.insert(item->reduces.begin(), item->reduces.end());
        for (const auto& [leaf, range] : item->ranges)
            ranged.insert(leaf);
        const auto same = std::find_if(part.finals.begin(), part.finals.end(), [&](const FinalLoops& loops) {
            return loops.ranges == item->ranges && loops.loops.size() == item->leaves.size();
        });
        FinalLoops& loops = same == part.finals.end() ? part.finals.emplace_back() : *same;
        loops.ranges = item->ranges;
        loops.loops = item->leaves;
        loops.stores.insert(loops.stores.end(), item->stores.begin(), item->stores.end());
    }
    std::vector<std::set<AxisId>> spaces{kept};
    for (const FinalLoops& loops : part.finals)
        spaces.emplace_back(loops.loops.begin(), loops.loops.end());
    for (const std::int32_t id : reduces) {
        const Expr& expr = m_plan.pool[id];
        spaces.emplace_back(expr.over.begin(), expr.over.end());
        space.insert(expr.over.begin(), expr.over.end());
        for (const auto& [leaf, range] : expr.ranges)
            if (!range.whole)
                ranged.insert(leaf);
    }
    for (const AxisId leaf : space)
        part.sizes[leaf] = m_resolver->leafSize(leaf);
    if (group.front()->window) {
        makeWindowPart(part, group);
        return part;
    }
    mergeLoops(part, spaces, ranged);
    // What the graph reduces over may differ from one reduction to the next: each set of loops is one phase.
    for (const std::int32_t id : reduces) {
        const Expr& expr = m_plan.pool[id];
        const std::set<AxisId> loops = part.loopsOf({expr.over.begin(), expr.over.end()});
        Ranges ranges;
        for (const auto& [leaf, range] : expr.ranges)
            if (!range.whole)
                ranges[part.loopOf(leaf)] = range;
        const auto same = std::find_if(part.phases.begin(), part.phases.end(), [&](const PhaseLoops& phase) {
            return std::set<AxisId>(phase.loops.begin(), phase.loops.end()) == loops && phase.ranges == ranges
                && m_plan.pool[phase.reduces.front()].depth == expr.depth;
        });
        PhaseLoops& phase = same == part.phases.end() ? part.phases.emplace_back() : *same;
        phase.loops.assign(loops.begin(), loops.end());
        phase.ranges = ranges;
        phase.reduces.push_back(id);
    }
    std::stable_sort(part.phases.begin(), part.phases.end(), [&](const PhaseLoops& a, const PhaseLoops& b) {
        return m_plan.pool[a.reduces.front()].depth < m_plan.pool[b.reduces.front()].depth;
    });
    const auto outer = part.loopsOf(kept);
    part.outer.assign(outer.begin(), outer.end());
    for (const AxisId loop : part.outer)
        if (const auto range = group.front()->ranges.find(loop); range != group.front()->ranges.end())
            part.ranges[loop] = range->second;
    for (FinalLoops& loops : part.finals) {
        std::set<AxisId> inner = part.loopsOf({loops.loops.begin(), loops.loops.end()});
        for (const AxisId loop : part.outer) {
            inner.erase(loop);
            loops.ranges.erase(loop);
        }
        loops.loops.assign(inner.begin(), inner.end());
    }
    chooseForm(part);
    return part;
}

void Planner::chooseForm(PlanPart& part)
{
    std::vector<StoreOp> stores;
    for (const FinalLoops& loops : part.finals)
        stores.insert(stores.end(), loops.stores.begin(), loops.stores.end());
    const StoreOp* leading = &part.finals.front().stores.front();
    const auto remove = [](std::vector<AxisId>& loops, AxisId loop) { loops.erase(std::remove(loops.begin(), loops.end(), loop), loops.end()); };
    if (part.phases.empty()) {
        part.form = PartForm::Pointwise;
        std::vector<AxisId> loops = part.finals.front().loops;
        AxisId split = noAxis;
        for (std::size_t i = 1; i < part.finals.size(); ++i)
            for (const AxisId loop : loops)
                if (part.finals[i].ranges != part.finals[0].ranges && part.finals[i].ranges.count(loop) != 0
                    && (part.finals[0].ranges.count(loop) == 0 || part.finals[0].ranges.at(loop) != part.finals[i].ranges.at(loop)))
                    split = loop;
        part.vector = split != noAxis ? split : bestVector(part, loops, rootsOf(stores), stores);
        remove(loops, part.vector);
        orderLoops(part, loops, leading);
        part.outer = loops;
        for (const AxisId loop : loops)
            if (const auto range = part.finals.front().ranges.find(loop); range != part.finals.front().ranges.end())
                part.ranges[loop] = range->second;
        for (FinalLoops& each : part.finals) {
            each.loops.clear();
            each.vector = part.vector;
        }
        return;
    }
    double along = 0, across = 0;
    std::vector<std::int32_t> bodies;
    for (PhaseLoops& phase : part.phases) {
        std::vector<std::int32_t> roots;
        for (const std::int32_t id : phase.reduces)
            roots.push_back(m_plan.pool[id].arguments[0]);
        bodies.insert(bodies.end(), roots.begin(), roots.end());
        phase.vector = bestVector(part, phase.loops, roots, {});
        along += score(part, phase.vector, roots, {});
    }
    const AxisId column = bestVector(part, part.outer, bodies, {});
    if (column != noAxis)
        for (const PhaseLoops& phase : part.phases) {
            std::vector<std::int32_t> roots;
            for (const std::int32_t id : phase.reduces)
                roots.push_back(m_plan.pool[id].arguments[0]);
            across += score(part, column, roots, {});
        }
    part.form = column != noAxis && across > along ? PartForm::Columns : PartForm::Rows;
    part.vector = part.form == PartForm::Columns ? column : noAxis;
    if (part.form == PartForm::Columns)
        remove(part.outer, column);
    orderLoops(part, part.outer, leading);
    for (PhaseLoops& phase : part.phases) {
        if (part.form == PartForm::Columns)
            phase.vector = noAxis;
        else
            remove(phase.loops, phase.vector);
        orderLoops(part, phase.loops, nullptr);
    }
    for (FinalLoops& loops : part.finals) {
        if (part.form == PartForm::Rows && !loops.loops.empty()) {
            loops.vector = bestVector(part, loops.loops, rootsOf(loops.stores), loops.stores);
            remove(loops.loops, loops.vector);
        } else if (part.form == PartForm::Columns) {
            loops.vector = part.vector;
        }
        orderLoops(part, loops.loops, &loops.stores.front());
    }
}

void Planner::makeWindowPart(PlanPart& part, const std::vector<const Item*>& group)
{
    part.form = PartForm::Window;
    const auto used = m_plan.pool.reachable(rootsOf(part.finals.front().stores), true);
    for (const std::int32_t id : used) {
        const Expr& expr = m_plan.pool[id];
        if (expr.kind != ExprKind::Window)
            continue;
        if (expr.depth > 1)
            refuse("nested_window");
        if (part.rows != noAxis && (part.rows != expr.over[0] || part.vector != expr.over[1]))
            refuse("window_index");
        part.rows = expr.over[0];
        part.vector = expr.over[1];
    }
    for (const Item* item : group)
        if (!item->ranges.empty())
            refuse("window_and_pieces");
    if (part.finals.size() != 1 || part.rows == noAxis)
        refuse("window_index");
    std::vector<AxisId> outer = part.finals.front().loops;
    if (std::find(outer.begin(), outer.end(), part.rows) == outer.end() || std::find(outer.begin(), outer.end(), part.vector) == outer.end())
        refuse("window_index");
    outer.erase(std::remove_if(outer.begin(), outer.end(), [&](AxisId leaf) { return leaf == part.rows || leaf == part.vector; }), outer.end());
    mergeLoops(part, {std::set<AxisId>(outer.begin(), outer.end())}, {part.rows, part.vector});
    const auto loops = part.loopsOf({outer.begin(), outer.end()});
    part.outer.assign(loops.begin(), loops.end());
    orderLoops(part, part.outer, &part.finals.front().stores.front());
    part.finals.front().loops.clear();
    part.finals.front().vector = part.vector;
}

} // namespace kw
