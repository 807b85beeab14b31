// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "record/diff.h"

#include <string>
#include <string_view>
#include <vector>

namespace kw {

/// Longest text that is compared; longer ones are an error.
inline constexpr std::size_t longestComparedText = std::size_t{4} << 20;

/// Lines of `before` and `after` by libgit2's patience comparison, with `context` unchanged lines around each change and
/// marks on the changed words of lines that replaced each other. Any thread; keeps no state.
/// Errors: "diff.too_long" (bytes, limit), "diff.failed" (what).
Result<TextDiff> compareTexts(std::string_view before, std::string_view after, int context = 3);

/// `before` with only the chosen hunks of compareTexts(before, after, context) applied. Indices are ascending and unique.
/// Errors: those of compareTexts, "diff.no_such_hunk" (index, count).
Result<std::string> acceptHunks(std::string_view before, std::string_view after, const std::vector<std::int32_t>& chosen,
    int context = 3);

} // namespace kw
