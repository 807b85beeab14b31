// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/evaluator.h"

#include "support/fake_judge.h"

#include <gtest/gtest.h>

#include <limits>

namespace kw {
namespace {

constexpr double noLimit = std::numeric_limits<double>::infinity();

Measurement measured(Comparison outcome, int sound, int disturbed)
{
    Measurement measurement;
    measurement.outcome = outcome;
    measurement.pairs.resize(static_cast<std::size_t>(sound + disturbed));
    for (int index = 0; index < disturbed; ++index)
        measurement.pairs[static_cast<std::size_t>(index)].disturbed = true;
    return measurement;
}

TEST(Evaluator, DoubtIsOfTheMachineOrOfTheBudgetNeverOfTheNumbers)
{
    struct Row { Comparison outcome; int sound, disturbed; bool cut; Doubt doubt; };
    for (const Row& row : {Row{Comparison::Unsure, 0, 5, false, Doubt::Disturbed}, {Comparison::Unsure, 4, 6, false, Doubt::Disturbed},
             {Comparison::Unsure, 20, 20, false, Doubt::Disturbed}, {Comparison::Unsure, 30, 0, false, Doubt::None},
             {Comparison::Unsure, 20, 3, false, Doubt::None}, {Comparison::Unsure, 3, 0, false, Doubt::None},
             {Comparison::Unsure, 10, 0, true, Doubt::OutOfTime}, {Comparison::Unsure, 1, 4, true, Doubt::OutOfTime},
             {Comparison::Faster, 5, 30, true, Doubt::None}, {Comparison::Same, 5, 30, false, Doubt::None},
             {Comparison::Slower, 2, 1, true, Doubt::None}})
        EXPECT_EQ(doubtOf(measured(row.outcome, row.sound, row.disturbed), 5, row.cut), row.doubt) << row.sound << " " << row.disturbed;
}

TEST(Evaluator, DisturbanceIsTheShareOfRejectedBatches)
{
    Experiment experiment;
    EXPECT_EQ(disturbanceOf(experiment), -1);
    experiment.screening.emplace().pairs.resize(1);
    experiment.screening->pairs[0].a.resize(4);
    experiment.screening->pairs[0].b.resize(4);
    experiment.screening->rejectedSamples = 2;
    EXPECT_EQ(disturbanceOf(experiment), 0.25);
    experiment.measurement = experiment.screening;
    experiment.measurement->rejectedSamples = 8;
    EXPECT_EQ(disturbanceOf(experiment), 0.625);
}

/// Notes the requests that reach the judge.
class Listener final : public Judge {
public:
    std::vector<MeasureRequest> requests;
    test::FakeJudge inner{test::FakeOptions{}};
    bool disturb = false;

    Result<WorkerInfo> info() override { return inner.info(); }
    Result<LoadedModel> load(const std::filesystem::path& model, std::stop_token stop, const ProgressCallback& progress) override
    {
        return inner.load(model, stop, progress);
    }
    Result<Profile> profile(const ProfileOptions& options, std::stop_token stop, const ProgressCallback& progress) override
    {
        return inner.profile(options, stop, progress);
    }
    Result<void> define(const Problem& problem) override { return inner.define(problem); }
    Result<BuildReport> build(const Candidate& candidate, std::stop_token stop) override { return inner.build(candidate, stop); }
    Result<Verdict> verify(const Candidate& candidate, const VerifyOptions& options, std::stop_token stop, const ProgressCallback& progress) override
    {
        return inner.verify(candidate, options, stop, progress);
    }
    Result<std::vector<PairBlock>> measure(const MeasureRequest& request, std::stop_token stop) override
    {
        requests.push_back(request);
        auto pairs = inner.measure(request, stop);
        if (pairs && disturb) {
            for (PairBlock& pair : *pairs) {
                pair.disturbed = true;
                for (Sample& sample : pair.b)
                    sample.rejected = true;
            }
        }
        return pairs;
    }
    Result<Environment> environment() override { return inner.environment(); }
    Result<AppliedFiles> apply(const ApplyRequest& request, std::stop_token stop, const ProgressCallback& progress) override
    {
        return inner.apply(request, stop, progress);
    }
    Result<std::vector<OutputComparison>> compareModel(const AppliedFiles& files, std::stop_token stop) override
    {
        return inner.compareModel(files, stop);
    }
    Result<std::vector<PairBlock>> measureModel(const ModelMeasureRequest& request, std::stop_token stop) override
    {
        return inner.measureModel(request, stop);
    }
};

class EvaluatorTest : public testing::Test {
protected:
    EvaluatorTest()
    {
        m_problem.id = "p";
        m_experiment.problem = "p";
        m_experiment.candidate.problem = "p";
        m_experiment.candidate.source = "time 0.5";
        m_experiment.candidate.id = candidateId(m_experiment.candidate);
        EXPECT_TRUE(std::get<event::Verified>(m_evaluator.verify(m_problem, m_experiment, {}, nullptr)).passed);
    }

