// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/keepable.h"

#include "codegen/part_emitter.h"

#include <algorithm>

namespace kw {

namespace {

constexpr std::int64_t longestRow = 16384;
constexpr double worthKeeping = 8; // vector operations; a kept value costs a store and a load
constexpr double cheapEnough = 3;  // a value that is rather computed again for each row of a window

std::vector<std::int32_t> storeRoots(const FinalLoops& loops)
{
    std::vector<std::int32_t> roots;
    for (const StoreOp& store : loops.stores)
        roots.push_back(store.expr);
    return roots;
}

} // namespace

KeepableRow keepableRow(const ExprPool& pool, const PlanPart& part)
{
    KeepableRow result;
    AxisId loop = noAxis;
    std::vector<std::vector<std::int32_t>> bodies;
    const auto add = [&](const std::vector<AxisId>& loops, AxisId vector, const Ranges& ranges, std::vector<std::int32_t> roots) {
        if (!loops.empty() || vector == noAxis || ranges.count(vector) != 0 || (loop != noAxis && vector != loop))
            return;
        loop = vector;
        bodies.push_back(std::move(roots));
    };
    if (part.form != PartForm::Rows)
        return result;
    for (const PhaseLoops& phase : part.phases) {
        std::vector<std::int32_t> roots;
        for (const std::int32_t id : phase.reduces)
            roots.push_back(pool[id].arguments[0]);
        add(phase.loops, phase.vector, phase.ranges, std::move(roots));
    }
    for (const FinalLoops& loops : part.finals)
        add(loops.loops, loops.vector, loops.ranges, storeRoots(loops));
    if (loop == noAxis || !part.sizes.at(loop).constant() || *part.sizes.at(loop).constant() > longestRow)
        return result;
    result.size = *part.sizes.at(loop).constant();
    std::map<std::int32_t, int> users;
    for (const auto& body : bodies)
        for (const std::int32_t id : pool.reachable(body, false))
            ++users[id];
    std::set<std::int32_t> seen;
    for (const auto& body : bodies) {
        std::vector<std::int32_t> stack = body;
        while (!stack.empty()) {
            const std::int32_t id = stack.back();
            stack.pop_back();
            if (!seen.insert(id).second)
                continue;
            const Expr& expr = pool[id];
            if (expr.kind != ExprKind::Call)
                continue;
            const bool varies = part.loopsOf(expr.variables).count(loop) != 0;
            if (users[id] > 1 && varies && expr.dtype == DType::Float && costOf(pool, {id}) >= worthKeeping)
                result.values.push_back(id);
            else
                stack.insert(stack.end(), expr.arguments.begin(), expr.arguments.end());
        }
    }
    std::sort(result.values.begin(), result.values.end());
    result.values.erase(std::unique(result.values.begin(), result.values.end()), result.values.end());
    return result;
}

WindowValues windowValues(const ExprPool& pool, const PlanPart& part)
{
    WindowValues result;
    const auto roots = storeRoots(part.finals.front());
    std::set<std::int32_t> children;
    for (const std::int32_t id : pool.reachable(roots, false)) {
        if (pool[id].kind != ExprKind::Window)
            continue;
        result.windows.push_back(id);
        children.insert(pool[id].arguments[0]);
    }
    const auto isRing = [&](std::int32_t id) { return std::find(result.rings.begin(), result.rings.end(), id) != result.rings.end(); };
    for (const std::int32_t child : children) {
        // Cheap functions of values that are there already, such as a square, are not stored again.
        double cost = 0;
        bool loads = false;
        std::vector<std::int32_t> stack{child};
        while (!stack.empty() && !result.rings.empty()) {
            const std::int32_t id = stack.back();
            stack.pop_back();
            if (isRing(id))
                continue;
            const ExprKind kind = pool[id].kind;
            loads = loads || kind == ExprKind::Load || kind == ExprKind::Position;
            cost += costOfNode(pool[id]);
            stack.insert(stack.end(), pool[id].arguments.begin(), pool[id].arguments.end());
        }
        if (result.rings.empty() || loads || cost > cheapEnough)
            result.rings.push_back(child);
    }
    std::set<std::int32_t> prepared;
    for (const std::int32_t id : pool.reachable(result.rings, false))
        prepared.insert(id);
    std::set<std::int32_t> seen;
    std::vector<std::int32_t> stack = roots;
    while (!stack.empty()) {
        const std::int32_t id = stack.back();
        stack.pop_back();
        if (!seen.insert(id).second || isRing(id) || pool[id].kind == ExprKind::Window)
            continue;
        if (prepared.count(id) != 0 && pool[id].dtype == DType::Float && costOf(pool, {id}) >= worthKeeping)
            result.delayed.push_back(id);
        else
            stack.insert(stack.end(), pool[id].arguments.begin(), pool[id].arguments.end());
    }
    std::sort(result.delayed.begin(), result.delayed.end());
    return result;
}

} // namespace kw
