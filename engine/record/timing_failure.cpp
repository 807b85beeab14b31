// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/timing_failure.h"

#include "record/word_tables.h"

namespace kw {

Error toError(const TimingFailure& failure)
{
    Message message("timing.failed");
    message.with("failure", std::string(nameOf(failure.failure)));
    const Json detail{{"candidate", failure.candidate}, {"failure", nameOf(failure.failure)}, {"reason", failure.reason}};
    return Error{std::move(message), dump(detail)};
}

std::optional<TimingFailure> timingFailure(const Error& error)
{
    if (error.message.id != "timing.failed")
        return std::nullopt;
    const auto json = parseJson(error.detail);
    if (!json)
        return std::nullopt;
    try {
        TimingFailure failure;
        failure.candidate = json->at("candidate").get<std::string>();
        failure.failure = words::read<FailureKind>(json->at("failure"), words::failure);
        failure.reason = json->at("reason").get<Message>();
        return failure;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

namespace {

StageResult& timingStage(Verdict& verdict)
{
    for (StageResult& stage : verdict.stages)
        if (stage.stage == Stage::Timing)
            return stage;
    verdict.stages.push_back(StageResult{Stage::Timing, false, false, {}, 0});
    return verdict.stages.back();
}

} // namespace

void failTiming(Verdict& verdict, const TimingFailure& failure)
{
    StageResult& stage = timingStage(verdict);
    stage.run = true;
    stage.passed = false;
    CaseResult result;
    result.name = Message("case.timed_calls");
    result.tier = CaseTier::Acceptance;
    result.failure = failure.failure;
    result.reason = failure.reason;
    stage.cases.push_back(std::move(result));
    verdict.passed = false;
    verdict.failure = failure.failure;
    verdict.failedStage = Stage::Timing;
    verdict.reason = failure.reason;
}

void passTiming(Verdict& verdict, double seconds)
{
    StageResult& stage = timingStage(verdict);
    stage.run = true;
    stage.passed = true;
    stage.seconds = seconds;
}

} // namespace kw
