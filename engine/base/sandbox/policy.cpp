// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sandbox/policy.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace kw {

bool SandboxReport::active(const std::string& layer) const
{
    return std::any_of(layers.begin(), layers.end(), [&](const SandboxLayer& one) { return one.name == layer && one.active; });
}

bool SandboxReport::minimum() const
{
    return active("seccomp") && (active("landlock") || active("mount_namespace"));
}

void to_json(Json& json, const SandboxReport& report)
{
    Json layers = Json::array();
    for (const SandboxLayer& layer : report.layers)
        layers.push_back({{"name", layer.name}, {"active", layer.active}, {"reason", layer.reason}});
    json = {{"layers", layers}, {"landlock", report.landlockVersion}};
}

void from_json(const Json& json, SandboxReport& report)
{
    report = {};
    json.at("landlock").get_to(report.landlockVersion);
    for (const Json& layer : json.at("layers"))
        report.layers.push_back({layer.at("name"), layer.at("active"), layer.at("reason")});
}

} // namespace kw
