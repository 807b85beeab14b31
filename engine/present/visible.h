// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kw {

/// What becomes of line ends and tabs in untrusted text.
enum class Lines : std::uint8_t {
    Mark, ///< one line: a line end becomes a visible mark, a tab a space
    Keep, ///< text of several lines: line feeds and tabs stay, other controls are marked
};

/// Untrusted text (from a model file, a compiler, an agent) as valid UTF-8 in which nothing hides: control characters
/// become control pictures, bidirectional, zero-width and other format characters become <U+202E>, bytes that are no
/// UTF-8 become <0xFF>. Printable text stays as it is. Idempotent on its own output.
std::string visible(std::string_view text, Lines lines = Lines::Mark);

/// As visible(), and no longer than `limit` characters; a shortened text ends with an ellipsis.
std::string visibleShort(std::string_view text, std::size_t limit);

} // namespace kw
