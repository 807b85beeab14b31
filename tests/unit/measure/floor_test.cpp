// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/floor.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

Problem rowProblem()
{
    Problem problem;
    problem.dimensions = {{"d0", 8, true}, {"d1", 64, true}};
    problem.inputs = {{"x", DType::Float, {{0, 0}, {0, 1}}, {64, 1}, 0, {}, false}, {"w", DType::Float, {{0, 0}, {0, 1}}, {0, 1}, 1, {}, true}};
    problem.outputs = {{"y", DType::Bool, {{0, 0}, {0, 1}}, {64, 1}, 2, {}, false}};
    return problem;
}

Calibration calibration()
{
    Calibration result;
    result.bandwidth = {{1e6, 40e9, 20e9, 30e9}, {1e8, 10e9, 5e9, 8e9}};
    return result;
}

TEST(Floor, BroadcastInputsCountOnce)
{
    // x: 8 x 64 floats, w expanded over rows: 64 floats, y: 8 x 64 bools.
    EXPECT_DOUBLE_EQ(compulsoryBytes(rowProblem(), {8, 64}), 8 * 64 * 4 + 64 * 4 + 8 * 64);
    EXPECT_DOUBLE_EQ(compulsoryBytes(rowProblem(), {0, 64}), 0); // no rows: nothing has to be read
}

TEST(Floor, RefusesOnlyTheProvablyImpossible)
{
    // 40 GB/s is the best rate at one megabyte: 25 us, with 30 % slack 17.5 us.
    EXPECT_NEAR(leastSeconds(1e6, 1e6, calibration()), 17.5e-6, 1e-9);
    EXPECT_TRUE(tooFast(17e-6, 1e6, 1e6, calibration()));
    EXPECT_FALSE(tooFast(18e-6, 1e6, 1e6, calibration()));
    // Between two points the faster one bounds.
    EXPECT_NEAR(leastSeconds(1e7, 1e7, calibration()), 175e-6, 1e-9);
    EXPECT_FALSE(tooFast(1e-12, 1e6, 1e6, Calibration{}));
}

} // namespace
} // namespace kw
