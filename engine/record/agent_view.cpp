// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/agent_view.h"

#include "record/names.h"

#include <algorithm>

namespace kw {
namespace {

Message hiddenReason(Stage stage, FailureKind failure)
{
    return Message("verify.acceptance_failed").with("stage", std::string(nameOf(stage))).with("failure", std::string(nameOf(failure)));
}

/// All acceptance cases of a stage as one case that says no more than stage and class.
CaseResult folded(const StageResult& stage)
{
    CaseResult hidden;
    hidden.name = Message("case.acceptance");
    hidden.tier = CaseTier::Acceptance;
    hidden.passed = true;
    for (const CaseResult& result : stage.cases) {
        if (result.tier != CaseTier::Acceptance || result.passed || !hidden.passed)
            continue;
        hidden.passed = false;
        hidden.failure = result.failure;
        hidden.reason = hiddenReason(stage.stage, result.failure);
    }
    return hidden;
}

} // namespace

Verdict agentView(const Verdict& verdict)
{
    Verdict view = verdict;
    view.seed = 0;
    for (StageResult& stage : view.stages) {
        const auto isAcceptance = [](const CaseResult& result) { return result.tier == CaseTier::Acceptance; };
        if (std::none_of(stage.cases.begin(), stage.cases.end(), isAcceptance))
            continue;
        const CaseResult hidden = folded(stage);
        stage.seconds = 0;
        stage.cases.erase(std::remove_if(stage.cases.begin(), stage.cases.end(), isAcceptance), stage.cases.end());
        stage.cases.push_back(hidden);
        if (!hidden.passed && !verdict.passed && stage.stage == verdict.failedStage
            && std::all_of(stage.cases.begin(), stage.cases.end() - 1, [](const CaseResult& result) { return result.passed; }))
            view.reason = hidden.reason;
    }
    return view;
}

} // namespace kw
