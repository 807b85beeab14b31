// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/snapshot.h"

#include "record/word_tables.h"

namespace kw {

void to_json(Json& json, const ProblemRow& row)
{
    json = Json{{"id", row.id}, {"name", row.name}, {"module", row.modulePath}, {"kind", nameOf(row.kind)},
        {"state", nameOf(row.state)}, {"calls", row.calls}, {"seconds", words::number(row.seconds)},
        {"floor_seconds", words::number(row.floorSeconds)}, {"predicted_seconds", words::number(row.predictedSeconds)},
        {"best", row.best}, {"ratio", words::number(row.ratio)}, {"low", words::number(row.low)},
        {"high", words::number(row.high)}, {"experiments", row.experiments}, {"kept", row.kept},
        {"rejected", row.rejected}};
    if (!row.refusal.empty())
        json["refusal"] = row.refusal;
}

void from_json(const Json& json, ProblemRow& row)
{
    row = ProblemRow{};
    row.id = json.at("id").get<std::string>();
    row.name = json.at("name").get<std::string>();
    row.modulePath = json.at("module").get<std::string>();
    row.kind = words::read<RegionKind>(json.at("kind"), words::region);
    row.state = words::read<ProblemState>(json.at("state"), words::problemState);
    row.calls = words::integer<std::int64_t>(json.at("calls"));
    row.seconds = words::number(json.at("seconds"));
    row.floorSeconds = words::number(json.at("floor_seconds"));
    row.predictedSeconds = words::number(json.at("predicted_seconds"));
    row.best = json.at("best").get<std::string>();
    row.ratio = words::number(json.at("ratio"));
    row.low = words::number(json.at("low"));
    row.high = words::number(json.at("high"));
    row.experiments = words::integer<std::int64_t>(json.at("experiments"));
    row.kept = words::integer<std::int64_t>(json.at("kept"));
    row.rejected = words::integer<std::int64_t>(json.at("rejected"));
    if (json.contains("refusal"))
        row.refusal = json.at("refusal").get<Message>();
}

void to_json(Json& json, const ExperimentRow& row)
{
    json = Json{{"number", row.number}, {"problem", row.problem}, {"candidate", row.candidate}, {"parent", row.parent},
        {"author", row.author}, {"decision", nameOf(row.decision)}, {"failure", nameOf(row.failure)},
        {"failed_stage", nameOf(row.failedStage)}, {"hypothesis", row.hypothesis}, {"ratio", words::number(row.ratio)},
        {"low", words::number(row.low)}, {"high", words::number(row.high)},
        {"model_speedup", words::number(row.modelSpeedup)}, {"seconds", words::number(row.seconds)},
        {"start_time", words::number(row.startTime)}, {"commit", row.commit}};
}

void from_json(const Json& json, ExperimentRow& row)
{
    row.number = words::integer<std::int64_t>(json.at("number"));
    row.problem = json.at("problem").get<std::string>();
    row.candidate = json.at("candidate").get<std::string>();
    row.parent = json.at("parent").get<std::string>();
    row.author = json.at("author").get<Author>();
    row.decision = words::read<Decision>(json.at("decision"), words::decision);
    row.failure = words::read<FailureKind>(json.at("failure"), words::failure);
    row.failedStage = words::read<Stage>(json.at("failed_stage"), words::stage);
    row.hypothesis = json.at("hypothesis").get<Message>();
    row.ratio = words::number(json.at("ratio"));
    row.low = words::number(json.at("low"));
    row.high = words::number(json.at("high"));
    row.modelSpeedup = words::number(json.at("model_speedup"));
    row.seconds = words::number(json.at("seconds"));
    row.startTime = words::number(json.at("start_time"));
    row.commit = json.at("commit").get<std::string>();
}

} // namespace kw
