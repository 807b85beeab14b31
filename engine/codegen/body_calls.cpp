// SPDX-License-Identifier: GPL-3.0-or-later
// BodyWriter's part that writes calls of functions and operators.
#include "codegen/body_writer.h"

#include "codegen/refusal.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kw {

namespace {

std::string wrapped(const CodeText& text, CodeText::Level least)
{
    return text.level >= least ? text.text : "(" + text.text + ")";
}

/// Whether x / divisor may be written x * (1 / divisor): exact for powers of two; and where the divisor is rounded to a
/// float anyway, rounding its reciprocal instead errs as little.
bool hasGoodReciprocal(double divisor)
{
    int exponent = 0;
    const double mantissa = std::abs(std::frexp(divisor, &exponent));
    constexpr int safeExponent = 100;
    return std::isfinite(divisor) && divisor != 0 && std::abs(exponent) < safeExponent
        && (mantissa == 0.5 || static_cast<double>(static_cast<float>(divisor)) != divisor);
}

} // namespace

CodeText BodyWriter::binary(const Expr& expr, const char* sign, CodeText::Level level)
{
    const auto part = [&](std::int32_t id, CodeText::Level least) {
        const Expr& below = m_plan.pool[id];
        CodeText text = below.kind == ExprKind::Number ? literal(below.number, expr.dtype) : value(id);
        return std::pair(wrapped(text, least), text.scalar);
    };
    const auto [left, leftScalar] = part(expr.arguments[0], level);
    const auto [right, rightScalar] = part(expr.arguments[1], static_cast<CodeText::Level>(level + 1));
    const bool scalar = leftScalar && rightScalar;
    if (expr.dtype == DType::Int32 && !scalar)
        return {"wrapped32(" + left + sign + right + ")"};
    return {left + sign + right, level, scalar};
}

CodeText BodyWriter::callText(std::int32_t id)
{
    const Expr& expr = m_plan.pool[id];
    const std::string& function = expr.function;
    if (function == "eq" || function == "ne" || function == "lt" || function == "le" || function == "gt" || function == "ge")
        return comparison(expr);
    if (function == "and" || function == "or" || function == "xor" || function == "not")
        return logical(expr);
    if (function == "convert")
        return conversion(expr);
    if (function == "where") {
        const std::string condition = boolean(expr.arguments[0]);
        return {"select(" + condition + ", " + operand(expr.arguments[1], expr.dtype) + ", " + operand(expr.arguments[2], expr.dtype) + ")"};
    }
    if (function == "add" && expr.dtype == DType::Float)
        for (std::size_t i = 0; i < 2; ++i) {
            const Expr& one = m_plan.pool[expr.arguments[i]];
            const std::int32_t other = expr.arguments[1 - i];
            if (one.kind == ExprKind::Number && one.number == 1 && m_plan.pool[other].function == "erf" && m_uses[other] == 1)
                return {"one_plus_erf(" + lanesOf(m_plan.pool[other].arguments[0]) + ")"};
        }
    if (function == "add" && expr.dtype != DType::Bool)
        return binary(expr, " + ", CodeText::Sum);
    if (function == "sub" && expr.dtype != DType::Bool)
        return binary(expr, " - ", CodeText::Sum);
    if (function == "mul" && expr.dtype != DType::Bool)
        return binary(expr, " * ", CodeText::Product);
    if (expr.dtype == DType::Bool && (function == "isnan" || function == "isinf" || function == "isfinite")) {
        if (m_plan.pool[expr.arguments[0]].dtype != DType::Float)
            return {function == "isfinite" ? "true" : "false", CodeText::Atom, true};
        const std::string x = lanesOf(expr.arguments[0]);
        if (function == "isinf")
            return {"abs(" + x + ") == __builtin_inff()", CodeText::Other};
        return {(function == "isnan" ? "isNan(" : "isFinite(") + x + ")"};
    }
    if (expr.dtype == DType::Float)
        return floatCall(id);
    const bool integer = expr.dtype == DType::Int64 || expr.dtype == DType::Int32;
    if (integer && function == "neg")
        return {"-(" + lanesOf(expr.arguments[0]) + ")", CodeText::Product};
    if (integer && (function == "maximum" || function == "minimum")) {
        const std::string a = operand(expr.arguments[0], expr.dtype), b = operand(expr.arguments[1], expr.dtype);
        return {"select(asMask((" + a + ")" + (function == "maximum" ? " > " : " < ") + "(" + b + ")), " + a + ", " + b + ")"};
    }
    throw CodegenRefused(Message("codegen.refused.integer_operator").with("node", expr.name).with("operator", function));
}