    Problem m_problem;
    Experiment m_experiment;
    Listener m_judge;
    Evaluator m_evaluator{&m_judge, {}, [](const std::string&) -> Result<Candidate> { return error("journal.no_candidate"); }};
};

TEST_F(EvaluatorTest, TheBudgetLimitsEveryRequest)
{
    for (const auto& [left, limit] : {std::pair{noLimit, 60.0}, {1000.0, 60.0}, {20.0, 20.0}, {0.2, 1.0}, {-4.0, 1.0}}) {
        m_judge.requests.clear();
        m_evaluator.screen(m_problem, m_experiment, left, {});
        m_evaluator.measure(m_problem, m_experiment, left, {});
        m_evaluator.confirm(m_problem, m_experiment, 1, left, {});
        ASSERT_GE(m_judge.requests.size(), 3U);
        for (const MeasureRequest& request : m_judge.requests) {
            EXPECT_LE(request.wallLimit, limit) << left;
            EXPECT_GT(request.wallLimit, limit - 1) << left;
        }
    }
    // A confirmed win is measured against the library although the budget is used up.
    m_judge.requests.clear();
    EXPECT_EQ(std::get<event::TotalMeasured>(m_evaluator.total(m_problem, m_experiment, -3, {})).doubt, Doubt::None);
    EXPECT_LE(m_judge.requests.front().wallLimit, 4);
    EXPECT_GT(m_judge.requests.front().wallLimit, 3);
}

TEST_F(EvaluatorTest, WhatWasAllDisturbedIsUnsureAndSaysSo)
{
    m_judge.disturb = true;
    const auto measured = std::get<event::Measured>(m_evaluator.measure(m_problem, m_experiment, noLimit, {}));
    EXPECT_EQ(measured.outcome, Comparison::Unsure);
    EXPECT_EQ(measured.doubt, Doubt::Disturbed);
    const auto confirmed = std::get<event::Confirmed>(m_evaluator.confirm(m_problem, m_experiment, 1, noLimit, {}));
    EXPECT_FALSE(confirmed.faster);
    EXPECT_EQ(confirmed.doubt, Doubt::Disturbed);
    EXPECT_EQ(std::get<event::TotalMeasured>(m_evaluator.total(m_problem, m_experiment, noLimit, {})).doubt, Doubt::Disturbed);
    EXPECT_FALSE(m_experiment.total) << "a total without numbers is shown nowhere";
    EXPECT_GT(disturbanceOf(m_experiment), 0.4);
}

TEST_F(EvaluatorTest, AUsedUpBudgetIsNoVerdictOnTheCandidate)
{
    m_judge.disturb = true;
    EXPECT_EQ(std::get<event::Measured>(m_evaluator.measure(m_problem, m_experiment, 0, {})).doubt, Doubt::OutOfTime);
    m_judge.disturb = false;
    EXPECT_EQ(std::get<event::Measured>(m_evaluator.measure(m_problem, m_experiment, 0, {})).outcome, Comparison::Faster)
        << "five sound pairs that were measured all the same decide";
}

} // namespace
} // namespace kw
