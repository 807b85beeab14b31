// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/comparison.h"
#include "measure/disturbance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace kw {
namespace {

Sample sample(double seconds) { return {seconds, seconds, 100, 0, 0, false}; }

PairBlock pairOf(std::vector<double> a, std::vector<double> b)
{
    PairBlock pair;
    for (const double seconds : a)
        pair.a.push_back(sample(seconds));
    for (const double seconds : b)
        pair.b.push_back(sample(seconds));
    return pair;
}

TEST(Comparison, RatioIsTimeAOverTimeB)
{
    const Measurement result = compare({pairOf({2, 2}, {1, 1}), pairOf({2.02, 2.02}, {1, 1}), pairOf({1.98, 1.98}, {1, 1}),
        pairOf({2, 2}, {1, 1}), pairOf({2, 2}, {1, 1})});
    EXPECT_DOUBLE_EQ(result.ratio, 2);
    EXPECT_EQ(result.outcome, Comparison::Faster);
    EXPECT_DOUBLE_EQ(result.secondsA, 2);
    EXPECT_DOUBLE_EQ(result.secondsB, 1);
    EXPECT_GT(result.low, 1.95);
}

TEST(Comparison, DriftWithinAPairCancels)
{
    // The machine gets 50 % slower during the pair; neighbours stay equal.
    const std::vector<double> ratios = pairLogRatios({pairOf({1, 1.1, 1.3, 1.5}, {1, 1.1, 1.3, 1.5})});
    ASSERT_EQ(ratios.size(), 1u);
    EXPECT_DOUBLE_EQ(ratios[0], 0);
}

TEST(Comparison, RejectedSamplesAndDisturbedPairsDoNotCount)
{
    PairBlock bad = pairOf({1, 1}, {9, 9});
    bad.disturbed = true;
    PairBlock good = pairOf({1, 50, 1}, {1, 1, 1});
    good.a[1].rejected = true;
    const Measurement result = compare({bad, good, good});
    EXPECT_DOUBLE_EQ(result.ratio, 1);
    EXPECT_EQ(result.rejectedSamples, 2);
    EXPECT_EQ(result.pairs.size(), 3u);
}

TEST(Comparison, NothingLeftIsUnsureNotANumber)
{
    PairBlock bad = pairOf({1}, {1});
    bad.disturbed = true;
    for (const Measurement& result : {compare({}), compare({bad})}) {
        EXPECT_EQ(result.outcome, Comparison::Unsure);
        EXPECT_FALSE(std::isnan(result.low) || std::isnan(result.ratio));
        EXPECT_TRUE(std::isinf(result.high));
    }
}

TEST(Comparison, OutcomesByTheMargin)
{
    EXPECT_EQ(outcomeOf(1.011, 1.2, 0.01), Comparison::Faster);
    EXPECT_EQ(outcomeOf(1.009, 1.2, 0.01), Comparison::Unsure);
    EXPECT_EQ(outcomeOf(0.995, 1.005, 0.01), Comparison::Same);
    EXPECT_EQ(outcomeOf(0.9, 0.98, 0.01), Comparison::Slower);
    EXPECT_EQ(outcomeOf(0.98, 1.0, 0.01), Comparison::Unsure);
}

TEST(Comparison, ScreeningOnlyRejectsTheClearlySlow)
{
    EXPECT_TRUE(screenedOut({pairOf({1, 1}, {1.05, 1.05})}, 0.01));
    EXPECT_FALSE(screenedOut({pairOf({1, 1}, {1, 1})}, 0.01));
    EXPECT_FALSE(screenedOut({pairOf({1, 1}, {0.5, 0.5})}, 0.01));
    EXPECT_FALSE(screenedOut({}, 0.01));
}

TEST(Disturbance, WaitingStealAndForcedSwitches)
{
    Sample waiting{1e-3, 0.9e-3, 10, 1, 0, false};
    judgeSample(waiting, 1);
    EXPECT_TRUE(waiting.rejected);
    Sample quiet{1e-3, 0.999e-3, 10, 1, 0, false}; // a switch that cost nothing measurable
    judgeSample(quiet, 1);
    EXPECT_FALSE(quiet.rejected);
    Sample woken{1e-3, 1.9e-3, 10, 2, 0, false}; // one switch a thread: its pool was woken up
    judgeSample(woken, 2);
    EXPECT_FALSE(woken.rejected);
    Sample crowded{1e-3, 1.9e-3, 10, 3, 0, false};
    judgeSample(crowded, 2);
    EXPECT_TRUE(crowded.rejected);
    Sample stolen{1e-3, 1e-3, 10, 0, 0.03, false};
    judgeSample(stolen, 1);
    EXPECT_TRUE(stolen.rejected);
    // A second on fifteen CPUs is fifteen seconds of theirs: of these, two per cent are 0.3.
    for (const auto& [seconds, threads, rejected] : {std::tuple{0.2, 1, true}, {0.2, 15, false}, {0.4, 15, true}}) {
        Sample spread{0.1, 0.1, 10, 0, seconds, false};
        judgeSample(spread, threads);
        EXPECT_EQ(spread.rejected, rejected) << seconds << " s, " << threads << " threads";
    }
    Sample oneTick{1e-3, 1e-3, 10, 0, 0.01, false}; // the kernel's clock of stolen time may have been about to tick anyway
    judgeSample(oneTick, 1);
    EXPECT_FALSE(oneTick.rejected);
    Sample impossible{0, 0, 10, 0, 0, false};
    judgeSample(impossible, 1);
    EXPECT_TRUE(impossible.rejected);
}

TEST(Disturbance, APairNeedsHalfOfEachSide)
{
    PairBlock pair = pairOf({1, 1, 1, 1}, {1, 1, 1, 1});
    pair.a[0].rejected = pair.a[1].rejected = true;
    judgePair(pair);
    EXPECT_FALSE(pair.disturbed);
    pair.a[2].rejected = true;
    judgePair(pair);
    EXPECT_TRUE(pair.disturbed);
}

} // namespace
} // namespace kw