CodeText BodyWriter::floatCall(std::int32_t id)
{
    const Expr& expr = m_plan.pool[id];
    const std::string& function = expr.function;
    const auto& arguments = expr.arguments;
    for (const std::int32_t argument : arguments)
        if (m_plan.pool[argument].dtype != DType::Float && m_plan.pool[argument].kind != ExprKind::Number)
            throw CodegenRefused(Message("codegen.refused.integer_operator").with("node", expr.name).with("operator", function));
    if (function == "div") {
        const Expr& divisor = m_plan.pool[arguments[1]];
        if (divisor.kind != ExprKind::Number || m_plan.pool[arguments[0]].kind == ExprKind::Number || !hasGoodReciprocal(divisor.number))
            return binary(expr, " / ", CodeText::Product);
        const CodeText left = value(arguments[0]);
        return {wrapped(left, CodeText::Product) + " * " + wrapped(literal(1 / divisor.number, DType::Float), CodeText::Atom), CodeText::Product, left.scalar};
    }
    if (function == "neg")
        return {"-" + wrapped(value(arguments[0]), CodeText::Atom), CodeText::Product, value(arguments[0]).scalar};
    if (function == "reciprocal")
        return {"1.0f / " + wrapped(value(arguments[0]), CodeText::Atom), CodeText::Product, value(arguments[0]).scalar};
    if (function == "pow")
        return power(id);
    if (function == "maximum" || function == "minimum") {
        for (std::size_t i = 0; i < 2; ++i) {
            const Expr& bound = m_plan.pool[arguments[i]];
            if (bound.kind == ExprKind::Number && bound.number == bound.number)
                return {(function == "maximum" ? "atLeast(" : "atMost(") + lanesOf(arguments[1 - i]) + ", " + floatLiteral(bound.number) + ")"};
        }
    }
    std::string name = function;
    if (name == "exp" && m_bounds.of(arguments[0]).high <= 0)
        name = "exp_nonpositive";
    std::string text = name + "(";
    for (std::size_t i = 0; i < arguments.size(); ++i)
        text += (i ? ", " : "") + operand(arguments[i], DType::Float);
    return {text + ")"};
}

/// where(x <= c, ..., f(pow(g(x), y))): the power may be taken of max(g(x), g(c)), which keeps it away from its special
/// cases, when g rises with x.
void BodyWriter::findGuards(const std::vector<std::int32_t>& exprs)
{
    constexpr double leastGuard = 1e-30, slack = 1e-6;
    m_guards.clear();
    for (const std::int32_t id : exprs) {
        const Expr& choice = m_plan.pool[id];
        if (choice.kind != ExprKind::Call || choice.function != "where")
            continue;
        const Expr& condition = m_plan.pool[choice.arguments[0]];
        const bool below = condition.function == "lt" || condition.function == "le";
        const bool above = condition.function == "gt" || condition.function == "ge";
        if (condition.kind != ExprKind::Call || (!below && !above))
            continue;
        const Expr& limit = m_plan.pool[condition.arguments[1]];
        if (limit.kind != ExprKind::Number)
            continue;
        const std::int32_t compared = condition.arguments[0];
        BoundsFinder beyond(m_plan.pool, compared, {limit.number, std::numeric_limits<double>::infinity()});
        std::vector<std::int32_t> stack{choice.arguments[below ? 2 : 1]};
        while (!stack.empty()) {
            const std::int32_t at = stack.back();
            stack.pop_back();
            const Expr& expr = m_plan.pool[at];
            if (expr.kind != ExprKind::Call || m_uses[at] != 1)
                continue;
            const double least = expr.function == "pow" ? beyond.of(expr.arguments[0]).low * (1 - slack) : 0;
            if (least >= leastGuard && std::isfinite(least) && m_bounds.of(expr.arguments[0]).low < least)
                m_guards[at] = least;
            stack.insert(stack.end(), expr.arguments.begin(), expr.arguments.end());
        }
    }
}

CodeText BodyWriter::power(std::int32_t id)
{
    const Expr& expr = m_plan.pool[id];
    const Expr& exponent = m_plan.pool[expr.arguments[1]];
    std::string base = operand(expr.arguments[0], DType::Float);
    if (exponent.kind != ExprKind::Number)
        return {"pow(" + base + ", " + lanesOf(expr.arguments[1]) + ")"};
    ValueBounds range = m_bounds.of(expr.arguments[0]);
    if (const auto guard = m_guards.find(id); guard != m_guards.end()) {
        base = "atLeast(" + base + ", " + floatLiteral(guard->second) + ")";
        range.low = std::max(range.low, guard->second);
    }
    // Bases and results that stay normal numbers need no look at the special cases.
    constexpr double smallest = 1e-37, largest = 1e37;
    const bool above = exponent.number > 0 && range.low >= smallest && std::pow(range.low, exponent.number) >= smallest;
    const bool within = above && range.high <= largest && std::pow(range.high, exponent.number) <= largest;
    const bool fast = m_fast && std::abs(exponent.number) <= mostFastExponent;
    // The exponent's rounding error is handed over too: the reference computes with the exact number.
    const auto high = static_cast<float>(exponent.number);
    const double low = exponent.number - static_cast<double>(high);
    return {std::string("pow") + (within ? "_within" : above ? "_above" : "") + (fast ? "_fast" : "") + "(" + base + ", "
        + floatLiteral(high) + ", " + floatLiteral(low) + ")"};
}

