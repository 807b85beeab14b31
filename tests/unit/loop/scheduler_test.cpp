// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/scheduler.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

ProblemTrack track(const std::string& id, double seconds, double floor)
{
    ProblemTrack made;
    made.id = id;
    made.seconds = seconds;
    made.floorSeconds = made.predictedSeconds = floor;
    return made;
}

TEST(Scheduler, ValueGrowsWithShareHeadroomAndSuccessAndFallsWithCost)
{
    const ProblemTrack base = track("p", 0.4, 0.2);
    ProblemTrack other = base;
    other.seconds = 0.8;
    EXPECT_GT(searchValue(other), searchValue(base));
    other = base;
    other.floorSeconds = other.predictedSeconds = 0.35;
    EXPECT_LT(searchValue(other), searchValue(base));
    other = base;
    other.gainPerExperiment = 0.01;
    EXPECT_LT(searchValue(other), searchValue(base));
    other = base;
    other.secondsPerExperiment = 30;
    EXPECT_LT(searchValue(other), searchValue(base));
}

TEST(Scheduler, FailuresMoveTheSearchToAnotherProblem)
{
    std::vector<ProblemTrack> tracks{track("large", 0.4, 0.1), track("small", 0.2, 0.05)};
    const LoopRules rules;
    EXPECT_EQ(chooseProblem(tracks, {}, 1, rules), 0U);
    int tries = 0;
    while (chooseProblem(tracks, {}, 1, rules) == std::size_t{0} && ++tries < 100)
        learn(tracks[0], 3, 1, false);
    EXPECT_GT(tries, 1);
    EXPECT_LT(tries, 20);
}

TEST(Scheduler, AWinLowersWhatIsLeft)
{
    ProblemTrack won = track("p", 0.4, 0.1);
    const double before = headroom(won);
    learn(won, 2, 2, true);
    EXPECT_LT(headroom(won), before);
    EXPECT_EQ(won.sinceWin, 0);
    EXPECT_EQ(won.searchRatio, 2);
}

// Each row: how busy it was, how busy it is, whether something else is left, whether the source is judged again.
TEST(Scheduler, OpenSourcesWaitForAQuieterMachine)
{
    struct Row { double then, now; bool lastChance, due; };
    const LoopRules rules;
    for (const Row& row : {Row{0.9, 0.9, false, false}, {0.9, 0.46, false, false}, {0.9, 0.45, false, true}, {0.3, 0.2, false, true},
             {0.3, 0.21, false, false}, {0.9, 0.9, true, true}, {0, 0.9, false, true}}) {
        const std::vector<Retry> retries{{"c", "p", 1, row.then}};
        EXPECT_EQ(chooseRetry(retries, {track("p", 0.4, 0.1)}, {}, row.now, row.lastChance, rules).has_value(), row.due)
            << row.then << " " << row.now << " " << row.lastChance;
    }
}

TEST(Scheduler, OpenSourcesOfSkippedBlockedAndUnknownProblemsStayAside)
{
    const LoopRules rules;
    std::vector<ProblemTrack> tracks{track("p", 0.4, 0.1), track("q", 0.4, 0.1), track("r", 0.4, 0.1)};
    tracks[0].skipped = true;
    const std::vector<Retry> retries{{"a", "p", 1, 0}, {"b", "q", 1, 0}, {"c", "gone", 1, 0}, {"d", "r", 1, 0}};
    EXPECT_EQ(chooseRetry(retries, tracks, {"q"}, 0, true, rules), 3U);
    EXPECT_EQ(chooseRetry(retries, tracks, {"q", "r"}, 0, true, rules), std::nullopt);
}

TEST(Scheduler, StatesSayWhyAProblemIsLeftAlone)
{
    const LoopRules rules;
    ProblemTrack p = track("p", 0.4, 0.1);
    EXPECT_EQ(stateOf(p, 1, rules), ProblemState::Waiting);
    p.sinceWin = rules.plateauExperiments;
    EXPECT_EQ(stateOf(p, 1, rules), ProblemState::Plateau);
    p.pinned = true;
    EXPECT_EQ(stateOf(p, 1, rules), ProblemState::Pinned);
    p.skipped = true;
    EXPECT_EQ(stateOf(p, 1, rules), ProblemState::Skipped);
    EXPECT_EQ(stateOf(track("p", 0.1, 0.099), 1, rules), ProblemState::NearFloor);
    EXPECT_EQ(stateOf(track("p", 1e-5, 1e-6), 1, rules), ProblemState::NearFloor);
}

// Amdahl: 40 % of the time at twice the speed and 20 % at four times: 1 / (1 - 0.2 - 0.15).
TEST(Scheduler, ModelSpeedupIsAmdahls)
{
    std::vector<ProblemTrack> tracks{track("p", 0.4, 0.1), track("q", 0.2, 0.05)};
    EXPECT_DOUBLE_EQ(modelSpeedup(tracks, 1), 1);
    tracks[0].ratio = 2;
    tracks[1].ratio = 4;
    EXPECT_NEAR(modelSpeedup(tracks, 1), 1 / 0.65, 1e-12);
}

} // namespace
} // namespace kw
