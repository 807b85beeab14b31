// SPDX-License-Identifier: GPL-3.0-or-later
// Every plant with every defence alone, with all and with none: redteam_matrix OUT.json [PLANT ...]
// With names only those rows are made again, in the file that is there.
#include "planted_cases.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>

namespace kw::redteam {
namespace {

using Json = nlohmann::ordered_json;

/// What a defence of the kind "look here too" sees with: the comparison. It stands beside such a defence in its column.
std::vector<Defence> beside(Defence defence)
{
    for (const Plant& plant : table().plants)
        if (plant.isolates == defence)
            return plant.with;
    return {};
}

std::string cell(const Outcome& outcome)
{
    if (outcome.broken)
        return "error: " + outcome.reason;
    return outcome.accepted ? "passes" : outcome.stage + ": " + outcome.failure;
}

Json rowOf(const Plant& plant, SwitchedJudge& judge, SwitchedJudge& withoutFilter)
{
    SwitchedJudge& used = plant.isolates == Defence::Affinity ? withoutFilter : judge;
    Json row;
    used.allStanding();
    row["all"] = cell(used.evaluate(plant));
    if (plant.name == "endless")
        return row; // with its watchdog off nothing would come back
    const std::string unchecked = plant.stage == "build" ? "unchecked" : "";
    used.onlyStanding({});
    row["none"] = cell(used.evaluate(plant, unchecked));
    for (int i = 0; i < defenceCount; ++i) {
        const auto defence = static_cast<Defence>(i);
        std::vector<Defence> standing = beside(defence);
        standing.push_back(defence);
        used.onlyStanding(standing);
        const std::string name(nameOf(defence));
        row[name] = cell(used.evaluate(plant, defenceOfFindings(defence) ? name : unchecked));
    }
    return row;
}

Json columns()
{
    Json names;
    for (int i = 0; i < defenceCount; ++i) {
        const auto defence = static_cast<Defence>(i);
        Json with = Json::array();
        for (const Defence other : beside(defence))
            with.push_back(nameOf(other));
        names[std::string(nameOf(defence))] = with;
    }
    return names;
}

Json environmentOf(Judge& judge)
{
    const auto seen = judge.environment();
    return seen ? Json{{"cpu", seen->cpu}, {"compiler", seen->compiler}} : Json();
}

Json begun(const std::string& file, bool again, Judge& judge)
{
    if (again)
        return Json::parse(readFile(file).value());
    return {{"command", "redteam_matrix tests/bench/results/redteam.json"}, {"environment", environmentOf(judge)}, {"columns", columns()},
        {"plants", Json::object()}};
}

int run(const std::string& file, const std::vector<std::string>& names)
{
    const auto begin = std::chrono::steady_clock::now();
    SwitchedJudge judge;
    SwitchedJudge withoutFilter("seccomp");
    Json result = begun(file, !names.empty(), judge.judge());
    for (const Plant& plant : table().plants) {
        if (!names.empty() && std::find(names.begin(), names.end(), plant.name) == names.end())
            continue;
        result["plants"][plant.name] = rowOf(plant, judge, withoutFilter);
        std::printf("%s\n", plant.name.c_str());
        std::fflush(stdout);
        if (names.empty())
            result["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        std::ofstream(file) << result.dump(1) << "\n";
    }
    return 0;
}

} // namespace
} // namespace kw::redteam

int main(int count, char** arguments) { return count > 1 ? kw::redteam::run(arguments[1], {arguments + 2, arguments + count}) : 2; }
