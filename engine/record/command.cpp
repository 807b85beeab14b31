// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/command.h"

#include "record/word_tables.h"

namespace kw {

void to_json(Json& json, const Command& command)
{
    json = Json{{"kind", nameOf(command.kind)}, {"author", command.author}, {"experiment", command.experiment},
        {"problem", command.problem}, {"text", command.text}, {"binding", command.binding}, {"hunks", command.hunks},
        {"number", words::number(command.number)}, {"supervision", nameOf(command.supervision)}};
}

void from_json(const Json& json, Command& command)
{
    command = Command{};
    command.kind = words::read<CommandKind>(json.at("kind"), words::command);
    command.author = json.at("author").get<Author>();
    command.experiment = json.contains("experiment") ? words::integer<std::int64_t>(json.at("experiment")) : 0;
    command.problem = json.value("problem", std::string());
    command.text = json.value("text", std::string());
    command.binding = json.value("binding", std::string());
    if (json.contains("hunks"))
        for (const Json& entry : json.at("hunks"))
            command.hunks.push_back(words::integer<std::int32_t>(entry));
    if (json.contains("number"))
        command.number = words::number(json.at("number"));
    if (json.contains("supervision"))
        command.supervision = words::read<Supervision>(json.at("supervision"), words::supervision);
}

} // namespace kw
