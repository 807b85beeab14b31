// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/diff_rows.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

DiffRow line(LineKind kind, int oldLine, int newLine, std::string text, std::vector<WordMark> marks = {})
{
    DiffRow row;
    row.kind = kind;
    row.oldLine = oldLine;
    row.newLine = newLine;
    row.text = std::move(text);
    row.marks = std::move(marks);
    return row;
}

TextDiff sampleDifference()
{
    Hunk hunk;
    hunk.oldStart = 3;
    hunk.oldCount = 3;
    hunk.newStart = 3;
    hunk.newCount = 4;
    hunk.rows = {line(LineKind::Context, 3, 3, "a"), line(LineKind::Removed, 4, 0, "b old", {{2, 3}}),
        line(LineKind::Added, 0, 4, "b new", {{2, 3}}), line(LineKind::Added, 0, 5, "c"), line(LineKind::Context, 5, 6, "d")};
    hunk.rows.back().missingNewline = true;
    TextDiff difference;
    difference.hunks = {hunk};
    difference.added = 2;
    difference.removed = 1;
    return difference;
}

TEST(DiffRows, UnifiedTextIsAPatch)
{
    EXPECT_EQ(unifiedText(sampleDifference()), "@@ -3,3 +3,4 @@\n a\n-b old\n+b new\n+c\n d\n\\ No newline at end of file\n");
}

TEST(DiffRows, SideBySidePairsChangedLines)
{
    const auto rows = sideBySideRows(sampleDifference());
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_EQ(rows[0].left->kind, UnifiedRow::Kind::HunkHeader);
    EXPECT_EQ(rows[2].left->text, "b old");
    EXPECT_EQ(rows[2].right->text, "b new");
    EXPECT_FALSE(rows[3].left);
    EXPECT_EQ(rows[3].right->text, "c");
    EXPECT_EQ(rows[4].left->oldLine, 5);
    EXPECT_EQ(rows[4].right->newLine, 6);
}

TEST(DiffRows, MarksFollowTextThatBecomesVisible)
{
    TextDiff difference = sampleDifference();
    difference.hunks[0].rows = {line(LineKind::Removed, 1, 0, "\x1bx y", {{1, 1}, {3, 1}})};
    const auto rows = unifiedRows(difference);
    EXPECT_EQ(rows[1].text, "␛x y");
    EXPECT_EQ(rows[1].marks, (std::vector<WordMark>{{3, 1}, {5, 1}}));
}

TEST(DiffRows, HostileMarksAreDropped)
{
    TextDiff difference = sampleDifference();
    difference.hunks[0].rows = {
        line(LineKind::Added, 0, 1, "abc", {{-1, 2}, {1, 2147483647}, {2, -5}, {0, 1}, {0, 1}, {99, 1}})};
    const auto rows = unifiedRows(difference);
    EXPECT_EQ(rows[1].text, "abc");
    for (const WordMark& mark : rows[1].marks) {
        EXPECT_GE(mark.begin, 0);
        EXPECT_LE(mark.begin + mark.length, 3);
    }
}

TEST(DiffRows, EqualTextsHaveNoRows)
{
    EXPECT_TRUE(unifiedRows({}).empty());
    EXPECT_TRUE(sideBySideRows({}).empty());
    EXPECT_EQ(unifiedText({}), "");
}

} // namespace
} // namespace kw
