// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/request.h"

#include "base/json_io.h"

namespace kw {

namespace {

Error malformed(const char* what)
{
    return Error{Message("serve.malformed").with("what", what), {}};
}

Result<std::string> textOf(const Json& arguments, const char* name)
{
    const auto found = arguments.find(name);
    if (found == arguments.end() || !found->is_string())
        return malformed("an argument is missing");
    return found->get<std::string>();
}

template <typename Value> Result<Json> jsonOf(Result<Value> value)
{
    if (!value)
        return value.error();
    return Json(value.value());
}

Result<Json> answer(const std::string& method, const Json& arguments, SessionReader& reader,
    const std::function<Result<void>(const Command&)>& send)
{
    if (method == "send") {
        KW_TRY(const Command command, fromJson<Command>(arguments.value("command", Json())));
        KW_CHECK(send(command));
        return Json(true);
    }
    if (method == "experiment") {
        const Json number = arguments.value("number", Json());
        if (!number.is_number_integer())
            return malformed("an argument is missing");
        return jsonOf(reader.experiment(number.get<std::int64_t>()));
    }
    if (method == "problem") {
        KW_TRY(const std::string id, textOf(arguments, "problem"));
        return jsonOf(reader.problem(id));
    }
    if (method == "candidate") {
        KW_TRY(const std::string id, textOf(arguments, "candidate"));
        return jsonOf(reader.candidate(id));
    }
    if (method == "difference") {
        KW_TRY(const std::string from, textOf(arguments, "from"));
        KW_TRY(const std::string to, textOf(arguments, "to"));
        return jsonOf(reader.difference(from, to));
    }
    return malformed("an unknown method");
}

} // namespace

Json answerRequest(const Json& request, SessionReader& reader, const std::function<Result<void>(const Command&)>& send)
{
    Json reply{{"id", 0}};
    Result<Json> result = malformed("not a request");
    if (request.is_object() && request.contains("id") && request["id"].is_number_integer() && request.contains("method")
        && request["method"].is_string()) {
        reply["id"] = request["id"];
        Json arguments = request.value("arguments", Json::object());
        if (!arguments.is_object())
            arguments = Json::object();
        result = answer(request["method"].get<std::string>(), arguments, reader, send);
    }
    if (result)
        reply["result"] = *std::move(result);
    else
        reply["error"] = result.error();
    return reply;
}

} // namespace kw
