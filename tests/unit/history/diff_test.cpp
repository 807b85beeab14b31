// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/diff.h"

#include <gtest/gtest.h>

#include <random>

namespace kw {
namespace {

std::string drawn(const TextDiff& diff)
{
    std::string text;
    for (const Hunk& hunk : diff.hunks) {
        text.append("@").append(std::to_string(hunk.oldStart)).append(",").append(std::to_string(hunk.oldCount)).append(" ");
        text.append(std::to_string(hunk.newStart)).append(",").append(std::to_string(hunk.newCount)).append("\n");
        for (const DiffRow& row : hunk.rows) {
            text.append(row.kind == LineKind::Context ? " " : row.kind == LineKind::Added ? "+" : "-").append(row.text);
            text.append(row.missingNewline ? "\\\n" : "\n");
        }
    }
    return text;
}

std::string numbered(int count)
{
    std::string text;
    for (int line = 1; line <= count; ++line)
        text += "line " + std::to_string(line) + "\n";
    return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    return text.replace(text.find(from), from.size(), to);
}

TEST(Diff, EqualTextsHaveNoHunks)
{
    EXPECT_TRUE(compareTexts("a\nb\n", "a\nb\n")->hunks.empty());
    EXPECT_TRUE(compareTexts("", "")->hunks.empty());
}

// The expected hunk is what GNU diff -U3 prints.
TEST(Diff, OneChangedLineWithContext)
{
    const std::string before = numbered(9);
    const auto diff = compareTexts(before, replaced(before, "line 5", "line five"));
    ASSERT_TRUE(diff);
    EXPECT_EQ(drawn(*diff),
        "@2,7 2,7\n line 2\n line 3\n line 4\n-line 5\n+line five\n line 6\n line 7\n line 8\n");
    EXPECT_EQ(diff->added, 1);
    EXPECT_EQ(diff->removed, 1);
    const DiffRow& removed = diff->hunks[0].rows[3];
    EXPECT_EQ(removed.oldLine, 5);
    EXPECT_EQ(removed.newLine, 0);
    EXPECT_EQ(removed.marks, (std::vector<WordMark>{{5, 1}}));
    EXPECT_EQ(diff->hunks[0].rows[4].marks, (std::vector<WordMark>{{5, 4}}));
}

TEST(Diff, FromNothingEveryLineIsAdded)
{
    EXPECT_EQ(drawn(*compareTexts("", "a\nb")), "@0,0 1,2\n+a\n+b\\\n");
}

TEST(Diff, LinesWithoutACommonWordAreNotMarked)
{
    const auto diff = compareTexts("alpha beta\n", "gamma delta\n");
    EXPECT_TRUE(diff->hunks[0].rows[0].marks.empty());
}

TEST(Diff, NulBytesAndMarkupAreText)
{
    const std::string before("x\0y\n", 4);
    const auto diff = compareTexts(before, "<b>\n");
    ASSERT_EQ(diff->hunks.size(), 1U);
    EXPECT_EQ(diff->hunks[0].rows[0].text, std::string("x\0y", 3));
}

TEST(Diff, TooLongTextIsRefused)
{
    const auto diff = compareTexts(std::string(longestComparedText + 1, 'x'), "");
    ASSERT_FALSE(diff);
    EXPECT_EQ(diff.error().message.id, "diff.too_long");
}

TEST(Diff, ChosenHunksAreApplied)
{
    const std::string before = numbered(30);
    const std::string first = replaced(before, "line 4\n", "line 4\nnew\n");
    const std::string both = replaced(first, "line 25\n", "");
    ASSERT_EQ(compareTexts(before, both)->hunks.size(), 2U);
    EXPECT_EQ(*acceptHunks(before, both, {}), before);
    EXPECT_EQ(*acceptHunks(before, both, {0}), first);
    EXPECT_EQ(*acceptHunks(before, both, {1}), replaced(before, "line 25\n", ""));
    EXPECT_EQ(*acceptHunks(before, both, {0, 1}), both);
}

TEST(Diff, WrongHunkIndicesAreErrors)
{
    for (const std::vector<std::int32_t>& chosen : {std::vector<std::int32_t>{1}, {-1}, {0, 0}}) {
        const auto result = acceptHunks("a\n", "b\n", chosen);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().message.id, "diff.no_such_hunk");
    }
}

// The defining property: no hunk gives the old text, all hunks give the new one.
TEST(Diff, RandomTextsAreRebuiltFromTheirHunks)
{
    std::mt19937 random(7);
    const auto make = [&] {
        std::string text;
        for (auto line = random() % 60; line > 0; --line)
            text += std::string(1, static_cast<char>('a' + random() % 6)) + (line == 1 && random() % 2 ? "" : "\n");
        return text;
    };
    for (int round = 0; round < 500; ++round) {
        const std::string before = make(), after = make();
        const auto diff = compareTexts(before, after, static_cast<int>(random() % 4));
        ASSERT_TRUE(diff);
        std::vector<std::int32_t> all(compareTexts(before, after)->hunks.size());
        for (std::size_t index = 0; index < all.size(); ++index)
            all[index] = static_cast<std::int32_t>(index);
        EXPECT_EQ(*acceptHunks(before, after, all), after);
        EXPECT_EQ(*acceptHunks(before, after, {}), before);
    }
}

} // namespace
} // namespace kw
