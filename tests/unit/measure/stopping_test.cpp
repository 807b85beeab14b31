// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/stopping.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

PairBlock pairWith(double ratio)
{
    PairBlock pair;
    for (int block = 0; block < 4; ++block) {
        pair.a.push_back({ratio, ratio, 10, 0, 0, false});
        pair.b.push_back({1, 1, 10, 0, 0, false});
    }
    return pair;
}

std::vector<PairBlock> pairsWith(std::vector<double> ratios)
{
    std::vector<PairBlock> pairs;
    for (const double ratio : ratios)
        pairs.push_back(pairWith(ratio));
    return pairs;
}

/// Alternating +-5 %: never decided.
std::vector<PairBlock> wild(int count)
{
    std::vector<PairBlock> pairs;
    for (int i = 0; i < count; ++i)
        pairs.push_back(pairWith(i % 2 ? 1.08 : 0.96));
    return pairs;
}

TEST(Stopping, LooksOnlyAtTheFixedPoints)
{
    const StoppingRule rule;
    EXPECT_EQ(nextStep({}, 0, rule).morePairs, 5);
    // Three clear pairs: no look yet, two more pairs.
    const StoppingStep early = nextStep(pairsWith({2, 2, 2}), 1, rule);
    EXPECT_FALSE(early.finished);
    EXPECT_EQ(early.morePairs, 2);
    EXPECT_EQ(nextStep(wild(5), 1, rule).morePairs, 5);
    EXPECT_EQ(nextStep(wild(10), 1, rule).morePairs, 10);
    EXPECT_EQ(nextStep(wild(20), 1, rule).morePairs, 10);
}

TEST(Stopping, DecidesAtTheFirstLookWhenClear)
{
    const StoppingStep faster = nextStep(pairsWith({1.5, 1.51, 1.49, 1.5, 1.5}), 1, {});
    EXPECT_TRUE(faster.finished);
    EXPECT_EQ(faster.outcome, Comparison::Faster);
    const StoppingStep slower = nextStep(pairsWith({0.5, 0.51, 0.49, 0.5, 0.5}), 1, {});
    EXPECT_EQ(slower.outcome, Comparison::Slower);
    const StoppingStep same = nextStep(pairsWith({1, 1.001, 0.999, 1, 1}), 1, {});
    EXPECT_TRUE(same.finished);
    EXPECT_EQ(same.outcome, Comparison::Same);
}

TEST(Stopping, EndsUnsureAtTheLastLookAndWhenTimeIsUp)
{
    const StoppingStep last = nextStep(wild(30), 1, {});
    EXPECT_TRUE(last.finished);
    EXPECT_EQ(last.outcome, Comparison::Unsure);
    const StoppingStep late = nextStep(wild(7), 61, {});
    EXPECT_TRUE(late.finished);
    EXPECT_EQ(late.outcome, Comparison::Unsure);
}

TEST(Stopping, DisturbedPairsAreMeasuredAgainButNotForEver)
{
    std::vector<PairBlock> pairs = pairsWith({1.5, 1.5, 1.5, 1.5, 1.5});
    pairs[0].disturbed = true;
    EXPECT_EQ(nextStep(pairs, 1, {}).morePairs, 1);
    std::vector<PairBlock> hopeless(60, pairWith(1));
    for (PairBlock& pair : hopeless)
        pair.disturbed = true;
    const StoppingStep step = nextStep(hopeless, 1, {});
    EXPECT_TRUE(step.finished);
    EXPECT_EQ(step.outcome, Comparison::Unsure);
}

TEST(Stopping, RecordCarriesTheStepsOutcomeAndConfidence)
{
    const StoppingRule rule = StoppingRule::confirmation(0.05, 3, 0.01);
    EXPECT_LT(rule.alpha, 0.01);
    std::vector<PairBlock> pairs(10, pairWith(1.3));
    const StoppingStep step = nextStep(pairs, 1, rule);
    const Measurement result = conclude(pairs, step, rule);
    EXPECT_EQ(result.outcome, step.outcome);
    EXPECT_DOUBLE_EQ(result.confidence, 1 - rule.alpha / 3);
}

} // namespace
} // namespace kw
