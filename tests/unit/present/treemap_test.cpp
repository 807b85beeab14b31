// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/treemap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace kw {
namespace {

void expectPartition(const std::vector<double>& values, const TreemapRect& area)
{
    const auto rects = squarify(values, area);
    ASSERT_EQ(rects.size(), values.size());
    long double sum = 0; // the sum of huge values does not fit a double
    double covered = 0;
    for (const double value : values)
        sum += std::isfinite(value) && value > 0 ? value : 0;
    for (std::size_t at = 0; at < rects.size(); ++at) {
        const bool usable = std::isfinite(values[at]) && values[at] > 0;
        EXPECT_NEAR(rects[at].area(), usable ? static_cast<double>(values[at] / sum) * area.area() : 0, area.area() * 1e-9) << at;
        EXPECT_GE(rects[at].x, area.x - 1e-9);
        EXPECT_GE(rects[at].y, area.y - 1e-9);
        EXPECT_LE(rects[at].x + rects[at].width, area.x + area.width + 1e-9 * area.width);
        EXPECT_LE(rects[at].y + rects[at].height, area.y + area.height + 1e-9 * area.height);
        covered += rects[at].area();
    }
    EXPECT_NEAR(covered, sum > 0 ? area.area() : 0, area.area() * 1e-9);
}

/// Cells are sorted by x and only neighbours whose x ranges meet are compared.
void expectNoOverlap(std::vector<TreemapRect> rects)
{
    std::erase_if(rects, [](const TreemapRect& rect) { return rect.area() == 0; });
    std::sort(rects.begin(), rects.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    for (std::size_t one = 0; one < rects.size(); ++one)
        for (std::size_t two = one + 1; two < rects.size() && rects[two].x < rects[one].x + rects[one].width; ++two) {
            const double width = std::min(rects[one].x + rects[one].width, rects[two].x + rects[two].width) - rects[two].x;
            const double height = std::min(rects[one].y + rects[one].height, rects[two].y + rects[two].height)
                - std::max(rects[one].y, rects[two].y);
            ASSERT_FALSE(width > 1e-7 && height > 1e-7) << one << " and " << two;
        }
}

TEST(Squarify, LaysOutThePapersExample)
{
    // Bruls, Huizing, van Wijk 2000, figure 4: values 6 6 4 3 2 2 1 in a rectangle of 6 x 4.
    const auto rects = squarify({6, 6, 4, 3, 2, 2, 1}, {0, 0, 6, 4});
    const auto expectRect = [&](std::size_t at, double x, double y, double width, double height) {
        EXPECT_NEAR(rects[at].x, x, 1e-12) << at;
        EXPECT_NEAR(rects[at].y, y, 1e-12) << at;
        EXPECT_NEAR(rects[at].width, width, 1e-12) << at;
        EXPECT_NEAR(rects[at].height, height, 1e-12) << at;
    };
    expectRect(0, 0, 0, 3, 2);
    expectRect(1, 0, 2, 3, 2);
    expectRect(2, 3, 0, 12.0 / 7, 7.0 / 3);
    expectRect(3, 3 + 12.0 / 7, 0, 9.0 / 7, 7.0 / 3);
    expectRect(4, 3, 7.0 / 3, 1.2, 5.0 / 3);
}

TEST(Squarify, AreasAreInProportionAndCoverEverything)
{
    expectPartition({5, 3, 1, 1}, {10, 20, 300, 200});
    expectPartition({1}, {0, 0, 7, 3});
    expectPartition({1, 5, 2, 9, 4}, {0, 0, 100, 400}); // not sorted
}

TEST(Squarify, UnusableValuesGetNoArea)
{
    expectPartition({3, 0, -4, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1},
        {0, 0, 40, 30});
    expectPartition({0, 0}, {0, 0, 40, 30});
    EXPECT_TRUE(squarify({}, {0, 0, 1, 1}).empty());
}

TEST(Squarify, ExtremeValuesAndRectangles)
{
    expectPartition({1e308, 1e308, 1e300}, {0, 0, 100, 100});
    expectPartition({1e-300, 1e-301}, {0, 0, 100, 100});
    expectPartition({3, 2, 1}, {0, 0, 1e-3, 1e-3});
    const auto none = squarify({1, 2}, {5, 5, 0, 10});
    EXPECT_EQ(none[0].area(), 0);
    EXPECT_EQ(none[1].area(), 0);
}

TEST(Squarify, TenThousandItemsDoNotOverlap)
{
    std::mt19937_64 random(7);
    std::vector<double> values(10'000);
    for (double& value : values)
        value = std::pow(static_cast<double>(random() >> 11) * 0x1p-53, 4) + 1e-6;
    std::sort(values.rbegin(), values.rend());
    expectPartition(values, {0, 0, 1200, 800});
    expectNoOverlap(squarify(values, {0, 0, 1200, 800}));
}

TEST(Order, LargestFirstAndUnusableLast)
{
    EXPECT_EQ(descendingOrder({1, std::numeric_limits<double>::quiet_NaN(), 3, 0, 3}),
        (std::vector<std::size_t>{2, 4, 0, 1, 3}));
}

TEST(StickyOrder, CellsStayWhileValuesChange)
{
    StickyOrder sticky;
    EXPECT_EQ(sticky.order({"a", "b", "c"}, {1, 3, 2}), (std::vector<std::size_t>{1, 2, 0}));
    EXPECT_EQ(sticky.order({"a", "b", "c"}, {9, 3, 2}), (std::vector<std::size_t>{1, 2, 0}));
    // b left, d and e came: they follow by size.
    EXPECT_EQ(sticky.order({"a", "c", "d", "e"}, {9, 2, 1, 5}), (std::vector<std::size_t>{1, 0, 3, 2}));
    sticky.clear();
    EXPECT_EQ(sticky.order({"a", "c", "d", "e"}, {9, 2, 1, 5}), (std::vector<std::size_t>{0, 3, 1, 2}));
}

TEST(KeptCells, MergesTheTail)
{
    EXPECT_EQ(keptCells({50, 40, 5, 3, 2}, 0.04, 100), 3U);
    EXPECT_EQ(keptCells({50, 40, 5, 3, 2}, 0, 2), 2U);
    EXPECT_EQ(keptCells({50, 48, 2}, 0.04, 100), 3U); // one item alone is not worth an "other"
    EXPECT_EQ(keptCells({}, 0.1, 10), 0U);
}

} // namespace
} // namespace kw
