// SPDX-License-Identifier: GPL-3.0-or-later
// Whole sessions against simulated machines: the decision rule of the loop with the real functions.
#include "measure/error_control.h"
#include "measure/stopping.h"

#include "noise_models.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

Measurement measured(SimulatedMachine& machine, double gain, const StoppingRule& rule)
{
    std::vector<PairBlock> pairs;
    StoppingStep step = nextStep(pairs, 0, rule);
    while (!step.finished) {
        for (int i = 0; i < step.morePairs; ++i)
            pairs.push_back(machine.pair(gain));
        step = nextStep(pairs, 0, rule);
    }
    return conclude(std::move(pairs), step, rule);
}

/// One session: screening, measurement, confirmation with alpha spending.
class SimulatedSession {
public:
    SimulatedSession(const NoiseModel& model, std::uint64_t seed) : m_machine(model, seed) {}

    /// True when a candidate that is `gain` times as fast as the best is kept.
    bool tries(double gain)
    {
        if (screenedOut({m_machine.pair(gain)}, margin))
            return false;
        if (measured(m_machine, gain, StoppingRule{}).outcome != Comparison::Faster)
            return false;
        ++m_confirmations;
        const StoppingRule rule = StoppingRule::confirmation(defaultSessionAlpha, m_confirmations, margin);
        return measured(m_machine, gain, rule).outcome == Comparison::Faster;
    }

    SimulatedMachine& machine() { return m_machine; }
    static constexpr double margin = 0.01;

private:
    SimulatedMachine m_machine;
    std::int64_t m_confirmations = 0;
};

class Session : public testing::TestWithParam<NoiseModel> {};

TEST_P(Session, TwoThousandEqualCandidatesEndAtOne)
{
    SimulatedSession session(GetParam(), 11);
    int kept = 0;
    for (int candidate = 0; candidate < 2000; ++candidate)
        kept += session.tries(1);
    // What is shown at the end is measured afresh, after selection.
    const Measurement total = measured(session.machine(), 1, StoppingRule{});
    EXPECT_EQ(kept, 0);
    EXPECT_GE(total.ratio, 0.995);
    EXPECT_LE(total.ratio, 1.005);
}

TEST_P(Session, PlantedGainsAreFound)
{
    // Issue 4: 3 % in at least 90 %, 10 % in at least 99 % of the tries.
    int small = 0, large = 0;
    constexpr int tries = 100;
    for (int i = 0; i < tries; ++i) {
        SimulatedSession session(GetParam(), 100 + static_cast<std::uint64_t>(i));
        small += session.tries(1.03);
        large += session.tries(1.10);
    }
    EXPECT_GE(small, 90) << GetParam().name;
    EXPECT_GE(large, 99) << GetParam().name;
}

TEST_P(Session, SlowerCandidatesAreNeverKept)
{
    SimulatedSession session(GetParam(), 5);
    for (int candidate = 0; candidate < 200; ++candidate)
        EXPECT_FALSE(session.tries(0.98));
}

INSTANTIATE_TEST_SUITE_P(Noise, Session, testing::ValuesIn(noiseModels()), [](const auto& instance) {
    std::string name = instance.param.name;
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
});

TEST(SessionSimulation, AWholeSessionsFalseKeepRateIsBoundedEvenAtTheMarginItself)
{
    // Worst null: every candidate is exactly 1 % faster, the margin. At most 5 % of sessions may keep one.
    int sessionsWithAKeep = 0;
    constexpr int sessions = 60;
    for (int i = 0; i < sessions; ++i) {
        SimulatedSession session(noiseModels()[1], 900 + static_cast<std::uint64_t>(i));
        bool any = false;
        for (int candidate = 0; candidate < 20 && !any; ++candidate)
            any = session.tries(1.01);
        sessionsWithAKeep += any;
    }
    // 3 expected at most; 9 or more of 60 has probability 0.004 under 5 %.
    EXPECT_LE(sessionsWithAKeep, 8);
}

} // namespace
} // namespace kw
