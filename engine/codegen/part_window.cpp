// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/part_emitter.h"

#include "codegen/keepable.h"
#include "codegen/loop_ir.h"
#include "codegen/refusal.h"

#include <algorithm>

namespace kw {

namespace {

constexpr std::int64_t mostStackBytes = 1 << 20;

const char* borderName(int pad)
{
    switch (static_cast<PadMode>(pad)) {
    case PadMode::Constant: return "Border::Zero";
    case PadMode::Reflect: return "Border::Reflect";
    case PadMode::Replicate: break;
    }
    return "Border::Replicate";
}

std::string text(std::int64_t number) { return std::to_string(number); }

} // namespace

/// Bands of rows, cut into tiles of columns. Rows are prepared ahead into rings; a window is a sum down the ring into one
/// row, then along that row.
void PartEmitter::window()
{
    const WindowValues values = windowValues(m_pool, m_part);
    m_windows = values.windows;
    m_rings = values.rings;
    if (m_context.schedule["rows"] != "recompute")
        m_delayed = values.delayed;
    m_window = m_pool[m_windows.front()].window;
    for (const std::int32_t id : m_windows)
        if (m_pool[id].window != m_window || m_pool[id].pad != m_pool[m_windows.front()].pad)
            refuse("window_kinds", m_pool[id].name);
    const std::int64_t tile = number("tile", 512);
    const std::int64_t wide = tile + m_window[1] - 1;
    const std::int64_t after = m_window[0] - 1 - m_window[2];
    const std::int64_t rowsKept = static_cast<std::int64_t>(m_rings.size()) * m_window[0] + static_cast<std::int64_t>(m_delayed.size()) * (after + 1)
        + static_cast<std::int64_t>(m_windows.size());
    if (rowsKept * (wide + 32) * 4 > mostStackBytes)
        refuse("window_too_large", m_pool[m_windows.front()].name);
    const std::string height = m_writer.sizeText(m_part.sizes.at(m_part.rows));
    const std::string width = m_writer.sizeText(m_part.sizes.at(m_part.vector));
    const std::string band = text(number("band", 64));
    openOuter({"for (i64 top = 0; top < " + height + "; top += " + band + ")",
        "for (i64 left = 0; left < " + width + "; left += " + text(tile) + ")"});
    m_writer.line("const i64 bottom = least(top + " + band + ", " + height + ");");
    m_writer.line("const i64 right = least(left + " + text(tile) + ", " + width + ");");
    for (const std::int32_t id : m_rings) {
        m_ringNames[id] = m_context.names.unique(m_pool[id].name + "_rows");
        m_writer.line("Buffer<" + text(wide) + "> " + m_ringNames[id] + "[" + text(m_window[0]) + "]; // one for each row of the window");
    }
    for (const std::int32_t id : m_delayed) {
        m_ringNames[id] = m_context.names.unique(m_pool[id].name + "_rows");
        m_writer.line("Buffer<" + text(wide) + "> " + m_ringNames[id] + "[" + text(after + 1) + "]; // kept until their row is written");
    }
    m_writer.push({}, m_writer.scope().indent + 1);
    m_writer.line("const i64 step = ahead - top + " + text(m_window[2]) + ";");
    windowFill();
    m_writer.line("const i64 row = ahead - " + text(after) + ";");
    m_writer.line("if (row < top)");
    m_writer.line("    continue;");
    windowSums();
    windowFinal();
    const std::string body = m_writer.pop();
    m_writer.line("for (i64 ahead = top - " + text(m_window[2]) + "; ahead < bottom + " + text(after) + "; ++ahead) {");
    m_writer.scope().text += body;
    m_writer.line("}");
    closeOuter();
}

void PartEmitter::windowFill()
{
    const std::string height = m_writer.sizeText(m_part.sizes.at(m_part.rows));
    const std::string width = m_writer.sizeText(m_part.sizes.at(m_part.vector));
    const int pad = m_pool[m_windows.front()].pad;
    const std::string before = text(m_window[3]);
    const std::string after = text(m_window[1] - 1 - m_window[3]);
    const std::string column = m_writer.loopNames.at(m_part.vector);
    std::map<std::int32_t, std::string> slots;
    for (const std::int32_t id : m_rings)
        slots[id] = m_ringNames.at(id) + "[step % " + text(m_window[0]) + "]";
    for (const std::int32_t id : m_delayed)
        slots[id] = m_ringNames.at(id) + "[step % " + text(m_window[0] - m_window[2]) + "]";
    const std::string rowName = m_writer.loopNames.at(m_part.rows);
    m_writer.loopNames[m_part.rows] = "source";
    m_writer.push({m_part.rows}, m_writer.scope().indent + 1);
    m_writer.line(std::string("const i64 source = ") + (pad == static_cast<int>(PadMode::Constant) ? "ahead"
        : pad == static_cast<int>(PadMode::Reflect) ? "reflected(ahead, " + height + ")" : "clamped(ahead, " + height + ")") + ";");
    std::vector<std::int32_t> roots = m_rings;
    roots.insert(roots.end(), m_delayed.begin(), m_delayed.end());
    std::sort(roots.begin(), roots.end());
    vectorLoop(m_part.vector, "most(left - " + before + ", 0)", "least(right + " + after + ", " + width + ")", number("unroll", 2), false, {}, [&] {
        m_writer.begin(roots);
        for (const std::int32_t id : roots)
            m_writer.line(slots.at(id) + ".set(" + column + " - left + " + before + ", " + m_writer.lanesOf(id) + ");");
    });
    for (const std::int32_t id : m_rings)
        m_writer.line(std::string("fillBorder<") + borderName(pad) + ">(" + slots.at(id) + ", left, right, " + before + ", " + after + ", " + width + ");");
    const std::string body = m_writer.pop();
    if (pad == static_cast<int>(PadMode::Constant)) {
        m_writer.line("if (ahead < 0 || ahead >= " + height + ") {");
        for (const std::int32_t id : m_rings)
            m_writer.line("    clear(" + slots.at(id) + ");");
        m_writer.line("} else {");
    } else {
        m_writer.line("{");
    }
    m_writer.scope().text += body;
    m_writer.line("}");
    m_writer.loopNames[m_part.rows] = rowName;
}

/// Sums down the rows of the rings.
void PartEmitter::windowSums()
{
    const std::string wide = text(number("tile", 512) + m_window[1] - 1);
    for (const std::int32_t id : m_windows) {
        m_parts[id] = m_context.names.unique(m_pool[id].name + "_down");
        m_writer.line("Buffer<" + wide + "> " + m_parts[id] + ";");
    }
    const std::string column = m_writer.loopNames.at(m_part.vector);
    std::vector<std::int32_t> roots;
    for (const std::int32_t id : m_windows)
        roots.push_back(m_pool[id].arguments[0]);
    vectorLoop(m_part.vector, "0", "right - left + " + text(m_window[1] - 1), 1, false, {}, [&] {
        std::vector<std::string> totals;
        for (const std::int32_t id : m_windows) {
            totals.push_back(m_context.names.unique("total_" + m_pool[id].name));
            m_writer.line("vf " + totals.back() + "{};");
        }
        m_writer.push({m_part.rows}, m_writer.scope().indent + 1);
        for (const std::int32_t id : m_rings)
            m_writer.scope().known[id] = CodeText{m_ringNames.at(id) + "[k].at(" + column + ")", CodeText::Atom, false, m_part.vector};
        m_writer.begin(roots);
        for (std::size_t i = 0; i < m_windows.size(); ++i)
            m_writer.line(totals[i] + " += " + m_writer.lanesOf(roots[i]) + ";");
        const std::string body = m_writer.pop();
        m_writer.line("for (int k = 0; k < " + text(m_window[0]) + "; ++k) {");
        m_writer.scope().text += body;
        m_writer.line("}");
        for (std::size_t i = 0; i < m_windows.size(); ++i)
            m_writer.line(m_parts.at(m_windows[i]) + ".set(" + column + ", " + totals[i] + ");");
    });
}

void PartEmitter::windowFinal()
{
    const FinalLoops& loops = m_part.finals.front();
    const std::string column = m_writer.loopNames.at(m_part.vector);
    const std::int64_t after = m_window[0] - 1 - m_window[2];
    const std::string here = column + " - left + " + text(m_window[3]);
    m_writer.intercept = [&](std::int32_t id, CodeText& value) {
        if (const auto found = m_parts.find(id); found != m_parts.end()) {
            value = {"alongColumns<" + text(m_window[1]) + ">(" + found->second + ", " + column + " - left)"};
            return true;
        }
        const bool delayed = std::find(m_delayed.begin(), m_delayed.end(), id) != m_delayed.end();
        if (!delayed && std::find(m_rings.begin(), m_rings.end(), id) == m_rings.end())
            return false;
        const std::int64_t slots = delayed ? after + 1 : m_window[0];
        value = {m_ringNames.at(id) + "[(step - " + text(after) + ") % " + text(slots) + "].at(" + here + ")"};
        return true;
    };
    m_writer.push({m_part.rows}, m_writer.scope().indent);
    vectorLoop(m_part.vector, "left", "right", number("unroll", 2), false, {}, [&] {
        std::vector<std::int32_t> roots;
        for (const StoreOp& store : loops.stores)
            roots.push_back(store.expr);
        m_writer.begin(roots);
        for (const StoreOp& store : loops.stores)
            m_writer.store(store, streaming());
    });
    const std::string body = m_writer.pop();
    m_writer.scope().text += body;
    m_writer.intercept = nullptr;
    if (streaming())
        m_writer.line("fence();");
}

} // namespace kw
