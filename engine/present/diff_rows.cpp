// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/diff_rows.h"

#include "present/visible.h"

#include <algorithm>

namespace kw {
namespace {

/// Makes the pieces between the marks visible one by one, so that each mark keeps covering its text.
void setVisible(UnifiedRow& out, const DiffRow& row)
{
    const auto append = [&](std::size_t begin, std::size_t end) {
        out.text += visible(std::string_view(row.text).substr(begin, end - begin), Lines::Keep);
    };
    std::size_t done = 0;
    for (const WordMark& mark : row.marks) {
        // A mark comes through a socket: one that lies outside or overlaps is dropped.
        const auto begin = static_cast<std::size_t>(std::max(mark.begin, 0));
        const auto length = static_cast<std::size_t>(std::max(mark.length, 0));
        if (mark.begin < 0 || begin < done || begin > row.text.size() || length > row.text.size() - begin)
            continue;
        append(done, begin);
        const std::size_t start = out.text.size();
        append(begin, begin + length);
        out.marks.push_back({static_cast<std::int32_t>(start), static_cast<std::int32_t>(out.text.size() - start)});
        done = begin + length;
    }
    append(done, row.text.size());
}

std::string range(std::int32_t start, std::int32_t count)
{
    return count == 1 ? std::to_string(start) : std::to_string(start) + "," + std::to_string(count);
}

UnifiedRow header(const Hunk& hunk, std::int32_t index)
{
    UnifiedRow row;
    row.kind = UnifiedRow::Kind::HunkHeader;
    row.hunk = index;
    row.text = "@@ -" + range(hunk.oldStart, hunk.oldCount) + " +" + range(hunk.newStart, hunk.newCount) + " @@";
    return row;
}

UnifiedRow lineRow(const DiffRow& source, std::int32_t hunk)
{
    UnifiedRow row;
    row.kind = source.kind == LineKind::Added ? UnifiedRow::Kind::Added
        : source.kind == LineKind::Removed    ? UnifiedRow::Kind::Removed
                                              : UnifiedRow::Kind::Context;
    row.hunk = hunk;
    row.oldLine = source.oldLine;
    row.newLine = source.newLine;
    setVisible(row, source);
    return row;
}

/// Puts the collected removed and added lines beside each other.
void pairUp(std::vector<UnifiedRow>& removed, std::vector<UnifiedRow>& added, std::vector<SideBySideRow>& out)
{
    for (std::size_t at = 0; at < std::max(removed.size(), added.size()); ++at) {
        SideBySideRow row;
        if (at < removed.size())
            row.left = std::move(removed[at]);
        if (at < added.size())
            row.right = std::move(added[at]);
        out.push_back(std::move(row));
    }
    removed.clear();
    added.clear();
}

} // namespace

std::vector<UnifiedRow> unifiedRows(const TextDiff& difference)
{
    std::vector<UnifiedRow> rows;
    std::int32_t index = 0;
    for (const Hunk& hunk : difference.hunks) {
        rows.push_back(header(hunk, index));
        for (const DiffRow& line : hunk.rows) {
            rows.push_back(lineRow(line, index));
            if (line.missingNewline) {
                UnifiedRow note;
                note.kind = UnifiedRow::Kind::NoNewline;
                note.hunk = index;
                rows.push_back(std::move(note));
            }
        }
        ++index;
    }
    return rows;
}

char signOf(UnifiedRow::Kind kind)
{
    switch (kind) {
    case UnifiedRow::Kind::HunkHeader: return '@';
    case UnifiedRow::Kind::Context: return ' ';
    case UnifiedRow::Kind::Removed: return '-';
    case UnifiedRow::Kind::Added: return '+';
    case UnifiedRow::Kind::NoNewline: return '\\';
    }
    return ' ';
}

std::vector<SideBySideRow> sideBySideRows(const TextDiff& difference)
{
    std::vector<SideBySideRow> rows;
    std::vector<UnifiedRow> removed, added;
    for (UnifiedRow& row : unifiedRows(difference)) {
        if (row.kind == UnifiedRow::Kind::NoNewline)
            continue;
        if (row.kind == UnifiedRow::Kind::Removed) {
            if (!added.empty())
                pairUp(removed, added, rows);
            removed.push_back(std::move(row));
        } else if (row.kind == UnifiedRow::Kind::Added) {
            added.push_back(std::move(row));
        } else {
            pairUp(removed, added, rows);
            rows.push_back({row, row});
        }
    }
    pairUp(removed, added, rows);
    return rows;
}

std::string unifiedText(const TextDiff& difference)
{
    std::string out;
    for (const UnifiedRow& row : unifiedRows(difference)) {
        if (row.kind == UnifiedRow::Kind::NoNewline)
            out += "\\ No newline at end of file"; // the words of the patch format, not a sentence of ours
        else if (row.kind != UnifiedRow::Kind::HunkHeader)
            out += signOf(row.kind);
        out += row.text + "\n";
    }
    return out;
}

} // namespace kw
