// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate/header_lexer.h"

#include <charconv>

namespace kw {

namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

} // namespace

void HeaderLexer::skipSpace()
{
    while (m_offset < m_text.size() && isSpace(m_text[m_offset]))
        ++m_offset;
}

bool HeaderLexer::atEnd()
{
    skipSpace();
    return m_offset >= m_text.size();
}

bool HeaderLexer::accept(std::string_view symbol)
{
    skipSpace();
    if (m_text.substr(m_offset, symbol.size()) != symbol)
        return false;
    m_offset += symbol.size();
    return true;
}

std::optional<std::string> HeaderLexer::identifier()
{
    skipSpace();
    std::size_t end = m_offset;
    while (end < m_text.size() && (isLetter(m_text[end]) || (end > m_offset && isDigit(m_text[end]))))
        ++end;
    constexpr std::size_t longest = 64;
    if (end == m_offset || end - m_offset > longest)
        return std::nullopt;
    std::string name(m_text.substr(m_offset, end - m_offset));
    m_offset = end;
    return name;
}

std::optional<std::int64_t> HeaderLexer::number()
{
    skipSpace();
    if (m_offset >= m_text.size() || !isDigit(m_text[m_offset]))
        return std::nullopt;
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(m_text.data() + m_offset, m_text.data() + m_text.size(), value);
    if (code != std::errc())
        return std::nullopt;
    const auto next = static_cast<std::size_t>(end - m_text.data());
    if (next < m_text.size() && isLetter(m_text[next]))
        return std::nullopt;
    m_offset = next;
    return value;
}

TextPosition HeaderLexer::position() const
{
    return {m_origin.line, m_origin.column + static_cast<std::int32_t>(m_offset)};
}

Error HeaderLexer::error(std::string id) const
{
    const TextPosition at = position();
    return Error{Message(std::move(id)).with("line", at.line).with("column", at.column), {}};
}

Error HeaderLexer::unexpected()
{
    skipSpace();
    constexpr std::size_t shown = 16;
    Error problem = error(atEnd() ? "candidate.header.ends_early" : "candidate.header.unexpected");
    if (m_offset < m_text.size())
        problem.message.with("found", std::string(m_text.substr(m_offset, shown)));
    return problem;
}

} // namespace kw
