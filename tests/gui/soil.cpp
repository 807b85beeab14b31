// SPDX-License-Identifier: GPL-3.0-or-later
#include "soil.h"

#include "record/snapshot.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace kw::test {

const std::string plant = "<img src=x><script>f()</script>\x1b[31m\u202E\u200B\x07";

namespace {

/// Fields that hold free text. Those that name other records (problem, candidate, best, commit, ...) must go on matching.
constexpr std::array<std::string_view, 26> textFields{"name", "module", "module_path", "class", "file", "model", "session", "detail", "comment",
    "approver", "output", "choice", "from", "to", "source", "current_source", "cpu", "kernel", "compiler", "torch", "host", "allocation",
    "method", "text", "function", "flags"};

void soilArguments(Json& message)
{
    for (Json& argument : message.at("arguments"))
        if (argument.at(1).is_string())
            argument.at(1) = argument.at(1).get<std::string>() + plant;
    message.at("arguments").push_back(Json::array({"more", plant}));
}

void soilAll(Json& json)
{
    if (json.is_object() && json.contains("id") && json.contains("arguments")) {
        soilArguments(json);
        return;
    }
    if (json.is_object()) {
        for (auto& [key, value] : json.items()) {
            if (value.is_string() && std::find(textFields.begin(), textFields.end(), key) != textFields.end())
                value = value.get<std::string>() + plant;
            else
                soilAll(value);
        }
    } else if (json.is_array()) {
        for (Json& item : json)
            soilAll(item);
    }
}

template <typename Value> void soilValue(Value& value)
{
    Json json = value;
    soilAll(json);
    value = json.get<Value>();
}

} // namespace

void soil(Snapshot& snapshot) { soilValue(snapshot); }
void soil(Experiment& experiment) { soilValue(experiment); }

QString actingPart(const QString& text, bool rich)
{
    for (const QChar character : text) {
        const bool control = character.category() == QChar::Other_Control && character != QLatin1Char('\n') && character != QLatin1Char('\t');
        if (control || character.category() == QChar::Other_Format)
            return QStringLiteral("U+%1 in \"%2\"").arg(character.unicode(), 4, 16, QLatin1Char('0')).arg(text);
    }
    if (rich && (text.contains(QLatin1String("<img")) || text.contains(QLatin1String("<script"))))
        return QStringLiteral("markup in \"%1\"").arg(text);
    return {};
}

} // namespace kw::test