std::string BodyWriter::boolean(std::int32_t id)
{
    const Expr& expr = m_plan.pool[id];
    if (expr.kind == ExprKind::Number)
        return "splatBool(" + std::string(expr.number != 0 ? "true" : "false") + ")";
    if (expr.dtype == DType::Bool)
        return lanesOf(id);
    const std::string x = wrapped(CodeText{lanesOf(id), CodeText::Other}, CodeText::Atom);
    return isInt(id) ? "asMask(" + x + " != 0)" : "(" + x + " != 0.0f)";
}

CodeText BodyWriter::comparison(const Expr& expr)
{
    const std::string& function = expr.function;
    const bool anyFloat = std::any_of(expr.arguments.begin(), expr.arguments.end(),
        [&](std::int32_t id) { return m_plan.pool[id].kind != ExprKind::Number && m_plan.pool[id].dtype == DType::Float; });
    const bool anyInt = std::any_of(expr.arguments.begin(), expr.arguments.end(),
        [&](std::int32_t id) { return m_plan.pool[id].kind != ExprKind::Number && isInt(id); });
    const DType common = anyFloat ? DType::Float : anyInt ? DType::Int64 : DType::Bool;
    for (const std::int32_t id : expr.arguments)
        if (m_plan.pool[id].kind != ExprKind::Number && (m_plan.pool[id].dtype == DType::Float) != anyFloat)
            throw CodegenRefused(Message("codegen.refused.integer_operator").with("node", expr.name).with("operator", function));
    if (common == DType::Bool) {
        const std::string a = "(" + boolean(expr.arguments[0]) + ")", b = "(" + boolean(expr.arguments[1]) + ")";
        const std::string text = function == "eq" ? "~(" + a + " ^ " + b + ")" : function == "ne" ? a + " ^ " + b
            : function == "lt" ? "~" + a + " & " + b : function == "le" ? "~" + a + " | " + b
            : function == "gt" ? a + " & ~" + b : a + " | ~" + b;
        return {text, CodeText::Other};
    }
    const std::string sign = function == "eq" ? " == " : function == "ne" ? " != " : function == "lt" ? " < "
        : function == "le" ? " <= " : function == "gt" ? " > " : " >= ";
    const auto part = [&](std::int32_t id) {
        const Expr& below = m_plan.pool[id];
        if (below.kind == ExprKind::Number && common != DType::Float && below.number != static_cast<double>(static_cast<std::int64_t>(below.number)))
            throw CodegenRefused(Message("codegen.refused.integer_operator").with("node", expr.name).with("operator", function));
        const CodeText text = below.kind == ExprKind::Number ? literal(below.number, common) : value(id);
        return std::pair(wrapped(text, CodeText::Product), text.scalar);
    };
    auto left = part(expr.arguments[0]);
    const auto right = part(expr.arguments[1]);
    if (left.second && right.second)
        left.first = std::string(common == DType::Float ? "splat(" : "splatInt(") + left.first + ")";
    const std::string text = left.first + sign + right.first;
    return common == DType::Float ? CodeText{text, CodeText::Other} : CodeText{"asMask(" + text + ")"};
}

CodeText BodyWriter::logical(const Expr& expr)
{
    const std::string a = "(" + boolean(expr.arguments[0]) + ")";
    if (expr.function == "not")
        return {"~" + a, CodeText::Other};
    const char* sign = expr.function == "and" ? " & " : expr.function == "or" ? " | " : " ^ ";
    return {a + sign + "(" + boolean(expr.arguments[1]) + ")", CodeText::Other};
}

CodeText BodyWriter::conversion(const Expr& expr)
{
    const std::int32_t id = expr.arguments[0];
    const Expr& from = m_plan.pool[id];
    if (from.kind == ExprKind::Number)
        return literal(from.number, expr.dtype);
    const bool toInt = expr.dtype == DType::Int64 || expr.dtype == DType::Int32;
    if (from.dtype == expr.dtype || (isInt(id) && expr.dtype == DType::Int64))
        return value(id);
    if (expr.dtype == DType::Bool)
        return {boolean(id)};
    const std::string x = lanesOf(id);
    if (expr.dtype == DType::Float)
        return {"toFloat(" + x + ")"};
    if (toInt && from.dtype == DType::Bool)
        return {"toInt(" + x + ")"};
    if (toInt && isInt(id))
        return {"wrapped32(" + x + ")"};
    return {expr.dtype == DType::Int32 ? "wrapped32(truncated(" + x + "))" : "truncated(" + x + ")"};
}

} // namespace kw
