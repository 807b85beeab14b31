// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/part_emitter.h"

#include "codegen/refusal.h"
#include "graph/operators.h"

#include <algorithm>

namespace kw {

double costOfNode(const Expr& expr)
{
    switch (expr.kind) {
    case ExprKind::Load: return 1;
    case ExprKind::Position: return 3;
    case ExprKind::Window: return static_cast<double>(expr.window.at(1)); // the sum along; the one down is counted per row
    case ExprKind::Call: break;
    default: return 0;
    }
    // Measured as said in graph/operator_table.h.
    static const std::map<std::string, double> costs{{"div", 4}, {"reciprocal", 4}, {"sqrt", 6}, {"rsqrt", 10}, {"exp", 12},
        {"exp2", 12}, {"expm1", 22}, {"log", 36}, {"log2", 32}, {"log10", 36}, {"log1p", 52}, {"pow", 60}, {"sin", 30},
        {"cos", 30}, {"tanh", 34}, {"erf", 38}, {"sigmoid", 18}, {"tan", 500}, {"asin", 250}, {"acos", 250}, {"atan", 320},
        {"sinh", 650}, {"cosh", 500}, {"asinh", 500}, {"acosh", 500}, {"atanh", 500}, {"erfc", 260}, {"atan2", 640}, {"fmod", 140}};
    const auto found = costs.find(expr.function);
    return found == costs.end() ? 1 : found->second;
}

double costOf(const ExprPool& pool, const std::vector<std::int32_t>& roots)
{
    double total = 0;
    for (const std::int32_t id : pool.reachable(roots, false))
        total += costOfNode(pool[id]);
    return total;
}

PartEmitter::PartEmitter(EmitContext& context, const PlanPart& part)
    : m_context(context), m_pool(context.plan.pool), m_part(part),
      m_writer(context.data, context.plan, part, context.names, context.inputs, context.outputs, context.dimensions,
          context.schedule["math"] == "fast")
{
}

std::int64_t PartEmitter::number(const char* choice, std::int64_t otherwise) const
{
    const std::string& text = m_context.schedule[choice];
    return text.empty() ? otherwise : std::stoll(text);
}

std::string PartEmitter::run()
{
    m_writer.push({}, 1);
    nameLoops();
    switch (m_part.form) {
    case PartForm::Pointwise: pointwise(); break;
    case PartForm::Rows: rows(); break;
    case PartForm::Columns: columns(); break;
    case PartForm::Window: window(); break;
    }
    return m_writer.pop();
}

std::string PartEmitter::named(AxisId loop, const std::string& wanted)
{
    std::string& name = m_writer.loopNames[loop];
    if (name.empty())
        name = m_context.names.unique(wanted);
    return name;
}

void PartEmitter::nameLoops()
{
    if (m_part.rows != noAxis)
        named(m_part.rows, "row");
    if (m_part.vector != noAxis)
        named(m_part.vector, m_part.form == PartForm::Pointwise && m_part.outer.empty() ? "i" : "column");
    const bool single = m_part.outer.size() == 1;
    const char* const letters[] = {"n", "m", "k", "j", "p", "q"};
    for (std::size_t i = 0; i < m_part.outer.size(); ++i)
        named(m_part.outer[i], single && m_part.form != PartForm::Window ? "row" : letters[i % 6]);
    for (const PhaseLoops& phase : m_part.phases) {
        if (phase.vector != noAxis)
            named(phase.vector, "column");
        for (const AxisId loop : phase.loops)
            named(loop, m_part.form == PartForm::Columns ? "row" : "r");
    }
    for (const FinalLoops& loops : m_part.finals) {
        if (loops.vector != noAxis)
            named(loops.vector, "column");
        for (const AxisId loop : loops.loops)
            named(loop, "r");
    }
}

std::pair<std::string, std::string> PartEmitter::bounds(AxisId loop, const Ranges& ranges) const
{
    const auto found = ranges.find(loop);
    if (found != ranges.end() && !found->second.whole)
        return {std::to_string(found->second.low), std::to_string(found->second.high)};
    return {"0", m_writer.sizeText(m_part.sizes.at(loop))};
}

std::string PartEmitter::header(AxisId loop) const
{
    const auto [low, high] = bounds(loop, m_part.ranges);
    const std::string& name = m_writer.loopNames.at(loop);
    return "for (i64 " + name + " = " + low + "; " + name + " < " + high + "; ++" + name + ")";
}

/// Parallel loops over everything outside; `extra` are further loop headers inside the same parallel nest.
void PartEmitter::openOuter(const std::vector<std::string>& extra)
{
    std::vector<std::string> headers;
    for (const AxisId loop : m_part.outer)
        headers.push_back(header(loop));
    headers.insert(headers.end(), extra.begin(), extra.end());
    // The headers are written when the loops are closed: what needs no loop variable stands before them.
    const int indent = m_writer.scope().indent;
    const auto at = [&](std::size_t level) { return std::string((static_cast<std::size_t>(indent) + level) * 4, ' '); };
    m_outerText.clear();
    if (parallel() && !headers.empty()) {
        const bool dynamic = m_context.schedule["distribution"] == "dynamic";
        m_outerText = at(0) + "#pragma omp parallel for";
        if (headers.size() > 1)
            m_outerText += " collapse(" + std::to_string(headers.size()) + ")";
        m_outerText += dynamic ? " schedule(dynamic)\n" : " schedule(static)\n";
    }
    for (std::size_t i = 0; i < headers.size(); ++i)
        m_outerText += at(i) + headers[i] + (i + 1 == headers.size() ? " {" : "") + "\n";
    m_outerLoops = static_cast<int>(headers.size());
    m_writer.push(std::set<AxisId>(m_part.outer.begin(), m_part.outer.end()), indent + m_outerLoops);
}

void PartEmitter::closeOuter()
{
    const std::string text = m_writer.pop();
    m_writer.scope().text += m_outerText + text;
    if (m_outerLoops > 0)
        m_writer.scope().text += std::string(static_cast<std::size_t>(m_writer.scope().indent + m_outerLoops - 1) * 4, ' ') + "}\n";
}

void PartEmitter::nest(const std::vector<AxisId>& loops, const Ranges& ranges, std::size_t next, const std::function<void()>& inner)
{
    if (next == loops.size())
        return inner();
    const AxisId loop = loops[next];
    const auto [low, high] = bounds(loop, ranges);
    const std::string& name = m_writer.loopNames.at(loop);
    m_writer.push({loop}, m_writer.scope().indent + 1);
    nest(loops, ranges, next + 1, inner);
    const std::string body = m_writer.pop();
    m_writer.line("for (i64 " + name + " = " + low + "; " + name + " < " + high + "; ++" + name + ") {");
    m_writer.scope().text += body;
    m_writer.line("}");
}

void PartEmitter::vectorLoop(AxisId loop, const std::string& begin, const std::string& end, std::int64_t unroll, bool slot,
    const std::set<AxisId>& loops, const std::function<void()>& body)
{
    std::set<AxisId> inside = loops;
    inside.insert(loop);
    m_writer.push(inside, m_writer.scope().indent + 1);
    m_writer.vector = loop;
    body();
    m_writer.vector = noAxis;
    const std::string text = m_writer.pop();
    m_writer.line("loop<" + std::to_string(unroll) + ">(" + begin + ", " + end + ", [&](i64 " + m_writer.loopNames.at(loop)
        + ", auto" + (text.find("lanes") == std::string::npos ? "" : " lanes") + ", auto" + (slot ? " slot" : "") + ") KW_INLINE {");
    m_writer.scope().text += text;
    m_writer.line("});");
}

void PartEmitter::pointwise()
{
    const std::int64_t unroll = number("unroll", 2);
    if (m_part.vector == noAxis) {
        openOuter({});
        for (const FinalLoops& loops : m_part.finals) {
            std::vector<std::int32_t> roots;
            for (const StoreOp& store : loops.stores)
                roots.push_back(store.expr);
            m_writer.begin(roots);
            for (const StoreOp& store : loops.stores)
                m_writer.store(store, false);
        }
        closeOuter();
        return;
    }
    const std::int64_t block = number("block", 4096);
    const bool split = m_part.finals.size() > 1 || m_part.finals.front().ranges.count(m_part.vector) != 0;
    const Poly& size = m_part.sizes.at(m_part.vector);
    const bool blocked = !split && (!size.constant() || *size.constant() > block);
    const std::string whole = m_writer.sizeText(size);
    std::string first, last;
    if (blocked) {
        first = m_context.names.unique("first");
        last = m_context.names.unique("last");
        openOuter({"for (i64 " + first + " = 0; " + first + " < " + whole + "; " + first + " += " + std::to_string(block) + ")"});
        m_writer.line("const i64 " + last + " = least(" + first + " + " + std::to_string(block) + ", " + whole + ");");
    } else {
        openOuter({});
    }
    for (const FinalLoops& loops : m_part.finals) {
        const auto [low, high] = bounds(m_part.vector, loops.ranges);
        vectorLoop(m_part.vector, blocked ? first : low, blocked ? last : high, unroll, false, {}, [&] {
            std::vector<std::int32_t> roots;
            for (const StoreOp& store : loops.stores)
                roots.push_back(store.expr);
            m_writer.begin(roots);
            for (const StoreOp& store : loops.stores)
                m_writer.store(store, streaming());
        });
    }
    if (streaming())
        m_writer.line("fence();");
    closeOuter();
}

} // namespace kw
