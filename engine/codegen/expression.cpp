// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/expression.h"

#include "codegen/refusal.h"

#include <bit>

namespace kw {

namespace {

constexpr std::size_t mostExpressions = 20000;

void appendAffine(std::string& text, const Affine& affine)
{
    std::vector<std::string> names;
    for (int i = 0; i < 64; ++i)
        names.push_back("d" + std::to_string(i));
    for (const auto& [leaf, factor] : affine.terms)
        text += "a" + std::to_string(leaf) + "*(" + factor.text(names) + ")+";
    text += affine.constant.text(names) + ";";
}

} // namespace

Affine& Affine::operator+=(const Affine& other)
{
    for (const auto& [leaf, factor] : other.terms) {
        const auto [place, added] = terms.emplace(leaf, factor);
        if (!added && (place->second += factor).isZero())
            terms.erase(place);
    }
    constant += other.constant;
    return *this;
}

Affine operator*(const Affine& a, const Poly& factor)
{
    Affine result;
    if (factor.isZero())
        return result;
    for (const auto& [leaf, own] : a.terms)
        result.terms.emplace(leaf, own * factor);
    result.constant = a.constant * factor;
    return result;
}

Poly Affine::coefficient(AxisId leaf) const
{
    const auto found = terms.find(leaf);
    return found == terms.end() ? Poly() : found->second;
}

Affine variable(AxisId leaf)
{
    Affine result;
    result.terms.emplace(leaf, Poly(1));
    return result;
}

std::string ExprPool::key(const Expr& expr) const
{
    std::string text = std::to_string(static_cast<int>(expr.kind)) + expr.function + "/" + std::to_string(static_cast<int>(expr.dtype)) + "/";
    for (const std::int32_t argument : expr.arguments)
        text += std::to_string(argument) + ",";
    text += "/" + std::to_string(expr.input) + "/" + std::to_string(std::bit_cast<std::uint64_t>(expr.number)) + "/";
    appendAffine(text, expr.index);
    Affine size;
    size.constant = expr.size;
    appendAffine(text, size);
    for (const AxisId leaf : expr.over)
        text += std::to_string(leaf) + ",";
    for (const auto& [leaf, range] : expr.ranges)
        text += std::to_string(leaf) + ":" + std::to_string(range.low) + "-" + std::to_string(range.high) + ",";
    for (const std::int64_t number : expr.window)
        text += std::to_string(number) + ",";
    return text + std::to_string(expr.pad);
}

std::int32_t ExprPool::add(Expr expr)
{
    std::string text = key(expr);
    if (const auto found = m_known.find(text); found != m_known.end())
        return found->second;
    if (m_exprs.size() >= mostExpressions)
        refuse("too_large");
    for (const auto& [leaf, factor] : expr.index.terms)
        expr.variables.insert(leaf);
    for (const std::int32_t argument : expr.arguments) {
        const Expr& below = m_exprs[static_cast<std::size_t>(argument)];
        expr.variables.insert(below.variables.begin(), below.variables.end());
        expr.depth = std::max(expr.depth, below.depth);
    }
    if (expr.kind == ExprKind::Reduce || expr.kind == ExprKind::Window)
        ++expr.depth;
    if (expr.kind == ExprKind::Reduce)
        for (const AxisId leaf : expr.over)
            expr.variables.erase(leaf);
    m_exprs.push_back(std::move(expr));
    const auto id = static_cast<std::int32_t>(m_exprs.size()) - 1;
    m_known.emplace(std::move(text), id);
    return id;
}

std::vector<std::int32_t> ExprPool::reachable(const std::vector<std::int32_t>& roots, bool throughReductions) const
{
    std::vector<bool> seen(m_exprs.size(), false);
    std::vector<std::int32_t> stack = roots;
    while (!stack.empty()) {
        const std::int32_t id = stack.back();
        stack.pop_back();
        if (seen[static_cast<std::size_t>(id)])
            continue;
        seen[static_cast<std::size_t>(id)] = true;
        const Expr& expr = m_exprs[static_cast<std::size_t>(id)];
        if (!throughReductions && (expr.kind == ExprKind::Reduce || expr.kind == ExprKind::Window))
            continue;
        stack.insert(stack.end(), expr.arguments.begin(), expr.arguments.end());
    }
    std::vector<std::int32_t> all;
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (seen[i])
            all.push_back(static_cast<std::int32_t>(i));
    return all;
}

} // namespace kw
