// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/calibrate.h"

#include "worker/bandwidth_loops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

namespace kw {
namespace {

struct Freed {
    void operator()(float* memory) const { std::free(memory); }
};

TEST(BandwidthLoops, DoWhatTheyAreTimedFor)
{
    const auto loops = bandwidthLoops();
    constexpr std::size_t floats = 256;
    const std::unique_ptr<float, Freed> from(static_cast<float*>(std::aligned_alloc(64, floats * sizeof(float))));
    const std::unique_ptr<float, Freed> to(static_cast<float*>(std::aligned_alloc(64, floats * sizeof(float))));
    float sum = 0;
    for (std::size_t index = 0; index < floats; ++index) {
        from.get()[index] = static_cast<float>(index);
        sum += static_cast<float>(index);
    }
    EXPECT_EQ(loops.read(from.get(), floats), sum);
    loops.write(to.get(), floats, 3.5F);
    for (std::size_t index = 0; index < floats; ++index)
        ASSERT_EQ(to.get()[index], 3.5F);
    loops.copy(from.get(), to.get(), floats);
    for (std::size_t index = 0; index < floats; ++index)
        ASSERT_EQ(to.get()[index], static_cast<float>(index));
}

TEST(BandwidthLoops, MultiplyAddRunsEveryRound)
{
    const auto loops = bandwidthLoops();
    // x -> 0.999 x + 0.001 has the fixed point 1; lane k starts at seed + k, and width x 12 lanes are summed up.
    const double lanes = loops.flopsPerRound / 2, width = lanes / 12;
    EXPECT_NEAR(loops.multiplyAdd(0, 0), width * 66, 1e-2);
    const double shrunk = std::pow(0.999, 100);
    EXPECT_NEAR(loops.multiplyAdd(100, 0), lanes * (1 - shrunk) + width * 66 * shrunk, 1e-2 * lanes);
}

TEST(Calibrate, CoversCachesAndMemoryInAscendingOrder)
{
    constexpr double cache = 16e6;
    const auto calibration = calibrate({0}, cache);
    ASSERT_TRUE(calibration.ok());
    EXPECT_EQ(calibration->threads, 1);
    ASSERT_GE(calibration->bandwidth.size(), 4U);
    EXPECT_LE(calibration->bandwidth.front().bytes, 64e3);
    EXPECT_GE(calibration->bandwidth.back().bytes, 2 * cache);
    for (std::size_t index = 1; index < calibration->bandwidth.size(); ++index)
        EXPECT_GT(calibration->bandwidth[index].bytes, calibration->bandwidth[index - 1].bytes);
    // No core that runs this program does less than one multiply-add a nanosecond, and none does 10^13 of them a second.
    EXPECT_GT(calibration->flops, 2e8);
    EXPECT_LT(calibration->flops, 2e13);
}

TEST(Calibrate, EndsWithTheStopToken)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_EQ(calibrate({0}, 16e6, source.get_token()).error().message.id, "judge.stopped");
}

} // namespace
} // namespace kw
