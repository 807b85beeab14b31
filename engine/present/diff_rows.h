// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/diff.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kw {

/// One row of a difference as it is drawn or printed.
struct UnifiedRow {
    enum class Kind : std::uint8_t { HunkHeader, Context, Removed, Added, NoNewline };
    Kind kind = Kind::Context;
    std::int32_t hunk = 0;                 ///< index of its hunk
    std::int32_t oldLine = 0, newLine = 0; ///< 0 = not on that side
    std::string text;                      ///< visible() text without a sign; of a header "@@ -1,4 +1,6 @@", of NoNewline empty
    std::vector<WordMark> marks;           ///< in bytes of `text`
    friend bool operator==(const UnifiedRow&, const UnifiedRow&) = default;
};

/// All rows in order, each hunk led by its header. Line texts are made visible and marks move with them.
std::vector<UnifiedRow> unifiedRows(const TextDiff& difference);

/// '+', '-', ' ', '@' or '\\': colour is never the only carrier.
char signOf(UnifiedRow::Kind kind);

/// One row of two columns. A side without a line is empty; a header stands on both sides.
struct SideBySideRow {
    std::optional<UnifiedRow> left, right;
    friend bool operator==(const SideBySideRow&, const SideBySideRow&) = default;
};

/// Removed and added lines of one block stand beside each other, in order.
std::vector<SideBySideRow> sideBySideRows(const TextDiff& difference);

/// A unified patch as text, with signs, for terminals and the clipboard.
std::string unifiedText(const TextDiff& difference);

} // namespace kw
