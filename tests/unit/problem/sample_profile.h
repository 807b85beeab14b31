// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/profile.h"
#include "problem/roofline.h"

namespace kw::test {

/// A machine of two cores: 30 GB/s from memory, 120 GB/s from cache, 150 GFLOP/s.
inline Calibration sampleCalibration()
{
    Calibration calibration;
    calibration.bandwidth = {{64e3, 150e9, 100e9, 120e9}, {4e6, 60e9, 30e9, 45e9}, {256e6, 40e9, 20e9, 30e9}};
    calibration.flops = 150e9;
    calibration.lastLevelCacheBytes = 32e6;
    calibration.threads = 2;
    return calibration;
}

/// Every node takes 4 us and the time of its bytes at 5 GB/s, as a library that allocates each result would.
inline Profile sampleProfile(const Graph& graph)
{
    Profile profile;
    profile.calibration = sampleCalibration();
    for (std::int32_t index = 0; index < std::ssize(graph.nodes); ++index) {
        const Node& node = graph.nodes[static_cast<std::size_t>(index)];
        double bytes = 0;
        for (const auto& ids : {readValues(node), writtenValues(node)})
            for (const ValueId id : ids)
                bytes += distinctBytes(*graph.values[static_cast<std::size_t>(id)].type);
        profile.nodes.push_back({index, 4e-6 + bytes / 5e9, 0, bytes, 0});
        profile.nodeSeconds += profile.nodes.back().seconds;
    }
    profile.seconds = profile.nodeSeconds;
    return profile;
}

} // namespace kw::test
