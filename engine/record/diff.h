// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kw {

enum class LineKind : std::uint8_t { Context, Removed, Added };

/// A changed part of a line, in bytes of DiffRow::text.
struct WordMark {
    std::int32_t begin = 0, length = 0;
    friend bool operator==(const WordMark&, const WordMark&) = default;
};

/// One line of a unified difference.
struct DiffRow {
    LineKind kind = LineKind::Context;
    std::int32_t oldLine = 0, newLine = 0; ///< from 1; 0 = the line is not on that side
    std::string text;                      ///< untrusted; without the line end
    std::vector<WordMark> marks;           ///< ascending; only where a removed line has a changed counterpart
    bool missingNewline = false;           ///< the text's last line, which ends without a line end
    friend bool operator==(const DiffRow&, const DiffRow&) = default;
};

/// Neighbouring changes with their context. A person accepts or refuses hunks by their index in TextDiff::hunks.
struct Hunk {
    std::int32_t oldStart = 0, oldCount = 0, newStart = 0, newCount = 0; ///< lines, from 1, as in a unified patch
    std::vector<DiffRow> rows;
    friend bool operator==(const Hunk&, const Hunk&) = default;
};

/// How one text became another. Computed by history/diff.h; a value that crosses sockets and threads.
struct TextDiff {
    std::vector<Hunk> hunks;               ///< empty when both texts are equal
    std::int32_t added = 0, removed = 0;   ///< lines
    friend bool operator==(const TextDiff&, const TextDiff&) = default;
};

void to_json(Json& json, const DiffRow& row);
void from_json(const Json& json, DiffRow& row);
void to_json(Json& json, const Hunk& hunk);
void from_json(const Json& json, Hunk& hunk);
void to_json(Json& json, const TextDiff& diff);
void from_json(const Json& json, TextDiff& diff);

} // namespace kw
