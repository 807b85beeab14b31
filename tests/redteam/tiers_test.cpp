// SPDX-License-Identifier: GPL-3.0-or-later
// An agent that fails on purpose learns stage and class of an acceptance case, and nothing of the case; a person sees all of it.
#include "base/json_io.h"
#include "journal/journal.h"
#include "loop/loop_toolbox.h"
#include "planted_cases.h"
#include "support/real_build.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace kw::redteam {
namespace {

constexpr double noLimit = std::numeric_limits<double>::infinity();

/// A session's journal, judge and toolbox around one problem.
class Tiers : public testing::Test {
protected:
    static SwitchedJudge& judge()
    {
        static SwitchedJudge shared;
        return shared;
    }
    void SetUp() override { judge().allStanding(); }

    Candidate candidateOf(const std::string& name) const
    {
        Plant plant;
        plant.name = name;
        return test::candidateOf(m_problem, textOf(plant));
    }

    /// As the loop does it: verified with acceptance cases, recorded.
    Experiment record(const Candidate& candidate, bool timed = false)
    {
        Experiment experiment;
        experiment.problem = m_problem.id;
        experiment.candidate = candidate;
        m_evaluator.verify(m_problem, experiment, {}, {});
        if (timed)
            m_evaluator.screen(m_problem, experiment, noLimit, {});
        auto journal = Journal::open(m_file, Journal::Mode::Write);
        EXPECT_TRUE(journal.ok());
        experiment.number = journal->lastNumber().value() + 1;
        ExperimentRow row;
        row.number = experiment.number;
        row.problem = m_problem.id;
        row.candidate = candidate.id;
        EXPECT_TRUE(journal->putProblems({m_problem}).ok());
        EXPECT_TRUE(journal->write({&experiment, &row, {}, {}, {}}).ok());
        return experiment;
    }

    LoopToolbox toolbox()
    {
        LoopToolbox::Task task;
        task.problem = m_problem.id;
        task.open = {{m_problem.id, "", {}}};
        task.secondsLeft = noLimit;
        return {{m_problems, m_calibration, m_evaluator, m_memory}, task, {}};
    }

    std::vector<Experiment> seenByAgent()
    {
        LoopToolbox box = toolbox();
        const auto history = box.history(m_problem.id);
        EXPECT_TRUE(history.ok()) << debugText(history.error().message);
        return {history->begin(), history->end()};
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_file = m_folder.path() / "journal.sqlite";
    Problem m_problem = problemNamed("relu");
    std::map<std::string, Problem> m_problems{{m_problem.id, m_problem}};
    Calibration m_calibration;
    Evaluator m_evaluator{&judge().judge(), EvaluatorOptions{}, [](const std::string&) -> Result<Candidate> { return error("none"); }};
    AgentMemory m_memory{m_file};
};

const CaseResult* failedCase(const Verdict& verdict)
{
    for (const StageResult& stage : verdict.stages)
        for (const CaseResult& result : stage.cases)
            if (!result.passed)
                return &result;
    return nullptr;
}

/// Build times and times of stages without hidden cases are the agent's own.
std::string comparable(Experiment experiment)
{
    experiment.number = 0;
    experiment.buildSeconds = 0;
    for (StageResult& stage : experiment.verdict.stages)
        if (std::none_of(stage.cases.begin(), stage.cases.end(), [](const CaseResult& one) { return one.tier == CaseTier::Acceptance; }))
            stage.seconds = 0;
    return dump(Json(experiment));
}

TEST_F(Tiers, FailingOnPurposeTellsAnAgentNothingOfTheCase)
{
    const Candidate candidate = candidateOf("tells_the_case");
    const Experiment first = record(candidate), second = record(candidate);
    for (const Experiment* experiment : {&first, &second}) {
        const CaseResult* failed = failedCase(experiment->verdict);
        ASSERT_TRUE(failed);
        EXPECT_EQ(failed->tier, CaseTier::Acceptance);
        EXPECT_TRUE(failed->worst) << "a person sees the values";
        EXPECT_NE(experiment->verdict.seed, 0u);
    }
    EXPECT_NE(first.verdict.seed, second.verdict.seed) << "drawn again for every experiment";
    EXPECT_NE(failedCase(first.verdict)->name, failedCase(second.verdict)->name);
    EXPECT_NE(first.verdict.reason, second.verdict.reason) << "the plant tells nothing: another one is needed";

    const std::vector<Experiment> seen = seenByAgent();
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(comparable(seen[0]), comparable(seen[1])) << "two different cases, and the agent sees a difference";
    EXPECT_EQ(seen[0].verdict.reason.id, "verify.acceptance_failed");
    EXPECT_EQ(seen[0].verdict.failedStage, first.verdict.failedStage);
    EXPECT_EQ(seen[0].verdict.failure, first.verdict.failure);
}

TEST_F(Tiers, TryingOutRunsNoHiddenCase)
{
    LoopToolbox box = toolbox();
    const auto verdict = box.verify(candidateOf("tells_the_case"));
    ASSERT_TRUE(verdict.ok()) << debugText(verdict.error().message);
    EXPECT_TRUE(verdict->passed) << debugText(verdict->reason);
    EXPECT_EQ(verdict->seed, 0u);
    for (const StageResult& stage : verdict->stages)
        for (const CaseResult& result : stage.cases)
            EXPECT_EQ(result.tier, CaseTier::Development);
}

TEST_F(Tiers, ATimedCallThatFailsTellsAnAgentItsClassOnly)
{
    // Without state no plant knows a timed call from another: what refuses state is left out.
    std::vector<Defence> standing;
    for (int i = 0; i < defenceCount; ++i)
        if (static_cast<Defence>(i) != Defence::StaticData)
            standing.push_back(static_cast<Defence>(i));
    judge().onlyStanding(standing);
    const Candidate candidate = candidateOf("counts_calls");
    LoopToolbox box = toolbox();
    const auto verdict = box.verify(candidate);
    ASSERT_TRUE(verdict.ok() && verdict->passed);
    const auto measured = box.measure(candidate);
    ASSERT_FALSE(measured.ok());
    EXPECT_EQ(measured.error().message.id, "verify.acceptance_failed");
    EXPECT_EQ(measured.error().detail, "");

    const Experiment experiment = record(candidate, true);
    EXPECT_EQ(experiment.verdict.failedStage, Stage::Timing);
    EXPECT_NE(experiment.verdict.reason.id, "verify.acceptance_failed") << "a person sees why";
    const std::vector<Experiment> seen = seenByAgent();
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(seen[0].verdict.reason.id, "verify.acceptance_failed");
    EXPECT_EQ(seen[0].measureSeconds, 0);
}

} // namespace
} // namespace kw::redteam
