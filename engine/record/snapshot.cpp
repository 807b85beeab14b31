// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/snapshot.h"

#include "record/word_tables.h"

namespace kw {
namespace {

template <typename Value> std::shared_ptr<const std::vector<Value>> listFrom(const Json& json, const char* key)
{
    return std::make_shared<const std::vector<Value>>(json.at(key).get<std::vector<Value>>());
}

} // namespace

void to_json(Json& json, const ApprovalRequest& request)
{
    json = Json{{"experiment", request.experiment}, {"problem", request.problem}, {"candidate", request.candidate},
        {"against", request.against}, {"binding", request.binding}, {"replaced", request.replaced}};
}

void from_json(const Json& json, ApprovalRequest& request)
{
    request.experiment = words::integer<std::int64_t>(json.at("experiment"));
    request.problem = json.at("problem").get<std::string>();
    request.candidate = json.at("candidate").get<std::string>();
    request.against = json.at("against").get<std::string>();
    request.binding = json.at("binding").get<std::string>();
    request.replaced = words::integer<std::int64_t>(json.at("replaced"));
}

void to_json(Json& json, const AppliedSummary& summary)
{
    json = Json{{"seconds", words::number(summary.seconds)}, {"baseline_seconds", words::number(summary.baselineSeconds)},
        {"ratio", words::number(summary.ratio)}, {"low", words::number(summary.low)}, {"high", words::number(summary.high)},
        {"kernel_gain", words::number(summary.kernelGain)}, {"memory_gain", words::number(summary.memoryGain)},
        {"eager_seconds", words::number(summary.eagerSeconds)}, {"kernels", summary.kernels}, {"sites", summary.sites},
        {"taken_out", summary.takenOut}, {"within_budget", summary.withinBudget},
        {"max_error", words::number(summary.maxError)}, {"allowed_error", words::number(summary.allowedError)},
        {"eager_default_seconds", words::number(summary.eagerDefaultSeconds)}, {"eager_ratio", words::number(summary.eagerRatio)},
        {"eager_low", words::number(summary.eagerLow)}, {"eager_high", words::number(summary.eagerHigh)},
        {"eager_absent", summary.eagerAbsent}};
}

void from_json(const Json& json, AppliedSummary& summary)
{
    summary.seconds = words::number(json.at("seconds"));
    summary.baselineSeconds = words::number(json.at("baseline_seconds"));
    summary.ratio = words::number(json.at("ratio"));
    summary.low = words::number(json.at("low"));
    summary.high = words::number(json.at("high"));
    summary.kernelGain = words::number(json.at("kernel_gain"));
    summary.memoryGain = words::number(json.at("memory_gain"));
    summary.eagerSeconds = words::number(json.at("eager_seconds"));
    summary.kernels = words::integer<std::int64_t>(json.at("kernels"));
    summary.sites = words::integer<std::int64_t>(json.at("sites"));
    summary.takenOut = words::integer<std::int64_t>(json.at("taken_out"));
    summary.withinBudget = json.at("within_budget").get<bool>();
    summary.maxError = words::number(json.at("max_error"));
    summary.allowedError = words::number(json.at("allowed_error"));
    summary.eagerDefaultSeconds = words::number(json.at("eager_default_seconds"));
    summary.eagerRatio = words::number(json.at("eager_ratio"));
    summary.eagerLow = words::number(json.at("eager_low"));
    summary.eagerHigh = words::number(json.at("eager_high"));
    summary.eagerAbsent = json.at("eager_absent").get<Message>();
}

void to_json(Json& json, const Snapshot& snapshot)
{
    json = Json{{"sequence", snapshot.sequence}, {"session", snapshot.session}, {"model", snapshot.model},
        {"state", nameOf(snapshot.state)}, {"now", snapshot.now}, {"next", snapshot.next}, {"pausing", snapshot.pausing},
        {"progress", words::number(snapshot.progress)}, {"supervision", nameOf(snapshot.supervision)},
        {"budget_seconds", words::number(snapshot.budgetSeconds)}, {"used_seconds", words::number(snapshot.usedSeconds)},
        {"experiments_per_hour", words::number(snapshot.experimentsPerHour)},
        {"seconds_left", words::number(snapshot.secondsLeft)}, {"unsafe", snapshot.unsafe},
        {"read_only", snapshot.readOnly}, {"predicted_speedup", words::number(snapshot.predictedSpeedup)},
        {"model_speedup", words::number(snapshot.modelSpeedup)}, {"approvals", snapshot.approvals},
        {"active_problem", snapshot.activeProblem}, {"current_candidate", snapshot.currentCandidate},
        {"current_source", snapshot.currentSource}, {"history_head", snapshot.historyHead}};
    writeOptional(json, "applied", snapshot.applied);
    writeOptional(json, "error", snapshot.error);
    if (snapshot.report)
        json["report"] = *snapshot.report;
    json["problems"] = snapshot.problems ? Json(*snapshot.problems) : Json::array();
    json["experiments"] = snapshot.experiments ? Json(*snapshot.experiments) : Json::array();
}

void from_json(const Json& json, Snapshot& snapshot)
{
    snapshot = Snapshot{};
    snapshot.sequence = words::integer<std::int64_t>(json.at("sequence"));
    snapshot.session = json.at("session").get<std::string>();
    snapshot.model = json.at("model").get<std::string>();
    snapshot.state = words::read<LoopState>(json.at("state"), words::loopState);
    snapshot.now = json.at("now").get<Message>();
    snapshot.next = json.at("next").get<Message>();
    snapshot.pausing = json.at("pausing").get<bool>();
    snapshot.progress = words::number(json.at("progress"));
    snapshot.supervision = words::read<Supervision>(json.at("supervision"), words::supervision);
    snapshot.budgetSeconds = words::number(json.at("budget_seconds"));
    snapshot.usedSeconds = words::number(json.at("used_seconds"));
    snapshot.experimentsPerHour = words::number(json.at("experiments_per_hour"));
    snapshot.secondsLeft = words::number(json.at("seconds_left"));
    snapshot.unsafe = json.at("unsafe").get<bool>();
    snapshot.readOnly = json.at("read_only").get<bool>();
    snapshot.predictedSpeedup = words::number(json.at("predicted_speedup"));
    snapshot.modelSpeedup = words::number(json.at("model_speedup"));
    snapshot.approvals = json.at("approvals").get<std::vector<ApprovalRequest>>();
    snapshot.activeProblem = json.at("active_problem").get<std::string>();
    snapshot.currentCandidate = json.at("current_candidate").get<std::string>();
    snapshot.currentSource = json.at("current_source").get<std::string>();
    snapshot.historyHead = json.at("history_head").get<std::string>();
    readOptional(json, "applied", snapshot.applied);
    readOptional(json, "error", snapshot.error);
    if (const auto report = json.find("report"); report != json.end() && !report->is_null())
        snapshot.report = std::make_shared<const ProfileReport>(report->get<ProfileReport>());
    snapshot.problems = listFrom<ProblemRow>(json, "problems");
    snapshot.experiments = listFrom<ExperimentRow>(json, "experiments");
}

} // namespace kw
