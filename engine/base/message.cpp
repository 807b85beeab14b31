// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/message.h"
#include "base/json_io.h"
#include "base/result.h"

#include <cmath>
#include <sstream>

namespace kw {

Message& Message::with(std::string name, std::string text) &
{
    arguments.emplace_back(std::move(name), std::move(text));
    return *this;
}

Message& Message::with(std::string name, const char* text) &
{
    return with(std::move(name), std::string(text));
}

Message& Message::with(std::string name, double number) &
{
    arguments.emplace_back(std::move(name), number);
    return *this;
}

Message& Message::with(std::string name, std::int64_t number) &
{
    arguments.emplace_back(std::move(name), number);
    return *this;
}

void to_json(Json& json, const Message& message)
{
    json = Json::object();
    json["id"] = message.id;
    Json arguments = Json::array();
    for (const auto& [name, value] : message.arguments) {
        Json entry = Json::array({name});
        // JSON has no NaN and no infinity: they travel as text so that nothing turns into null on the way.
        std::visit([&entry](const auto& held) {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, double>) {
                if (!std::isfinite(held)) {
                    entry.push_back(std::isnan(held) ? "nan" : held > 0 ? "inf" : "-inf");
                    return;
                }
            }
            entry.push_back(held);
        }, value);
        arguments.push_back(std::move(entry));
    }
    json["arguments"] = std::move(arguments);
}

void from_json(const Json& json, Message& message)
{
    message.id = json.at("id").get<std::string>();
    message.arguments.clear();
    for (const Json& entry : json.at("arguments")) {
        const auto name = entry.at(0).get<std::string>();
        const Json& value = entry.at(1);
        if (value.is_number_integer())
            message.with(name, value.get<std::int64_t>());
        else if (value.is_number())
            message.with(name, value.get<double>());
        else
            message.with(name, value.get<std::string>());
    }
}

void to_json(Json& json, const Error& error)
{
    json = Json{{"message", error.message}, {"detail", error.detail}};
}

void from_json(const Json& json, Error& error)
{
    error.message = json.at("message").get<Message>();
    error.detail = json.value("detail", std::string());
}

std::string debugText(const Message& message)
{
    std::ostringstream text;
    text << message.id;
    for (const auto& [name, value] : message.arguments) {
        text << ' ' << name << '=';
        std::visit([&text](const auto& held) { text << held; }, value);
    }
    return text.str();
}

} // namespace kw
