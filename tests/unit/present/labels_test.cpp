// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/labels.h"

#include <gtest/gtest.h>

#include <set>

namespace kw {
namespace {

/// Every value has a name of its own in both languages, and none is the bare id.
template <typename Enum> void expectNames(int count)
{
    for (const Language language : {Language::English, Language::Turkish}) {
        std::set<std::string> names;
        for (int value = 0; value < count; ++value) {
            const std::string name = labelOf(static_cast<Enum>(value), language);
            EXPECT_EQ(name.find("label."), std::string::npos) << name;
            EXPECT_TRUE(names.insert(name).second) << name;
        }
    }
}

TEST(Labels, EveryValueHasAName)
{
    expectNames<Stage>(stageCount);
    expectNames<FailureKind>(static_cast<int>(FailureKind::Harness) + 1);
    expectNames<CaseTier>(2);
    expectNames<Decision>(static_cast<int>(lastDecision) + 1);
    expectNames<Comparison>(4);
    expectNames<CacheState>(2);
    expectNames<LoopState>(static_cast<int>(LoopState::Failed) + 1);
    expectNames<Supervision>(3);
    expectNames<ProblemState>(static_cast<int>(ProblemState::Refused) + 1);
    expectNames<RegionKind>(static_cast<int>(RegionKind::Epilogue) + 1);
    expectNames<AuthorKind>(5);
    expectNames<Tier>(6);
}

TEST(Labels, AnAuthorsNameIsUntrusted)
{
    EXPECT_EQ(authorText({AuthorKind::Search, {}}, Language::English), "Built-in search");
    EXPECT_EQ(authorText({AuthorKind::Search, "search"}, Language::Turkish), "Yerleşik arama");
    EXPECT_EQ(authorText({AuthorKind::Person, "Ay\nşe"}, Language::English), "Ay␊şe (Person)");
}

TEST(Labels, MovesAreWords)
{
    Move move;
    move.choice = "unnamed_choice";
    move.from = "1";
    move.to = "4";
    move.tier = Tier::MemoryAccess;
    move.expectedGain = 1.1;
    EXPECT_EQ(movesText({move}, Language::English),
        (std::vector<std::string>{"unnamed_choice: 1 → 4 (memory access, expected 1.10 ×)."}));
}

TEST(Labels, AMeasurementCountsOnlyWhatWasUsed)
{
    Measurement measurement;
    measurement.outcome = Comparison::Faster;
    measurement.ratio = 1.23;
    measurement.low = 1.21;
    measurement.high = 1.25;
    measurement.secondsA = 1.23e-3;
    measurement.secondsB = 1e-3;
    PairBlock good, bad;
    good.a.resize(3);
    good.b.resize(3);
    good.b[1].rejected = true;
    bad.a.resize(3);
    bad.disturbed = true;
    measurement.pairs = {good, bad};
    EXPECT_EQ(measurementText(measurement, Language::English),
        "Faster 1.23 × (1.21–1.25), 1.23 ms → 1.00 ms, 5 samples in 1 process pair");
}

TEST(Labels, ARowSaysDecisionAndNumberOrFailure)
{
    ExperimentRow row;
    row.decision = Decision::Rejected;
    row.failure = FailureKind::WrongValue;
    EXPECT_EQ(experimentText(row, Language::English), "Rejected: Wrong value");
    row.decision = Decision::Kept;
    row.ratio = 2;
    row.low = 1.9;
    row.high = 2.1;
    EXPECT_EQ(experimentText(row, Language::Turkish), "Tutuldu, 2,00 × (1,90–2,10)");
}

} // namespace
} // namespace kw
