// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/profile.h"

#include "graph/json_checks.h"

namespace kw {
namespace {

Json nodeTimeToJson(const NodeTime& time)
{
    return {{"node", time.node}, {"seconds", numberToJson(time.seconds)},
        {"allocation_seconds", numberToJson(time.allocationSeconds)}, {"bytes", numberToJson(time.bytes)},
        {"flops", numberToJson(time.flops)}};
}

NodeTime nodeTimeFrom(const Json& json)
{
    return {integerFrom<std::int32_t>(json.at("node")), numberFrom(json.at("seconds")),
        numberFrom(json.at("allocation_seconds")), numberFrom(json.at("bytes")), numberFrom(json.at("flops"))};
}

const Json& arrayAt(const Json& json, const char* key)
{
    const Json& list = json.at(key);
    if (!list.is_array())
        throw std::runtime_error("a list is expected");
    return list;
}

} // namespace

void to_json(Json& json, const Calibration& calibration)
{
    Json points = Json::array();
    for (const Calibration::Point& point : calibration.bandwidth)
        points.push_back({{"bytes", numberToJson(point.bytes)}, {"read", numberToJson(point.read)},
            {"write", numberToJson(point.write)}, {"copy", numberToJson(point.copy)}});
    json = Json{{"bandwidth", std::move(points)}, {"flops", numberToJson(calibration.flops)},
        {"last_level_cache_bytes", numberToJson(calibration.lastLevelCacheBytes)}, {"threads", calibration.threads}};
}

void from_json(const Json& json, Calibration& calibration)
{
    calibration.bandwidth.clear();
    for (const Json& entry : arrayAt(json, "bandwidth"))
        calibration.bandwidth.push_back({numberFrom(entry.at("bytes")), numberFrom(entry.at("read")),
            numberFrom(entry.at("write")), numberFrom(entry.at("copy"))});
    calibration.flops = numberFrom(json.at("flops"));
    calibration.lastLevelCacheBytes = numberFrom(json.at("last_level_cache_bytes"));
    calibration.threads = integerFrom<std::int32_t>(json.at("threads"));
}

void to_json(Json& json, const Profile& profile)
{
    Json nodes = Json::array();
    for (const NodeTime& time : profile.nodes)
        nodes.push_back(nodeTimeToJson(time));
    json = Json{{"version", 1}, {"seconds", numberToJson(profile.seconds)},
        {"default_seconds", numberToJson(profile.defaultSeconds)}, {"node_seconds", numberToJson(profile.nodeSeconds)},
        {"nodes", std::move(nodes)}, {"calibration", profile.calibration}, {"threads", profile.threads},
        {"runs", profile.runs}, {"product_seconds", numberToJson(profile.productSeconds)}};
}

void from_json(const Json& json, Profile& profile)
{
    if (integerFrom<int>(json.at("version")) != 1)
        throw std::runtime_error("unknown version of a profile");
    profile.seconds = numberFrom(json.at("seconds"));
    profile.defaultSeconds = numberFrom(json.at("default_seconds"));
    profile.nodeSeconds = numberFrom(json.at("node_seconds"));
    profile.nodes.clear();
    for (const Json& entry : arrayAt(json, "nodes"))
        profile.nodes.push_back(nodeTimeFrom(entry));
    profile.calibration = json.at("calibration").get<Calibration>();
    profile.threads = integerFrom<std::int32_t>(json.at("threads"));
    profile.runs = integerFrom<std::int32_t>(json.at("runs"));
    profile.productSeconds = numberFrom(json.at("product_seconds"));
}

void to_json(Json& json, const HotSpot& spot)
{
    json = Json{{"problem", spot.problem}, {"name", spot.name}, {"module", spot.modulePath}, {"class", spot.moduleClass},
        {"source", spot.source}, {"calls", spot.calls}, {"seconds", numberToJson(spot.seconds)},
        {"share", numberToJson(spot.share)}, {"bytes", numberToJson(spot.bytes)}, {"flops", numberToJson(spot.flops)},
        {"floor_seconds", numberToJson(spot.floorSeconds)}, {"headroom_seconds", numberToJson(spot.headroomSeconds)},
        {"allocation_seconds", numberToJson(spot.allocationSeconds)}, {"nodes", spot.nodes}};
}

void from_json(const Json& json, HotSpot& spot)
{
    spot.problem = json.at("problem").get<std::string>();
    spot.name = json.at("name").get<std::string>();
    spot.modulePath = json.at("module").get<std::string>();
    spot.moduleClass = json.at("class").get<std::string>();
    spot.source = json.at("source").get<SourceLocation>();
    spot.calls = integerFrom<std::int64_t>(json.at("calls"));
    spot.seconds = numberFrom(json.at("seconds"));
    spot.share = numberFrom(json.at("share"));
    spot.bytes = numberFrom(json.at("bytes"));
    spot.flops = numberFrom(json.at("flops"));
    spot.floorSeconds = numberFrom(json.at("floor_seconds"));
    spot.headroomSeconds = numberFrom(json.at("headroom_seconds"));
    spot.allocationSeconds = numberFrom(json.at("allocation_seconds"));
    spot.nodes = integersFrom<std::int32_t>(json.at("nodes"));
}

void to_json(Json& json, const ProfileReport& report)
{
    json = Json{{"version", 1}, {"model", report.model}, {"seconds", numberToJson(report.seconds)},
        {"predicted_seconds", numberToJson(report.predictedSeconds)}, {"hot_spots", report.hotSpots}, {"advice", report.advice}};
}

void from_json(const Json& json, ProfileReport& report)
{
    if (integerFrom<int>(json.at("version")) != 1)
        throw std::runtime_error("unknown version of a report");
    report.model = json.at("model").get<std::string>();
    report.seconds = numberFrom(json.at("seconds"));
    report.predictedSeconds = numberFrom(json.at("predicted_seconds"));
    report.hotSpots = json.at("hot_spots").get<std::vector<HotSpot>>();
    report.advice = json.at("advice").get<std::vector<Message>>();
}

} // namespace kw
