// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/treemap_svg.h"

#include "present/colour_scale.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

ProfileReport report()
{
    ProfileReport value;
    HotSpot big, small;
    big.name = "<script>alert(1)</script>";
    big.seconds = 0.75e-3;
    big.share = 0.75;
    big.headroomSeconds = 0.3e-3;
    big.calls = 1;
    small.name = "softmax";
    small.seconds = 0.25e-3;
    small.share = 0.25;
    small.calls = 2;
    value.hotSpots = {big, small};
    return value;
}

TEST(TreemapSvg, EscapesNamesAndWritesFigures)
{
    const std::string svg = treemapSvg(report(), 400, 100, Language::English);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_NE(svg.find("&lt;script&gt;"), std::string::npos);
    EXPECT_NE(svg.find("softmax: 250 µs (25 % of the model), of which 0 s can be saved; 2 calls"), std::string::npos);
    // Three quarters of the width of 400, less the gap of one.
    EXPECT_NE(svg.find("width=\"299.00\" height=\"99.00\""), std::string::npos);
}

TEST(TreemapSvg, AnEmptyReportIsAnEmptyPicture)
{
    EXPECT_EQ(treemapSvg({}, 400, 100, Language::English).find("<rect"), std::string::npos);
}

TEST(ColourScale, ContrastIsWcags)
{
    EXPECT_NEAR(contrast({0, 0, 0}, {255, 255, 255}), 21, 1e-9);
    EXPECT_NEAR(contrast({0x77, 0x77, 0x77}, {255, 255, 255}), 4.48, 0.005); // the well-known grey that just fails
    EXPECT_EQ(hexText({1, 171, 255}), "#01abff");
}

TEST(ColourScale, TextIsReadableOnEveryColourOfTheScales)
{
    for (const bool dark : {false, true})
        for (int step = 0; step <= 1000; ++step) {
            const Rgb headroom = headroomColour(step / 1000.0, dark);
            const Rgb speedup = speedupColour(0.25 + step / 250.0, dark);
            EXPECT_GE(contrast(headroom, readableOn(headroom)), 4.5);
            EXPECT_GE(contrast(speedup, readableOn(speedup)), 4.5);
        }
}

TEST(ColourScale, MoreHeadroomIsLighter)
{
    const Rgb black{0, 0, 0};
    for (const bool dark : {false, true})
        for (int step = 0; step < 100; ++step)
            EXPECT_LT(contrast(headroomColour(step / 100.0, dark), black),
                contrast(headroomColour((step + 1) / 100.0, dark), black));
}

} // namespace
} // namespace kw
