// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/part_emitter.h"

#include "codegen/keepable.h"
#include "codegen/refusal.h"

#include <algorithm>

namespace kw {

namespace {

// Elements that one accumulator chain may sum up before its part goes to the totals: keeps the rounding error small.
constexpr std::int64_t settleElements = 8192;
constexpr std::int64_t settleRows = 256;

std::vector<std::int32_t> bodiesOf(const ExprPool& pool, const PhaseLoops& phase)
{
    std::vector<std::int32_t> roots;
    for (const std::int32_t id : phase.reduces)
        roots.push_back(pool[id].arguments[0]);
    return roots;
}

const char* accumulator(const std::string& function, bool columns)
{
    if (function == "sum")
        return columns ? "ColumnSums" : "Sums";
    if (function == "amax")
        return columns ? "ColumnMaxima" : "Maxima";
    return columns ? "ColumnMinima" : "Minima";
}

} // namespace

void PartEmitter::rows()
{
    openOuter({});
    chooseKept();
    m_writer.watched.clear();
    for (const auto& [id, buffer] : m_kept)
        m_writer.watched.insert(id);
    m_writer.named = [this](std::int32_t id, const CodeText& text) {
        if (m_stored.insert(id).second)
            m_writer.line(m_kept.at(id) + ".set(" + m_writer.loopNames.at(m_writer.vector) + ", " + text.text + ");");
    };
    m_writer.intercept = [this](std::int32_t id, CodeText& text) {
        if (m_stored.count(id) == 0)
            return false;
        text = {m_kept.at(id) + ".at(" + m_writer.loopNames.at(m_writer.vector) + ")"};
        return true;
    };
    for (const PhaseLoops& phase : m_part.phases)
        rowPhase(phase);
    for (const FinalLoops& loops : m_part.finals)
        rowFinal(loops);
    m_writer.watched.clear();
    m_writer.intercept = nullptr;
    closeOuter();
}

void PartEmitter::chooseKept()
{
    if (m_context.schedule["rows"] != "keep")
        return;
    const KeepableRow row = keepableRow(m_pool, m_part);
    for (const std::int32_t id : row.values) {
        const std::string name = m_context.names.unique("kept_" + m_pool[id].name);
        m_kept[id] = name;
        m_writer.line("Buffer<" + std::to_string(row.size) + "> " + name + ";");
    }
}

void PartEmitter::rowPhase(const PhaseLoops& phase)
{
    const std::int64_t accumulators = number("accumulators", 4);
    for (const std::int32_t id : phase.reduces) {
        const std::string name = m_context.names.unique(m_pool[id].name + "_parts");
        m_parts[id] = name;
        m_writer.line(std::string(accumulator(m_pool[id].function, false)) + "<" + std::to_string(accumulators) + "> " + name + ";");
    }
    Poly elements = m_part.sizes.at(phase.vector);
    for (const AxisId loop : phase.loops)
        elements = elements * m_part.sizes.at(loop);
    const bool isLong = !elements.constant() || *elements.constant() > settleElements;
    const auto settle = [&] {
        for (const std::int32_t id : phase.reduces)
            if (isLong && m_pool[id].function == "sum")
                m_writer.line(m_parts.at(id) + ".settle();");
    };
    const auto body = [&] {
        const auto roots = bodiesOf(m_pool, phase);
        m_writer.begin(roots);
        for (const std::int32_t id : phase.reduces)
            m_writer.line(m_parts.at(id) + ".add(" + m_writer.lanesOf(m_pool[id].arguments[0]) + ", lanes, slot);");
    };
    nest(phase.loops, phase.ranges, 0, [&] {
        const auto [low, high] = bounds(phase.vector, phase.ranges);
        if (!isLong || !phase.loops.empty()) {
            vectorLoop(phase.vector, low, high, accumulators, true, {}, body);
            settle();
            return;
        }
        const std::string first = m_context.names.unique("first");
        m_writer.push({}, m_writer.scope().indent + 1);
        vectorLoop(phase.vector, first, "least(" + first + " + " + std::to_string(settleElements) + ", " + high + ")", accumulators, true, {}, body);
        settle();
        const std::string text = m_writer.pop();
        m_writer.line("for (i64 " + first + " = " + low + "; " + first + " < " + high + "; " + first + " += " + std::to_string(settleElements) + ") {");
        m_writer.scope().text += text;
        m_writer.line("}");
    });
    for (const std::int32_t id : phase.reduces) {
        const std::string name = m_context.names.unique(m_pool[id].name);
        m_writer.line("const vf " + name + " = " + m_parts.at(id) + ".total();");
        m_writer.scope().known.emplace(id, CodeText{name});
    }
}

void PartEmitter::rowFinal(const FinalLoops& loops)
{
    const auto write = [&](bool stream) {
        m_writer.begin(rootsOf(loops.stores));
        for (const StoreOp& store : loops.stores)
            m_writer.store(store, stream);
    };
    if (loops.vector == noAxis)
        return write(false);
    nest(loops.loops, loops.ranges, 0, [&] {
        const auto [low, high] = bounds(loops.vector, loops.ranges);
        vectorLoop(loops.vector, low, high, number("unroll", 2), false, {}, [&] { write(streaming()); });
        if (streaming())
            m_writer.line("fence();");
    });
}

void PartEmitter::columns()
{
    const std::string strip = std::to_string(number("strip", 128));
    const auto [low, high] = bounds(m_part.vector, m_part.ranges);
    const std::string first = m_context.names.unique("first");
    const std::string last = m_context.names.unique("last");
    openOuter({"for (i64 " + first + " = " + low + "; " + first + " < " + high + "; " + first + " += " + strip + ")"});
    m_writer.line("const i64 " + last + " = least(" + first + " + " + strip + ", " + high + ");");
    m_ringNames[-1] = first;
    m_ringNames[-2] = last;
    for (std::size_t i = 0; i < m_part.phases.size(); ++i)
        columnPhase(m_part.phases[i], i);
    for (const FinalLoops& loops : m_part.finals)
        columnFinal(loops);
    closeOuter();
}

/// Values of a whole column that inner loops need: computed once per strip.
void PartEmitter::materialise(const std::vector<std::int32_t>& roots)
{
    std::set<AxisId> outside(m_part.outer.begin(), m_part.outer.end());
    outside.insert(m_part.vector);
    std::vector<std::int32_t> stack = roots, found;
    std::set<std::int32_t> seen;
    while (!stack.empty()) {
        const std::int32_t id = stack.back();
        stack.pop_back();
        if (!seen.insert(id).second)
            continue;
        const Expr& expr = m_pool[id];
        if (expr.kind == ExprKind::Reduce || expr.depth == 0 || m_writer.scope().known.count(id) != 0)
            continue;
        const std::set<AxisId> needed = m_part.loopsOf(expr.variables);
        if (expr.dtype == DType::Float && std::includes(outside.begin(), outside.end(), needed.begin(), needed.end()))
            found.push_back(id);
        else
            stack.insert(stack.end(), expr.arguments.begin(), expr.arguments.end());
    }
    if (found.empty())
        return;
    std::sort(found.begin(), found.end());
    const std::string strip = std::to_string(number("strip", 128));
    std::vector<std::string> buffers;
    for (const std::int32_t id : found) {
        buffers.push_back(m_context.names.unique(m_pool[id].name));
        m_writer.line("Buffer<" + strip + "> " + buffers.back() + ";");
    }
    const std::string at = m_writer.loopNames.at(m_part.vector) + " - " + m_ringNames.at(-1);
    vectorLoop(m_part.vector, m_ringNames.at(-1), m_ringNames.at(-2), 1, false, {}, [&] {
        m_writer.begin(found);
        for (std::size_t i = 0; i < found.size(); ++i)
            m_writer.line(buffers[i] + ".set(" + at + ", " + m_writer.lanesOf(found[i]) + ");");
    });
    for (std::size_t i = 0; i < found.size(); ++i)
        m_writer.scope().known[found[i]] = CodeText{buffers[i] + ".at(" + at + ")", CodeText::Atom, false, m_part.vector};
}

void PartEmitter::columnPhase(const PhaseLoops& phase, std::size_t)
{
    const std::string strip = std::to_string(number("strip", 128));
    for (const std::int32_t id : phase.reduces) {
        m_parts[id] = m_context.names.unique(m_pool[id].name + "_parts");
        m_writer.line(std::string(accumulator(m_pool[id].function, true)) + "<" + strip + "> " + m_parts[id] + ";");
    }
    const auto roots = bodiesOf(m_pool, phase);
    materialise(roots);
    Poly count(1);
    for (const AxisId loop : phase.loops)
        count = count * m_part.sizes.at(loop);
    const bool isLong = !count.constant() || *count.constant() > settleRows;
    const std::string at = m_writer.loopNames.at(m_part.vector) + " - " + m_ringNames.at(-1);
    nest(phase.loops, phase.ranges, 0, [&] {
        vectorLoop(m_part.vector, m_ringNames.at(-1), m_ringNames.at(-2), number("unroll", 2), false, {}, [&] {
            m_writer.begin(roots);
            for (const std::int32_t id : phase.reduces)
                m_writer.line(m_parts.at(id) + ".add(" + at + ", " + m_writer.lanesOf(m_pool[id].arguments[0]) + ");");
        });
        if (!isLong || phase.loops.empty())
            return;
        std::string settle;
        for (const std::int32_t id : phase.reduces)
            if (m_pool[id].function == "sum")
                settle += (settle.empty() ? "" : ", ") + m_parts.at(id) + ".settle()";
        const std::string row = m_writer.loopNames.at(phase.loops.back());
        if (!settle.empty())
            m_writer.line("if (" + row + " % " + std::to_string(settleRows) + " == " + std::to_string(settleRows - 1) + ") " + settle + ";");
    });
    for (const std::int32_t id : phase.reduces)
        m_writer.scope().known[id] = CodeText{m_parts.at(id) + ".at(" + at + ")", CodeText::Atom, false, m_part.vector};
}

void PartEmitter::columnFinal(const FinalLoops& loops)
{
    const auto roots = rootsOf(loops.stores);
    if (!loops.loops.empty())
        materialise(roots);
    nest(loops.loops, loops.ranges, 0, [&] {
        vectorLoop(m_part.vector, m_ringNames.at(-1), m_ringNames.at(-2), number("unroll", 2), false, {}, [&] {
            m_writer.begin(roots);
            for (const StoreOp& store : loops.stores)
                m_writer.store(store, streaming());
        });
    });
    if (streaming())
        m_writer.line("fence();");
}

} // namespace kw
