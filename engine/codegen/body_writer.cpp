// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/body_writer.h"

#include "codegen/refusal.h"

#include <algorithm>

namespace kw {

namespace {

constexpr std::size_t longestInline = 64;

const char* typeName(DType dtype)
{
    return dtype == DType::Float ? "vf" : dtype == DType::Bool ? "vi" : "vl";
}

} // namespace

BodyWriter::BodyWriter(const ProgramData& data, const Plan& plan, const PlanPart& part, NameScope& names, const std::vector<std::string>& inputs,
    const std::vector<std::string>& outputs, const std::vector<std::string>& dimensions, bool fastMath)
    : m_data(data), m_plan(plan), m_part(part), m_names(names), m_inputs(inputs), m_outputs(outputs), m_dimensions(dimensions), m_fast(fastMath),
      m_bounds(plan.pool)
{
}

CodeScope& BodyWriter::push(const std::set<AxisId>& loops, int indent)
{
    auto scope = std::make_unique<CodeScope>();
    if (!m_scopes.empty())
        scope->loops = m_scopes.back()->loops;
    scope->loops.insert(loops.begin(), loops.end());
    scope->indent = indent;
    m_scopes.push_back(std::move(scope));
    return *m_scopes.back();
}

std::string BodyWriter::pop()
{
    std::string text = std::move(m_scopes.back()->text);
    m_scopes.pop_back();
    return text;
}

void BodyWriter::line(const std::string& text)
{
    scope().text += std::string(static_cast<std::size_t>(scope().indent) * 4, ' ') + text + "\n";
}

void BodyWriter::begin(const std::vector<std::int32_t>& roots)
{
    m_uses.clear();
    for (const std::int32_t root : roots)
        ++m_uses[root];
    const auto exprs = m_plan.pool.reachable(roots, false);
    for (const std::int32_t id : exprs) {
        const Expr& expr = m_plan.pool[id];
        if (expr.kind == ExprKind::Reduce || expr.kind == ExprKind::Window)
            continue;
        for (const std::int32_t argument : expr.arguments)
            ++m_uses[argument];
    }
    findGuards(exprs);
}

/// The outermost block in which the value can be computed.
std::size_t BodyWriter::homeOf(std::int32_t id) const
{
    const Expr& expr = m_plan.pool[id];
    std::set<AxisId> needed = m_part.loopsOf(expr.variables);
    const auto outermost = [&] {
        std::size_t home = 0;
        while (home + 1 < m_scopes.size()
            && !std::includes(m_scopes[home]->loops.begin(), m_scopes[home]->loops.end(), needed.begin(), needed.end()))
            ++home;
        return home;
    };
    if (expr.depth == 0)
        return outermost();
    // Results of reductions live where their phase ended, and can be read where their text has a meaning.
    std::size_t ended = 0;
    for (const std::int32_t below : m_plan.pool.reachable({id}, false)) {
        const Expr& each = m_plan.pool[below];
        std::size_t at = 0;
        while (at < m_scopes.size() && m_scopes[at]->known.count(below) == 0)
            ++at;
        if (at < m_scopes.size() && m_scopes[at]->known.at(below).within != noAxis)
            needed.insert(m_scopes[at]->known.at(below).within);
        if (each.kind == ExprKind::Reduce || each.kind == ExprKind::Window)
            ended = std::max(ended, std::min(at, m_scopes.size() - 1));
    }
    return std::max(outermost(), ended);
}

CodeText BodyWriter::value(std::int32_t id)
{
    for (const auto& scope : m_scopes)
        if (const auto found = scope->known.find(id); found != scope->known.end())
            return found->second;
    const Expr& expr = m_plan.pool[id];
    const std::size_t home = homeOf(id);
    CodeText text;
    const bool intercepted = intercept && intercept(id, text);
    if (!intercepted) {
        // Operands are written first: they may have to stand further out.
        text = compose(id);
    }
    const bool cheap = expr.kind == ExprKind::Number || (expr.kind == ExprKind::Size && text.scalar);
    const bool isShort = text.text.size() <= longestInline;
    const bool once = m_uses[id] <= 1 && home + 1 == m_scopes.size() && isShort && !intercepted && watched.count(id) == 0;
    if (cheap || once)
        return text;
    CodeScope& where = *m_scopes[intercepted ? m_scopes.size() - 1 : home];
    const std::string name = m_names.unique(expr.name.empty() ? "value" : expr.name);
    const std::string type = text.scalar ? "auto" : typeName(expr.dtype);
    where.text += std::string(static_cast<std::size_t>(where.indent) * 4, ' ') + "const " + type + " " + name + " = " + text.text + ";\n";
    const CodeText result{name, CodeText::Atom, text.scalar};
    where.known.emplace(id, result);
    if (named && watched.count(id) != 0)
        named(id, result);
    return result;
}

std::string BodyWriter::asLanes(const CodeText& text, DType dtype) const
{
    if (!text.scalar)
        return text.text;
    return std::string(dtype == DType::Float ? "splat(" : dtype == DType::Bool ? "splatBool(" : "splatInt(") + text.text + ")";
}

std::string BodyWriter::lanesOf(std::int32_t id) { return asLanes(value(id), m_plan.pool[id].dtype); }

bool BodyWriter::isInt(std::int32_t id) const
{
    return m_plan.pool[id].dtype == DType::Int64 || m_plan.pool[id].dtype == DType::Int32;
}

CodeText BodyWriter::literal(double number, DType dtype) const
{
    if (dtype == DType::Bool)
        return {number != 0 ? "true" : "false", CodeText::Atom, true};
    if (dtype == DType::Int64 || dtype == DType::Int32)
        return {std::to_string(static_cast<std::int64_t>(number)), number < 0 ? CodeText::Sum : CodeText::Atom, true};
    const std::string text = floatLiteral(number);
    return {text, text.front() == '-' ? CodeText::Sum : CodeText::Atom, true};
}

/// The value of an argument where `dtype` is wanted: numbers of the graph take the type of their surroundings.
std::string BodyWriter::operand(std::int32_t id, DType dtype)
{
    const Expr& expr = m_plan.pool[id];
    if (expr.kind == ExprKind::Number)
        return asLanes(literal(expr.number, dtype), dtype);
    return lanesOf(id);
}

std::string BodyWriter::offset(const Affine& affine, const Poly& plus) const
{
    std::vector<std::pair<std::int64_t, std::string>> terms;
    for (const auto& [leaf, factor] : affine.terms) {
        const AxisId loop = m_part.loopOf(leaf);
        if (loop != leaf)
            continue; // part of the merged loop's own term
        const auto name = loopNames.find(loop);
        if (name == loopNames.end())
            refuse("internal_loop");
        std::string text = factor == Poly(1) ? "" : factor.isSum() ? "(" + sizeText(factor) + ") * " : sizeText(factor) + " * ";
        terms.emplace_back(factor.at(m_data.captured), text + name->second);
    }
    std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::string text;
    for (const auto& [weight, term] : terms)
        text += (text.empty() ? "" : " + ") + term;
    const Poly rest = affine.constant + plus;
    if (!rest.isZero()) {
        const std::string number = sizeText(rest);
        text += text.empty() ? number : number.front() == '-' ? " - " + number.substr(1) : " + " + number;
    }
    return text;
}

CodeText BodyWriter::loadText(const Expr& expr)
{
    const std::string& tensor = m_inputs.at(static_cast<std::size_t>(expr.input));
    const std::string at = offset(expr.index);
    const std::string pointer = at.empty() ? tensor : tensor + " + " + at;
    const Poly step = vector == noAxis ? Poly() : expr.index.coefficient(vector);
    const std::string element = tensor + "[" + (at.empty() ? "0" : at) + "]";
    const std::string stride = sizeText(step);
    switch (expr.dtype) {
    case DType::Float:
        if (step.isZero())
            return {"splat(" + element + ")"};
        if (step == Poly(1))
            return {"load(" + pointer + ", lanes)"};
        return {"loadStrided(" + pointer + ", " + stride + ", lanes)"};
    case DType::Bool:
        if (step.isZero())
            return {"splatBool(" + element + " != 0)"};
        return {"loadBool(" + pointer + ", " + stride + ", lanes)"};
    default:
        if (step.isZero())
            return {"splatInt(" + element + ")"};
        return {"loadInt(" + pointer + ", " + stride + ", lanes)"};
    }
}

CodeText BodyWriter::positionText(const Expr& expr)
{
    const Poly step = vector == noAxis ? Poly() : expr.index.coefficient(vector);
    const std::string at = offset(expr.index, Poly(static_cast<std::int64_t>(expr.number)));
    const std::string first = at.empty() ? "0" : at;
    const bool floating = expr.dtype == DType::Float;
    if (step.isZero())
        return {floating ? "splat(static_cast<float>(" + first + "))" : "splatInt(" + first + ")"};
    return {std::string(floating ? "columnFloat(" : "columnInt(") + first + (step == Poly(1) ? ")" : ", " + sizeText(step) + ")")};
}

CodeText BodyWriter::compose(std::int32_t id)
{
    const Expr& expr = m_plan.pool[id];
    switch (expr.kind) {
    case ExprKind::Load: return loadText(expr);
    case ExprKind::Number: return literal(expr.number, expr.dtype);
    case ExprKind::Size:
        if (const auto size = expr.size.constant())
            return literal(static_cast<double>(*size), DType::Float);
        return {"static_cast<float>(" + sizeText(expr.size) + ")", CodeText::Atom, true};
    case ExprKind::Position: return positionText(expr);
    case ExprKind::Call: return callText(id);
    case ExprKind::Reduce:
    case ExprKind::Window: break;
    }
    refuse("internal_order");
}

void BodyWriter::store(const StoreOp& store, bool streaming)
{
    const DType dtype = m_data.problem.outputs.at(static_cast<std::size_t>(store.output)).dtype;
    const std::string& tensor = m_outputs.at(static_cast<std::size_t>(store.output));
    const std::string lanes = operand(store.expr, dtype);
    const std::string at = offset(store.offset);
    const std::string pointer = at.empty() ? tensor : tensor + " + " + at;
    const Poly step = vector == noAxis ? Poly() : store.offset.coefficient(vector);
    if (vector == noAxis) {
        const std::string element = "(" + lanes + ")[0]";
        line(tensor + "[" + (at.empty() ? "0" : at) + "] = " + (dtype == DType::Bool ? element + " & 1" : element) + ";");
        return;
    }
    if (step.isZero())
        refuse("internal_store");
    if (dtype == DType::Float && step == Poly(1))
        line(std::string(streaming ? "stream(" : "store(") + pointer + ", " + lanes + ", lanes);");
    else
        line(std::string(dtype == DType::Float ? "storeStrided(" : dtype == DType::Bool ? "storeBool(" : "storeInt(") + pointer + ", "
            + sizeText(step) + ", " + lanes + ", lanes);");
}

} // namespace kw
