// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_io.h"

namespace kw {

Result<Json> parseJson(std::string_view text, int maxDepth)
{
    bool tooDeep = false;
    const auto limitDepth = [&](int depth, nlohmann::json::parse_event_t event, Json&) {
        if (depth >= maxDepth
            && (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start)) {
            tooDeep = true;
            return false;
        }
        return true;
    };
    try {
        Json json = Json::parse(text.begin(), text.end(), limitDepth);
        if (tooDeep)
            return Error{Message("json.malformed").with("what", "nesting is too deep"), {}};
        return json;
    } catch (const nlohmann::json::exception& exception) {
        return Error{Message("json.malformed").with("what", std::string(exception.what())), {}};
    }
}

std::string dump(const Json& json, int indent)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace kw
