// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/agent_view.h"

#include "base/json_io.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

CaseResult makeCase(CaseTier tier, bool passed, double used)
{
    CaseResult result;
    result.name = Message("case.corner_shape").with("sizes", tier == CaseTier::Acceptance ? "d0=secret" : "d0=5");
    result.tier = tier;
    result.passed = passed;
    result.failure = passed ? FailureKind::None : FailureKind::WrongValue;
    if (!passed)
        result.reason = Message("verify.wrong_value").with("count", 17);
    result.worst = WorstElement{"y", {4}, 1, 2, 1, 0.5, 0.1};
    result.budgetUsed = used;
    return result;
}

Verdict verdictWith(std::vector<CaseResult> shapes, bool passed)
{
    Verdict verdict;
    verdict.passed = passed;
    verdict.seed = 99;
    for (int stage = 0; stage < stageCount; ++stage)
        verdict.stages.push_back({static_cast<Stage>(stage), true, true, {}, 1.5});
    StageResult& stage = verdict.stages[static_cast<std::size_t>(Stage::Shapes)];
    stage.passed = passed;
    stage.cases = std::move(shapes);
    if (!passed) {
        verdict.failure = FailureKind::WrongValue;
        verdict.failedStage = Stage::Shapes;
        verdict.reason = Message("verify.wrong_value").with("count", 17);
    }
    return verdict;
}

TEST(AgentView, DevelopmentCasesStayWhole)
{
    const Verdict verdict = verdictWith({makeCase(CaseTier::Development, false, 9)}, false);
    const Verdict view = agentView(verdict);
    EXPECT_EQ(view.stages, verdict.stages);
    EXPECT_EQ(view.reason, verdict.reason);
    EXPECT_EQ(view.seed, 0u);
}

TEST(AgentView, AcceptanceFailureTellsStageAndClassOnly)
{
    const Verdict view = agentView(verdictWith(
        {makeCase(CaseTier::Development, true, 0.5), makeCase(CaseTier::Acceptance, true, 0.25), makeCase(CaseTier::Acceptance, false, 9)}, false));
    EXPECT_EQ(view.failure, FailureKind::WrongValue);
    EXPECT_EQ(view.failedStage, Stage::Shapes);
    EXPECT_EQ(view.reason.id, "verify.acceptance_failed");
    const std::string text = dump(Json(view));
    for (const char* leak : {"secret", "17", "99", "9.0"})
        EXPECT_EQ(text.find(leak), std::string::npos) << leak;
}

TEST(AgentView, NothingDependsOnWhichOrHowManyAcceptanceCasesRan)
{
    const CaseResult development = makeCase(CaseTier::Development, true, 0.5);
    const Verdict early = agentView(verdictWith({development, makeCase(CaseTier::Acceptance, false, 9)}, false));
    const Verdict late = agentView(verdictWith({development, makeCase(CaseTier::Acceptance, true, 0.9),
        makeCase(CaseTier::Acceptance, true, 0.1), makeCase(CaseTier::Acceptance, false, 2)}, false));
    EXPECT_EQ(early, late);
}

} // namespace
} // namespace kw
