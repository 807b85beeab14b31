// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/diff.h"

#include "history/git.h"
#include "history/word_marks.h"

namespace kw {

namespace {

Result<git::Patch> patchOf(std::string_view before, std::string_view after, int context)
{
    git::start();
    for (const std::string_view text : {before, after}) {
        if (text.size() > longestComparedText)
            return Error{Message("diff.too_long").with("bytes", text.size()).with("limit", longestComparedText), {}};
    }
    git_diff_options options;
    git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    options.flags = GIT_DIFF_PATIENCE | GIT_DIFF_FORCE_TEXT;
    options.context_lines = static_cast<std::uint32_t>(std::max(context, 0));
    options.interhunk_lines = 0;
    git::Patch patch;
    const int code = git_patch_from_buffers(
        git::out(patch), before.data(), before.size(), nullptr, after.data(), after.size(), nullptr, &options);
    if (code < 0)
        return Error{Message("diff.failed").with("what", debugText(git::lastError().message)), {}};
    return patch;
}

DiffRow rowOf(const git_diff_line& line)
{
    DiffRow row;
    row.kind = line.origin == GIT_DIFF_LINE_ADDITION ? LineKind::Added
        : line.origin == GIT_DIFF_LINE_DELETION      ? LineKind::Removed
                                                     : LineKind::Context;
    row.oldLine = std::max(line.old_lineno, 0);
    row.newLine = std::max(line.new_lineno, 0);
    std::string_view text(line.content, line.content_len);
    row.missingNewline = !text.ends_with('\n');
    if (!row.missingNewline)
        text.remove_suffix(1);
    row.text = text;
    return row;
}

Hunk hunkOf(git_patch* patch, std::size_t index)
{
    const git_diff_hunk* found = nullptr;
    std::size_t lines = 0;
    git_patch_get_hunk(&found, &lines, patch, index);
    Hunk hunk{found->old_start, found->old_lines, found->new_start, found->new_lines, {}};
    for (std::size_t number = 0; number < lines; ++number) {
        const git_diff_line* line = nullptr;
        git_patch_get_line_in_hunk(&line, patch, index, number);
        // The other origins only say that a last line has no line end; that is seen in the line itself.
        if (line->origin == GIT_DIFF_LINE_CONTEXT || line->origin == GIT_DIFF_LINE_ADDITION || line->origin == GIT_DIFF_LINE_DELETION)
            hunk.rows.push_back(rowOf(*line));
    }
    markWords(hunk.rows);
    return hunk;
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
        lines.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return lines;
}

} // namespace

Result<TextDiff> compareTexts(std::string_view before, std::string_view after, int context)
{
    KW_TRY(const git::Patch patch, patchOf(before, after, context));
    TextDiff diff;
    for (std::size_t index = 0; index < git_patch_num_hunks(patch.get()); ++index) {
        diff.hunks.push_back(hunkOf(patch.get(), index));
        for (const DiffRow& row : diff.hunks.back().rows) {
            diff.added += row.kind == LineKind::Added;
            diff.removed += row.kind == LineKind::Removed;
        }
    }
    return diff;
}

Result<std::string> acceptHunks(
    std::string_view before, std::string_view after, const std::vector<std::int32_t>& chosen, int context)
{
    KW_TRY(const TextDiff diff, compareTexts(before, after, context));
    const auto lines = linesOf(before);
    std::string result;
    std::size_t next = 0;
    std::int32_t previous = -1;
    for (const std::int32_t index : chosen) {
        if (index <= previous || index >= static_cast<std::int32_t>(diff.hunks.size()))
            return Error{Message("diff.no_such_hunk").with("index", std::int64_t{index}).with("count", diff.hunks.size()), {}};
        previous = index;
        const Hunk& hunk = diff.hunks[static_cast<std::size_t>(index)];
        // A hunk without old lines names the line behind which it goes.
        const auto begin = static_cast<std::size_t>(hunk.oldCount == 0 ? hunk.oldStart : hunk.oldStart - 1);
        for (; next < begin; ++next)
            result += lines[next];
        for (const DiffRow& row : hunk.rows) {
            if (row.kind != LineKind::Removed)
                result.append(row.text).append(row.missingNewline ? "" : "\n");
        }
        next = begin + static_cast<std::size_t>(hunk.oldCount);
    }
    for (; next < lines.size(); ++next)
        result += lines[next];
    return result;
}

} // namespace kw
