// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "graph/graph.h"

#include <string>
#include <vector>

namespace kw {

/// Time of one node of the model graph, per run of the model.
struct NodeTime {
    std::int32_t node = 0;                ///< index into Graph::nodes
    double seconds = 0;                   ///< median, kept memory
    double allocationSeconds = 0;         ///< median with the process' default allocator minus kept memory, >= 0
    double bytes = 0;                     ///< inputs + outputs, each once
    double flops = 0;
    friend bool operator==(const NodeTime&, const NodeTime&) = default;
};

/// What this machine can do, measured in this session with the threads that kernels get.
struct Calibration {
    struct Point {
        double bytes = 0;                 ///< working set
        double read = 0, write = 0, copy = 0; ///< bytes per second
        friend bool operator==(const Point&, const Point&) = default;
    };
    std::vector<Point> bandwidth;         ///< ascending working sets, from inside the L2 cache to far beyond the last level
    double flops = 0;                     ///< fp32 multiply-add rate, FLOP per second
    double lastLevelCacheBytes = 0;
    std::int32_t threads = 0;
    friend bool operator==(const Calibration&, const Calibration&) = default;
};
/// Bandwidth at a working set by interpolation over the logarithm of the size.
double copyBandwidth(const Calibration& calibration, double bytes);
double readBandwidth(const Calibration& calibration, double bytes);

/// Where the time of one model goes.
struct Profile {
    double seconds = 0;                   ///< whole model, median, the worker's executor, kept memory
    double defaultSeconds = 0;            ///< the same with the default allocator: the difference goes into page faults
    double nodeSeconds = 0;               ///< sum over nodes
    std::vector<NodeTime> nodes;
    Calibration calibration;
    std::int32_t threads = 0, runs = 0;
    double productSeconds = 0;            ///< matrix products, convolutions and attention
    friend bool operator==(const Profile&, const Profile&) = default;
};

/// A region as the table and the treemap show it: identical regions are one row.
struct HotSpot {
    std::string problem;                  ///< Problem::id; empty for what no kernel program covers (products, opaque nodes)
    std::string name;
    std::string modulePath;               ///< common prefix of the call sites
    std::string moduleClass;
    SourceLocation source;
    std::int64_t calls = 0;
    double seconds = 0;                   ///< all calls, per run of the model
    double share = 0;                     ///< of the model's time
    double bytes = 0, flops = 0;          ///< all calls
    double floorSeconds = 0;              ///< all calls
    double headroomSeconds = 0;           ///< predicted saving, all calls
    double allocationSeconds = 0;
    std::vector<std::int32_t> nodes;
    friend bool operator==(const HotSpot&, const HotSpot&) = default;
};

/// What profile says before anything is optimised.
struct ProfileReport {
    std::string model;
    double seconds = 0;                   ///< the model, kept memory
    double predictedSeconds = 0;          ///< after all predicted savings
    std::vector<HotSpot> hotSpots;        ///< by headroomSeconds, then seconds, descending
    std::vector<Message> advice;          ///< "your process loses 21 % to page faults" first when it is so
    friend bool operator==(const ProfileReport&, const ProfileReport&) = default;
};

void to_json(Json& json, const Calibration& calibration);
void from_json(const Json& json, Calibration& calibration);
void to_json(Json& json, const Profile& profile);
void from_json(const Json& json, Profile& profile);
void to_json(Json& json, const HotSpot& spot);
void from_json(const Json& json, HotSpot& spot);
void to_json(Json& json, const ProfileReport& report);
void from_json(const Json& json, ProfileReport& report);

} // namespace kw
