// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/bounds.h"

#include <algorithm>
#include <cmath>

namespace kw {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Outwards by more than the roundings of one operation can move a result; zero and infinity stay.
ValueBounds widened(double low, double high)
{
    constexpr double slack = 1e-6;
    return {std::isnan(low) ? -infinite : low - slack * std::abs(low), std::isnan(high) ? infinite : high + slack * std::abs(high)};
}

ValueBounds monotone(ValueBounds x, double (*function)(double)) { return widened(function(x.low), function(x.high)); }

} // namespace

ValueBounds BoundsFinder::of(std::int32_t id)
{
    if (const auto known = m_known.find(id); known != m_known.end())
        return known->second;
    ValueBounds bounds = find(m_pool[id]);
    if (std::isnan(bounds.low) || std::isnan(bounds.high) || bounds.low > bounds.high)
        bounds = {};
    m_known.emplace(id, bounds);
    return bounds;
}

ValueBounds BoundsFinder::find(const Expr& expr)
{
    switch (expr.kind) {
    case ExprKind::Number: return {expr.number, expr.number};
    case ExprKind::Size: return {0, infinite};
    case ExprKind::Call: return call(expr);
    case ExprKind::Reduce:
    case ExprKind::Window: {
        const ValueBounds each = of(expr.arguments[0]);
        if (expr.kind == ExprKind::Reduce && expr.function != "sum")
            return each;
        return {each.low >= 0 ? 0 : -infinite, each.high <= 0 ? 0 : infinite};
    }
    default: return {};
    }
}

/// Whether `reduction` is the maximum of a row to which `value` belongs.
bool BoundsFinder::isOwnMaximum(std::int32_t value, std::int32_t reduction) const
{
    const Expr& expr = m_pool[reduction];
    return expr.kind == ExprKind::Reduce && expr.function == "amax" && expr.arguments[0] == value
        && std::all_of(expr.ranges.begin(), expr.ranges.end(), [](const auto& range) { return range.second.whole; });
}

ValueBounds BoundsFinder::product(const Expr& expr)
{
    const ValueBounds a = of(expr.arguments[0]), b = of(expr.arguments[1]);
    if (expr.arguments[0] == expr.arguments[1]) {
        const double most = std::max(std::abs(a.low), std::abs(a.high)), least = a.low <= 0 && a.high >= 0 ? 0 : std::min(std::abs(a.low), std::abs(a.high));
        return widened(least * least, most * most);
    }
    const double corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    if (std::any_of(std::begin(corners), std::end(corners), [](double corner) { return std::isnan(corner); })) // 0 * infinity
        return {a.low >= 0 && b.low >= 0 ? 0 : -infinite, infinite};
    const auto [least, most] = std::minmax_element(std::begin(corners), std::end(corners));
    return widened(*least, *most);
}

ValueBounds BoundsFinder::call(const Expr& expr)
{
    const std::string& name = expr.function;
    if (expr.dtype != DType::Float)
        return {};
    if (name == "convert")
        return m_pool[expr.arguments[0]].dtype == DType::Bool ? ValueBounds{0, 1} : ValueBounds{};
    if (name == "sigmoid")
        return {0, 1};
    if (name == "tanh" || name == "erf" || name == "sin" || name == "cos")
        return {-1.000001, 1.000001};
    if (name == "rsqrt")
        return {0, infinite};
    const ValueBounds x = of(expr.arguments[0]);
    if (name == "exp" || name == "exp2")
        return monotone(x, name == "exp" ? static_cast<double (*)(double)>(std::exp) : static_cast<double (*)(double)>(std::exp2));
    if (name == "sqrt")
        return monotone({std::max(x.low, 0.0), std::max(x.high, 0.0)}, std::sqrt);
    if (name == "neg")
        return {-x.high, -x.low};
    if (name == "abs")
        return {x.low >= 0 ? x.low : x.high <= 0 ? -x.high : 0, std::max(std::abs(x.low), std::abs(x.high))};
    if (expr.arguments.size() < 2)
        return {};
    if (name == "mul")
        return product(expr);
    if (name == "sub" && isOwnMaximum(expr.arguments[0], expr.arguments[1]))
        return {-infinite, 0};
    const ValueBounds y = of(expr.arguments[1]);
    if (name == "add")
        return widened(x.low + y.low, x.high + y.high);
    if (name == "sub")
        return widened(x.low - y.high, x.high - y.low);
    if (name == "div" && y.low == y.high && y.low != 0 && std::isfinite(y.low))
        return y.low > 0 ? widened(x.low / y.low, x.high / y.low) : widened(x.high / y.low, x.low / y.low);
    if (name == "maximum")
        return {std::max(x.low, y.low), std::max(x.high, y.high)};
    if (name == "minimum")
        return {std::min(x.low, y.low), std::min(x.high, y.high)};
    if (name == "where") {
        const ValueBounds z = of(expr.arguments[2]);
        return {std::min(y.low, z.low), std::max(y.high, z.high)};
    }
    return {};
}

} // namespace kw
