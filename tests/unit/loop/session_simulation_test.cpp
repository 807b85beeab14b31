// SPDX-License-Identifier: GPL-3.0-or-later
// Whole sessions on simulated machines: what the loop's evaluator decides, with the real rules.
#include "measure/statistics.h"
#include "support/decision.h"
#include "support/fake_judge.h"
#include "support/noise_models.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace kw {
namespace {

using test::Decisions;
using test::NoiseModel;
using test::noiseModels;

/// One session on one machine. The best never changes: each candidate is `gain` times as fast as it.
class SimulatedSession {
public:
    SimulatedSession(const NoiseModel& model, std::uint64_t seed)
        : m_machine(model, seed), m_judge(options()), m_evaluator(&m_judge, evaluatorOptions(seed), source())
    {
        m_problem.id = "simulated";
    }

    /// True when the candidate is kept.
    bool tries(double gain)
    {
        Experiment experiment = verified(gain);
        const Decisions::End end = m_decisions.decide(m_problem, experiment);
        EXPECT_NE(end, Decisions::End::Failed);
        return end == Decisions::End::Kept;
    }
    /// What is shown at the end is measured afresh, after selection, of a best that is still as fast as at the start. One such total has
    /// five pairs and errs by up to a per cent where processes differ by one: what must hold is that nothing pulls it to one side.
    double medianOfTotals(int count)
    {
        std::vector<double> totals;
        for (int i = 0; i < count; ++i) {
            Experiment experiment = verified(1);
            m_evaluator.total(m_problem, experiment, std::numeric_limits<double>::infinity(), {});
            totals.push_back(experiment.total ? experiment.total->ratio : 0);
        }
        return median(totals);
    }

private:
    Experiment verified(double gain)
    {
        Experiment experiment;
        experiment.candidate.problem = m_problem.id;
        experiment.candidate.source = "// text " + std::to_string(++m_count) + " time " + std::to_string(1 / gain) + "\n";
        experiment.candidate.id = candidateId(experiment.candidate);
        EXPECT_TRUE(m_judge.verify(experiment.candidate, {}, {}, {}).ok());
        return experiment;
    }
    test::FakeOptions options()
    {
        test::FakeOptions options;
        options.machine = [this](double gain, int blocks) { return m_machine.pair(gain, blocks); };
        return options;
    }
    static EvaluatorOptions evaluatorOptions(std::uint64_t seed)
    {
        EvaluatorOptions options;
        options.seed = seed;
        return options;
    }
    static Evaluator::CandidateSource source()
    {
        return [](const std::string&) -> Result<Candidate> { return error("journal.no_candidate"); };
    }

    test::SimulatedMachine m_machine;
    test::FakeJudge m_judge;
    Evaluator m_evaluator;
    Decisions m_decisions{m_evaluator};
    Problem m_problem;
    int m_count = 0;
};

class Session : public testing::TestWithParam<NoiseModel> {};

TEST_P(Session, TwoThousandEqualCandidatesEndAtOne)
{
    SimulatedSession session(GetParam(), 11);
    int kept = 0;
    for (int candidate = 0; candidate < 2000; ++candidate)
        kept += session.tries(1);
    EXPECT_EQ(kept, 0);
    const double end = session.medianOfTotals(100);
    EXPECT_GE(end, 0.995);
    EXPECT_LE(end, 1.005);
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
