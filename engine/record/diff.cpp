// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/diff.h"

#include "graph/json_checks.h"

namespace kw {

namespace {
constexpr std::array<std::string_view, 3> lineKindNames{"context", "removed", "added"};
}

void to_json(Json& json, const DiffRow& row)
{
    json = Json{{"kind", enumName(row.kind, lineKindNames)}, {"old", row.oldLine}, {"new", row.newLine}, {"text", row.text}};
    if (!row.marks.empty()) {
        Json& marks = json["marks"] = Json::array();
        for (const WordMark& mark : row.marks)
            marks.push_back(Json{mark.begin, mark.length});
    }
    if (row.missingNewline)
        json["missingNewline"] = true;
}

void from_json(const Json& json, DiffRow& row)
{
    row.kind = enumFrom<LineKind>(json.at("kind"), lineKindNames);
    row.oldLine = integerFrom<std::int32_t>(json.at("old"));
    row.newLine = integerFrom<std::int32_t>(json.at("new"));
    row.text = json.at("text").get<std::string>();
    row.marks.clear();
    if (const auto marks = json.find("marks"); marks != json.end()) {
        for (const Json& mark : *marks)
            row.marks.push_back({integerFrom<std::int32_t>(mark.at(0)), integerFrom<std::int32_t>(mark.at(1))});
    }
    row.missingNewline = json.value("missingNewline", false);
}

void to_json(Json& json, const Hunk& hunk)
{
    json = Json{{"oldStart", hunk.oldStart}, {"oldCount", hunk.oldCount}, {"newStart", hunk.newStart},
        {"newCount", hunk.newCount}, {"rows", hunk.rows}};
}

void from_json(const Json& json, Hunk& hunk)
{
    hunk.oldStart = integerFrom<std::int32_t>(json.at("oldStart"));
    hunk.oldCount = integerFrom<std::int32_t>(json.at("oldCount"));
    hunk.newStart = integerFrom<std::int32_t>(json.at("newStart"));
    hunk.newCount = integerFrom<std::int32_t>(json.at("newCount"));
    hunk.rows = json.at("rows").get<std::vector<DiffRow>>();
}

void to_json(Json& json, const TextDiff& diff)
{
    json = Json{{"hunks", diff.hunks}, {"added", diff.added}, {"removed", diff.removed}};
}

void from_json(const Json& json, TextDiff& diff)
{
    diff.hunks = json.at("hunks").get<std::vector<Hunk>>();
    diff.added = integerFrom<std::int32_t>(json.at("added"));
    diff.removed = integerFrom<std::int32_t>(json.at("removed"));
}

} // namespace kw
