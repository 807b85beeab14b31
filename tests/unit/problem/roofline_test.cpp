// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/roofline.h"

#include "base/json_io.h"
#include "graph/builder.h"
#include "sample_profile.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

TEST(Roofline, BandwidthIsInterpolatedOverTheLogarithm)
{
    Calibration calibration;
    calibration.bandwidth = {{1e4, 100, 50, 80}, {1e6, 60, 30, 40}};
    EXPECT_EQ(copyBandwidth(calibration, 10), 80);
    EXPECT_NEAR(copyBandwidth(calibration, 1e5), 60, 1e-9);
    EXPECT_NEAR(readBandwidth(calibration, 1e5), 80, 1e-9);
    EXPECT_EQ(readBandwidth(calibration, 1e9), 60);
    EXPECT_EQ(copyBandwidth(Calibration{}, 1e5), 0);
}

TEST(Roofline, BytesCountDistinctElementsAndOnlyWhatIsRead)
{
    EXPECT_EQ(distinctBytes({DType::Float, {4, 8}, {8, 1}}), 128);
    EXPECT_EQ(distinctBytes({DType::Float, {4, 8}, {0, 1}}), 32);
    EXPECT_EQ(distinctBytes({DType::Double, {}, {}}), 8);
    GraphBuilder builder("slices");
    const ValueId x = builder.input("x", DType::Float, {4, 8});
    const ValueId part = builder.call("aten::slice.Tensor", {{"self", ValueRef{x}}, {"dim", std::int64_t{1}}, {"start", std::int64_t{0}}, {"end", std::int64_t{2}}}, TensorType{DType::Float, {4, 2}, {8, 1}});
    builder.output(builder.call("aten::exp", {{"self", ValueRef{part}}}, DType::Float, {4, 2}));
    EXPECT_EQ(readBytes(builder.graph(), x), 32);
    EXPECT_EQ(compulsoryBytes(builder.graph()), 64);
}

TEST(Roofline, OperationsAreCountedOnPrimitives)
{
    GraphBuilder builder("norm");
    const ValueId x = builder.input("x", DType::Float, {4, 8});
    builder.output(builder.call("aten::softmax.int", {{"self", ValueRef{x}}, {"dim", std::int64_t{-1}}}, DType::Float, {4, 8}));
    // maximum, subtract, exp, sum, divide: five per element
    EXPECT_EQ(floatingOperations(builder.graph()), 5 * 32);
}

TEST(Roofline, FloorIsTheLongerOfMemoryAndArithmetic)
{
    Calibration calibration;
    calibration.bandwidth = {{1, 100, 50, 80}};
    calibration.flops = 10;
    EXPECT_NEAR(floorSeconds(calibration, 300, 200, 0), 5, 1e-12);
    EXPECT_NEAR(floorSeconds(calibration, 300, 200, 100), 10, 1e-12);
}

TEST(Roofline, ProfilesAndReportsTravelAsJson)
{
    GraphBuilder builder("profile");
    builder.output(builder.call("aten::exp", {{"self", ValueRef{builder.input("x", DType::Float, {4})}}}, DType::Float, {4}));
    const Profile profile = test::sampleProfile(builder.graph());
    const auto again = parseAs<Profile>(dump(Json(profile)));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(*again, profile);
    ProfileReport report;
    report.model = "m";
    report.hotSpots = {{"id", "name", "path", "Class", {"f.py", 3, "x"}, 2, 0.5, 0.25, 8, 9, 0.1, 0.2, 0.05, {1, 2}}};
    report.advice = {Message("profile.advice.headroom").with("share", 0.5)};
    const auto copy = parseAs<ProfileReport>(dump(Json(report)));
    ASSERT_TRUE(copy.ok());
    EXPECT_EQ(*copy, report);
    EXPECT_FALSE(parseAs<Profile>("{\"version\":1}").ok());
    EXPECT_FALSE(parseAs<Profile>(R"({"version":1,"seconds":1,"default_seconds":1,"node_seconds":1,"nodes":7})").ok());
}

} // namespace
} // namespace kw
