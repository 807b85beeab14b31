// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace kw {

/// Parses untrusted text. Depth is limited to `maxDepth`; never throws. Error id: "json.malformed" (what).
Result<Json> parseJson(std::string_view text, int maxDepth = 200);

/// Converts parsed, untrusted JSON to a value whose from_json may throw. Error id: "json.unexpected" (what).
template <typename Value> Result<Value> fromJson(const Json& json)
{
    try {
        return json.get<Value>();
    } catch (const nlohmann::json::exception& exception) {
        return Error{Message("json.unexpected").with("what", std::string(exception.what())), {}};
    } catch (const std::exception& exception) {
        return Error{Message("json.unexpected").with("what", std::string(exception.what())), {}};
    }
}

template <typename Value> Result<Value> parseAs(std::string_view text)
{
    auto json = parseJson(text);
    if (!json)
        return json.error();
    return fromJson<Value>(*json);
}

/// Optional members: absent and null both mean nullopt.
template <typename Value> void readOptional(const Json& json, const char* key, std::optional<Value>& value)
{
    const auto found = json.find(key);
    if (found == json.end() || found->is_null())
        value.reset();
    else
        value = found->template get<Value>();
}

template <typename Value> void writeOptional(Json& json, const char* key, const std::optional<Value>& value)
{
    if (value)
        json[key] = *value;
}

/// Compact text; invalid UTF-8 is replaced, so it never throws.
std::string dump(const Json& json, int indent = -1);

} // namespace kw
