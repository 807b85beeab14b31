// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "candidate/header.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kw {

/// Cursor over one header line or one size expression. Remembers where it stands for error positions. Free of threads.
class HeaderLexer {
public:
    /// `position` is where text[0] stands in the candidate's source.
    HeaderLexer(std::string_view text, TextPosition position) : m_text(text), m_origin(position) {}

    void skipSpace();
    bool atEnd();                                   ///< nothing but white space is left
    bool accept(std::string_view symbol);           ///< skips white space, then the symbol when it is next
    std::optional<std::string> identifier();        ///< [A-Za-z_][A-Za-z0-9_]*, at most 64 characters
    std::optional<std::int64_t> number();           ///< decimal digits that fit into 63 bits
    std::size_t offset() const { return m_offset; }
    std::string_view between(std::size_t begin, std::size_t end) const { return m_text.substr(begin, end - begin); }
    TextPosition position() const;                  ///< of the next character
    Error error(std::string id) const;              ///< with line and column of the current position
    Error unexpected();                             ///< "candidate.header.unexpected" (found, line, column)

private:
    std::string_view m_text;
    TextPosition m_origin;
    std::size_t m_offset = 0;
};

} // namespace kw
