// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/resolver.h"

#include "codegen/refusal.h"

#include <algorithm>

namespace kw {

namespace {
constexpr int deepest = 2000;
}

Resolver::Resolver(const ProgramData& data, std::vector<bool> fixed, ExprPool& pool)
    : m_data(data), m_fixed(std::move(fixed)), m_pool(pool)
{
}

Poly Resolver::leafSize(AxisId leaf) const { return fixedPoly(m_data.axes.leafSize(leaf)); }

Affine Resolver::identity(AxisId axis) const
{
    Affine result;
    if (axis == noAxis)
        return result;
    Poly stride(1);
    const auto leaves = m_data.axes.leaves(axis);
    for (auto leaf = leaves.rbegin(); leaf != leaves.rend(); ++leaf) {
        result += variable(*leaf) * stride;
        stride = stride * leafSize(*leaf);
    }
    return result;
}

Resolver::Bounds Resolver::bounds(const Affine& affine, const Ranges& ranges) const
{
    Bounds result{affine.constant.at(m_data.captured), affine.constant.at(m_data.captured)};
    for (const auto& [leaf, factor] : affine.terms) {
        const auto found = ranges.find(leaf);
        const std::int64_t low = found == ranges.end() || found->second.whole ? 0 : found->second.low;
        const std::int64_t high = (found == ranges.end() || found->second.whole ? capturedSize(leaf) : found->second.high) - 1;
        const std::int64_t scale = factor.at(m_data.captured);
        result.low += scale > 0 ? scale * low : scale * high;
        result.high += scale > 0 ? scale * high : scale * low;
    }
    return result;
}

NeedSplit Resolver::splitAt(const Affine& affine, std::int64_t boundary, const std::string& name) const
{
    if (affine.terms.size() != 1)
        refuse("mixed_index", name);
    const auto& [leaf, factor] = *affine.terms.begin();
    const std::int64_t scale = factor.at(m_data.captured);
    const std::int64_t rest = boundary - affine.constant.at(m_data.captured);
    // The first position of the loop variable whose index is on the other side.
    if (scale > 0)
        return {leaf, (rest + scale - 1) / scale};
    return {leaf, -rest / -scale >= 0 ? (-rest) / (-scale) + 1 : 0};
}

std::int32_t Resolver::resolve(std::int32_t node, const std::vector<Affine>& index, const Ranges& ranges)
{
    const auto key = std::pair(node, index);
    if (const auto found = m_memo[ranges].find(key); found != m_memo[ranges].end())
        return found->second;
    struct Level {
        int& depth;
        ~Level() { --depth; }
    } level{m_depth};
    if (++m_depth > deepest)
        refuse("too_large");
    const std::int32_t result = compute(node, index, ranges);
    m_memo[ranges].emplace(key, result);
    return result;
}

std::int32_t Resolver::numberExpr(double value, DType dtype)
{
    Expr expr;
    expr.number = value;
    expr.dtype = dtype;
    return m_pool.add(std::move(expr));
}

std::int32_t Resolver::compute(std::int32_t id, const std::vector<Affine>& index, const Ranges& ranges)
{
    const IrNode& node = m_data.nodes[static_cast<std::size_t>(id)];
    std::vector<Affine> child = index;
    switch (node.kind) {
    case IrKind::Input: return load(node, index);
    case IrKind::Number: return numberExpr(node.number, node.dtype);
    case IrKind::Size: {
        Expr expr;
        expr.kind = ExprKind::Size;
        expr.size = Poly(1);
        for (const AxisId axis : node.sizes)
            for (const AxisId leaf : m_data.axes.leaves(axis))
                expr.size = expr.size * leafSize(leaf);
        return m_pool.add(std::move(expr));
    }
    case IrKind::Position: {
        Expr expr;
        expr.kind = ExprKind::Position;
        expr.number = node.number;
        expr.index = index.at(0) * Poly(node.integers[0]);
        expr.dtype = node.dtype;
        expr.name = node.name;
        return m_pool.add(std::move(expr));
    }
    case IrKind::Call: return call(node, index, ranges);
    case IrKind::Reshape: return reshape(node, index, ranges);
    case IrKind::Permute:
        for (std::size_t i = 0; i < index.size(); ++i)
            child.at(static_cast<std::size_t>(node.integers[i])) = index[i];
        return resolve(node.arguments[0], child, ranges);
    case IrKind::Expand: {
        const auto& axes = m_data.nodes[static_cast<std::size_t>(node.arguments[0])].axes;
        child.erase(child.begin(), child.end() - static_cast<std::ptrdiff_t>(axes.size()));
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (axes[i] == noAxis)
                child[i] = Affine();
        return resolve(node.arguments[0], child, ranges);
    }
    case IrKind::Flip:
        for (const std::int64_t dim : node.integers) {
            Affine last;
            last.constant = Poly(node.shape[static_cast<std::size_t>(dim)] - 1);
            Affine& at = child.at(static_cast<std::size_t>(dim));
            at = last + at * Poly(-1);
        }
        return resolve(node.arguments[0], child, ranges);
    case IrKind::Slice: {
        Affine& at = child.at(static_cast<std::size_t>(node.integers[0]));
        at = at * Poly(node.integers[2]);
        at.constant += Poly(node.integers[1]);
        return resolve(node.arguments[0], child, ranges);
    }
    case IrKind::Select: {
        Affine at;
        at.constant = Poly(node.integers[1]);
        child.insert(child.begin() + node.integers[0], at);
        return resolve(node.arguments[0], child, ranges);
    }
    case IrKind::Cat: return concatenation(node, child, ranges);
    case IrKind::Pad: return padding(node, child, ranges);
    case IrKind::Reduce: return reduction(node, index, ranges);
    case IrKind::Window: return window(node, index, ranges);
    }
    refuse("internal");
}

std::int32_t Resolver::load(const IrNode& node, const std::vector<Affine>& index)
{
    Expr expr;
    expr.kind = ExprKind::Load;
    expr.input = static_cast<std::int32_t>(node.integers[0]);
    expr.dtype = node.dtype;
    expr.name = node.name;
    const auto& strides = m_data.inputStrides[static_cast<std::size_t>(expr.input)];
    for (std::size_t i = 0; i < index.size(); ++i)
        if (node.axes[i] != noAxis)
            expr.index += index[i] * fixedPoly(strides[i]);
    return m_pool.add(std::move(expr));
}

std::int32_t Resolver::call(const IrNode& node, const std::vector<Affine>& index, const Ranges& ranges)
{
    Expr expr;
    expr.kind = ExprKind::Call;
    expr.function = node.function;
    expr.dtype = node.dtype;
    expr.name = node.name;
    for (const std::int32_t argument : node.arguments) {
        const IrNode& below = m_data.nodes[static_cast<std::size_t>(argument)];
        std::vector<Affine> at(index.end() - static_cast<std::ptrdiff_t>(below.shape.size()), index.end());
        for (std::size_t i = 0; i < at.size(); ++i)
            if (below.axes[i] == noAxis)
                at[i] = Affine();
        expr.arguments.push_back(resolve(argument, at, ranges));
    }
    return m_pool.add(std::move(expr));
}

std::int32_t Resolver::reshape(const IrNode& node, const std::vector<Affine>& index, const Ranges& ranges)
{
    const IrNode& below = m_data.nodes[static_cast<std::size_t>(node.arguments[0])];
    // One digit per leaf, most significant first; both shapes have the same sequence of leaves.
    std::vector<Affine> digits;
    for (std::size_t dim = 0; dim < index.size(); ++dim) {
        if (node.axes[dim] == noAxis)
            continue;
        const auto leaves = m_data.axes.leaves(node.axes[dim]);
        Affine rest = index[dim];
        for (std::size_t i = 0; i + 1 < leaves.size(); ++i) {
            Poly weight(1);
            for (std::size_t j = i + 1; j < leaves.size(); ++j)
                weight = weight * leafSize(leaves[j]);
            Affine digit, left;
            for (const auto& [leaf, factor] : rest.terms) {
                const auto quotient = factor.dividedBy(weight);
                (quotient ? digit : left).terms.emplace(leaf, quotient ? *quotient : factor);
            }
            if (const auto whole = rest.constant.dividedBy(weight)) {
                digit.constant = *whole;
            } else if (rest.constant.constant() && weight.constant()) {
                const std::int64_t value = *rest.constant.constant();
                const std::int64_t size = *weight.constant();
                const std::int64_t floor = value >= 0 ? value / size : -((-value + size - 1) / size);
                digit.constant = Poly(floor);
                left.constant = Poly(value - floor * size);
            } else {
                refuse("reshape_index", node.name);
            }
            const Bounds within = bounds(left, ranges);
            if (within.low < 0 || within.high >= weight.at(m_data.captured))
                refuse("reshape_index", node.name);
            digits.push_back(digit);
            rest = left;
        }
        digits.push_back(rest);
    }
    std::vector<Affine> child;
    std::size_t next = 0;
    for (const AxisId axis : below.axes) {
        Affine at;
        if (axis != noAxis) {
            const auto leaves = m_data.axes.leaves(axis);
            for (const AxisId leaf : leaves)
                at = at * leafSize(leaf) + digits.at(next++);
        }
        child.push_back(at);
    }
    return resolve(node.arguments[0], child, ranges);
}

std::int32_t Resolver::concatenation(const IrNode& node, std::vector<Affine> index, const Ranges& ranges)
{
    Affine& at = index.at(static_cast<std::size_t>(node.integers[0]));
    const Bounds within = bounds(at, ranges);
    for (std::size_t part = node.arguments.size(); part-- > 0;) {
        const std::int64_t start = node.integers[part + 1];
        if (within.high < start)
            continue;
        if (within.low < start)
            throw splitAt(at, start, node.name);
        at.constant += Poly(-start);
        const auto& axes = m_data.nodes[static_cast<std::size_t>(node.arguments[part])].axes;
        if (axes[static_cast<std::size_t>(node.integers[0])] == noAxis)
            at = Affine();
        return resolve(node.arguments[part], index, ranges);
    }
    refuse("internal");
}

std::int32_t Resolver::padding(const IrNode& node, std::vector<Affine> index, const Ranges& ranges)
{
    const IrNode& below = m_data.nodes[static_cast<std::size_t>(node.arguments[0])];
    for (std::size_t dim = 0; dim < index.size(); ++dim) {
        const std::int64_t size = below.shape[dim];
        if (size == node.shape[dim])
            continue;
        Affine& at = index[dim];
        at.constant += Poly(-node.integers[dim]);
        const Bounds within = bounds(at, ranges);
        if (within.low < 0 && within.high >= 0)
            throw splitAt(at, 0, node.name);
        if (within.low < size && within.high >= size)
            throw splitAt(at, size, node.name);
        if (within.low >= 0 && within.high < size)
            continue;
        if (node.pad == PadMode::Constant)
            return numberExpr(node.number, node.dtype);
        Affine mirrored;
        if (node.pad == PadMode::Reflect) {
            mirrored = at * Poly(-1);
            if (within.low >= size)
                mirrored.constant += Poly(2 * (size - 1));
        } else {
            mirrored.constant = Poly(within.low >= size ? size - 1 : 0);
        }
        at = mirrored;
    }
    for (std::size_t dim = 0; dim < index.size(); ++dim)
        if (below.axes[dim] == noAxis)
            index[dim] = Affine();
    return resolve(node.arguments[0], index, ranges);
}

std::vector<AxisId> Resolver::reducedLeaves(const IrNode& node) const
{
    const auto& axes = m_data.nodes[static_cast<std::size_t>(node.arguments[0])].axes;
    std::vector<AxisId> all;
    for (const std::int64_t dim : node.integers) {
        const AxisId axis = axes.at(static_cast<std::size_t>(dim));
        if (axis == noAxis)
            continue;
        const auto leaves = m_data.axes.leaves(axis);
        all.insert(all.end(), leaves.begin(), leaves.end());
    }
    return all;
}

std::int32_t Resolver::reduction(const IrNode& node, const std::vector<Affine>& index, const Ranges& ranges)
{
    const auto& axes = m_data.nodes[static_cast<std::size_t>(node.arguments[0])].axes;
    std::vector<Affine> child;
    std::size_t next = 0;
    for (std::size_t dim = 0; dim < axes.size(); ++dim) {
        const bool over = std::find(node.integers.begin(), node.integers.end(), static_cast<std::int64_t>(dim)) != node.integers.end();
        child.push_back(over ? identity(axes[dim]) : axes[dim] == noAxis ? Affine() : index.at(next));
        if (!over || node.keep)
            ++next;
    }
    const auto leaves = reducedLeaves(node);
    // The kept index may not run over the leaves that are summed here (a value compared with its own row's sum does).
    for (std::size_t dim = 0; dim < axes.size(); ++dim) {
        const bool over = std::find(node.integers.begin(), node.integers.end(), static_cast<std::int64_t>(dim)) != node.integers.end();
        for (const AxisId leaf : leaves)
            if (!over && child[dim].terms.count(leaf) != 0)
                refuse("mixed_reduction", node.name);
    }
    if (leaves.empty())
        return resolve(node.arguments[0], child, ranges);
    std::int64_t count = 1;
    bool constant = true;
    for (const AxisId leaf : leaves) {
        count *= capturedSize(leaf);
        constant = constant && leafSize(leaf).constant().has_value();
    }
    if (constant && count <= m_mostUnrolled)
        return reduceUnrolled(node, child, ranges, leaves);
    Ranges own;
    for (const AxisId leaf : leaves)
        own.emplace(leaf, Range{0, capturedSize(leaf), true});
    return reduceLoop(node, child, ranges, own);
}

std::int32_t Resolver::combine(const std::string& function, std::int32_t a, std::int32_t b, const std::string& name)
{
    Expr expr;
    expr.kind = ExprKind::Call;
    expr.function = function == "sum" ? "add" : function == "amax" ? "maximum" : "minimum";
    expr.arguments = {a, b};
    expr.name = name;
    return m_pool.add(std::move(expr));
}

std::int32_t Resolver::reduceLoop(const IrNode& node, const std::vector<Affine>& index, const Ranges& ranges, Ranges own)
{
    Ranges inner = ranges;
    for (const auto& [leaf, range] : own)
        if (!range.whole)
            inner[leaf] = range;
    try {
        Expr expr;
        expr.kind = ExprKind::Reduce;
        expr.function = node.function;
        expr.arguments = {resolve(node.arguments[0], index, inner)};
        for (const auto& [leaf, range] : own)
            expr.over.push_back(leaf);
        expr.ranges = own;
        expr.name = node.name;
        return m_pool.add(std::move(expr));
    } catch (const NeedSplit& split) {
        const auto found = own.find(split.leaf);
        if (found == own.end())
            throw;
        if (split.at <= found->second.low || split.at >= found->second.high)
            refuse("internal");
        Ranges first = own, second = own;
        first[split.leaf] = Range{found->second.low, split.at, false};
        second[split.leaf] = Range{split.at, found->second.high, false};
        const std::int32_t a = reduceLoop(node, index, ranges, first);
        const std::int32_t b = reduceLoop(node, index, ranges, second);
        return combine(node.function, a, b, node.name);
    }
}

std::int32_t Resolver::reduceUnrolled(const IrNode& node, const std::vector<Affine>& index, const Ranges& ranges, const std::vector<AxisId>& leaves)
{
    std::vector<std::int64_t> position(leaves.size(), 0);
    std::int32_t total = -1;
    while (true) {
        std::vector<Affine> at = index;
        for (Affine& each : at) {
            for (std::size_t i = 0; i < leaves.size(); ++i) {
                const auto found = each.terms.find(leaves[i]);
                if (found == each.terms.end())
                    continue;
                each.constant += found->second * Poly(position[i]);
                each.terms.erase(found);
            }
        }
        const std::int32_t value = resolve(node.arguments[0], at, ranges);
        total = total < 0 ? value : combine(node.function, total, value, node.name);
        std::size_t digit = leaves.size();
        while (digit > 0 && ++position[digit - 1] == capturedSize(leaves[digit - 1]))
            position[--digit] = 0;
        if (digit == 0)
            return total;
    }
}

std::int32_t Resolver::window(const IrNode& node, const std::vector<Affine>& index, const Ranges& ranges)
{
    const IrNode& below = m_data.nodes[static_cast<std::size_t>(node.arguments[0])];
    const std::size_t rank = below.axes.size();
    Expr expr;
    expr.kind = ExprKind::Window;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto leaves = m_data.axes.leaves(below.axes[rank - 2 + i]);
        if (leaves.size() != 1 || index.at(rank - 2 + i) != variable(leaves[0]))
            refuse("window_index", node.name);
        const auto range = ranges.find(leaves[0]);
        if (range != ranges.end() && !range->second.whole)
            refuse("window_index", node.name);
        expr.over.push_back(leaves[0]);
    }
    expr.arguments = {resolve(node.arguments[0], index, ranges)};
    expr.window = node.integers;
    expr.pad = static_cast<int>(node.pad);
    expr.name = node.name;
    return m_pool.add(std::move(expr));
}

} // namespace kw
