// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/verdict.h"

#include "record/word_tables.h"

namespace kw {

void to_json(Json& json, const WorstElement& worst)
{
    json = Json{{"output", worst.output}, {"index", worst.index}, {"expected", words::number(worst.expected)},
        {"actual", words::number(worst.actual)}, {"error", words::number(worst.error)},
        {"allowed", words::number(worst.allowed)}, {"library_error", words::number(worst.libraryError)}};
}

void from_json(const Json& json, WorstElement& worst)
{
    worst.output = json.at("output").get<std::string>();
    worst.index.clear();
    for (const Json& entry : json.at("index"))
        worst.index.push_back(words::integer<std::int64_t>(entry));
    worst.expected = words::number(json.at("expected"));
    worst.actual = words::number(json.at("actual"));
    worst.error = words::number(json.at("error"));
    worst.allowed = words::number(json.at("allowed"));
    worst.libraryError = words::number(json.at("library_error"));
}

void to_json(Json& json, const CaseResult& result)
{
    json = Json{{"name", result.name}, {"tier", nameOf(result.tier)}, {"passed", result.passed}};
    if (result.failure != FailureKind::None)
        json["failure"] = nameOf(result.failure);
    if (!result.reason.empty())
        json["reason"] = result.reason;
    writeOptional(json, "worst", result.worst);
    json["budget_used"] = words::number(result.budgetUsed);
    json["kernelbench"] = result.withinKernelBenchTolerance;
}

void from_json(const Json& json, CaseResult& result)
{
    result = CaseResult{};
    result.name = json.at("name").get<Message>();
    result.tier = words::read<CaseTier>(json.at("tier"), words::tier);
    result.passed = json.at("passed").get<bool>();
    if (json.contains("failure"))
        result.failure = words::read<FailureKind>(json.at("failure"), words::failure);
    if (json.contains("reason"))
        result.reason = json.at("reason").get<Message>();
    readOptional(json, "worst", result.worst);
    result.budgetUsed = words::number(json.at("budget_used"));
    result.withinKernelBenchTolerance = json.at("kernelbench").get<bool>();
}

void to_json(Json& json, const StageResult& result)
{
    json = Json{{"stage", nameOf(result.stage)}, {"run", result.run}, {"passed", result.passed}, {"cases", result.cases},
        {"seconds", words::number(result.seconds)}};
}

void from_json(const Json& json, StageResult& result)
{
    result.stage = words::read<Stage>(json.at("stage"), words::stage);
    result.run = json.at("run").get<bool>();
    result.passed = json.at("passed").get<bool>();
    result.cases = json.at("cases").get<std::vector<CaseResult>>();
    result.seconds = words::number(json.at("seconds"));
}

void to_json(Json& json, const Verdict& verdict)
{
    json = Json{{"passed", verdict.passed}, {"failure", nameOf(verdict.failure)},
        {"failed_stage", nameOf(verdict.failedStage)}, {"stages", verdict.stages},
        {"factor", words::number(verdict.factor)}, {"floor_ulps", words::number(verdict.floorUlps)},
        {"seed", verdict.seed}, {"candidate", verdict.candidate}, {"artifact", verdict.artifact}};
    if (!verdict.reason.empty())
        json["reason"] = verdict.reason;
    if (verdict.unsafe)
        json["unsafe"] = true;
}

void from_json(const Json& json, Verdict& verdict)
{
    verdict = Verdict{};
    verdict.passed = json.at("passed").get<bool>();
    verdict.failure = words::read<FailureKind>(json.at("failure"), words::failure);
    verdict.failedStage = words::read<Stage>(json.at("failed_stage"), words::stage);
    verdict.stages = json.at("stages").get<std::vector<StageResult>>();
    verdict.factor = words::number(json.at("factor"));
    verdict.floorUlps = words::number(json.at("floor_ulps"));
    if (!json.at("seed").is_number_unsigned() && !(json.at("seed").is_number_integer() && json.at("seed").get<std::int64_t>() >= 0))
        throw std::runtime_error("a seed is a whole number that is not negative");
    verdict.seed = json.at("seed").get<std::uint64_t>();
    verdict.candidate = json.at("candidate").get<std::string>();
    verdict.artifact = json.at("artifact").get<std::string>();
    if (json.contains("reason"))
        verdict.reason = json.at("reason").get<Message>();
    verdict.unsafe = json.value("unsafe", false);
}

} // namespace kw
