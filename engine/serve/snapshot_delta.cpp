// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/snapshot_delta.h"

#include "base/json_io.h"

#include <algorithm>

namespace kw {

namespace {

using Rows = std::vector<ExperimentRow>;

/// Rows that are new or different, each with its place in the list.
Json changedRows(const Rows& before, const Rows& after)
{
    Json changed = Json::array();
    for (std::size_t index = 0; index < after.size(); ++index) {
        if (index >= before.size() || before[index] != after[index])
            changed.push_back(Json{{"at", index}, {"row", after[index]}});
    }
    return Json{{"count", after.size()}, {"changed", std::move(changed)}};
}

Result<std::shared_ptr<const Rows>> patched(const std::shared_ptr<const Rows>& before, const Json& json)
{
    const Error wrong{Message("serve.malformed").with("what", "rows do not fit"), {}};
    auto rows = std::make_shared<Rows>(before ? *before : Rows{});
    const auto count = json.at("count").get<std::size_t>();
    for (const Json& change : json.at("changed")) {
        const auto index = change.at("at").get<std::size_t>();
        if (index > rows->size())
            return wrong;
        if (index == rows->size())
            rows->emplace_back();
        (*rows)[index] = change.at("row").get<ExperimentRow>();
    }
    if (rows->size() < count)
        return wrong;
    rows->resize(count);
    return std::shared_ptr<const Rows>(std::move(rows));
}

Result<std::shared_ptr<const Snapshot>> combined(const std::shared_ptr<const Snapshot>& last, const Json& json)
{
    auto snapshot = std::make_shared<Snapshot>(json.at("light").get<Snapshot>());
    if (last)
        snapshot->problems = last->problems, snapshot->experiments = last->experiments, snapshot->report = last->report;
    if (json.contains("problems"))
        snapshot->problems = std::make_shared<const std::vector<ProblemRow>>(json.at("problems").get<std::vector<ProblemRow>>());
    if (json.contains("report"))
        snapshot->report = std::make_shared<const ProfileReport>(json.at("report").get<ProfileReport>());
    if (json.contains("experiments")) {
        KW_TRY(snapshot->experiments, patched(last ? last->experiments : nullptr, json.at("experiments")));
    }
    return std::shared_ptr<const Snapshot>(std::move(snapshot));
}

} // namespace

Json SnapshotEncoder::encode(const std::shared_ptr<const Snapshot>& snapshot)
{
    static const auto noProblems = std::make_shared<const std::vector<ProblemRow>>();
    static const auto noRows = std::make_shared<const Rows>();
    Snapshot light = *snapshot;
    light.problems = noProblems;
    light.experiments = noRows;
    light.report = nullptr;
    Json json{{"light", light}};
    if (!m_last || *m_last->problems != *snapshot->problems)
        json["problems"] = *snapshot->problems;
    if (snapshot->report && (!m_last || m_last->report != snapshot->report))
        json["report"] = *snapshot->report;
    if (!m_last || m_last->experiments != snapshot->experiments)
        json["experiments"] = changedRows(m_last ? *m_last->experiments : Rows{}, *snapshot->experiments);
    m_last = snapshot;
    return json;
}

Result<std::shared_ptr<const Snapshot>> SnapshotDecoder::decode(const Json& json)
{
    try {
        KW_TRY(m_last, combined(m_last, json));
        return m_last;
    } catch (const std::exception& wrong) {
        return Error{Message("serve.malformed").with("what", std::string(wrong.what())), {}};
    }
}

} // namespace kw
