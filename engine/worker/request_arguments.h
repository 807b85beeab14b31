// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json_io.h"
#include "judge/judge_json.h"

namespace kw {

inline Error malformedRequest(std::string what)
{
    return Error{Message("protocol.malformed").with("what", std::move(what)), {}};
}

/// The whole arguments, or a member of them, as a value. Error "protocol.malformed" (what).
template <typename Value> Result<Value> argumentsAs(const Json& arguments)
{
    auto value = fromJson<Value>(arguments);
    return value ? value : Result<Value>(malformedRequest(debugText(value.error().message)));
}
template <typename Value> Result<Value> argumentOf(const Json& arguments, const char* key)
{
    const auto found = arguments.find(key);
    if (found == arguments.end())
        return malformedRequest(std::string("the argument ").append(key).append(" is missing"));
    return argumentsAs<Value>(*found);
}

} // namespace kw
