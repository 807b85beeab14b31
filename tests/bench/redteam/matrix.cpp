// SPDX-License-Identifier: GPL-3.0-or-later
// Every plant with every defence alone, with all and with none: redteam_matrix OUT.json
#include "planted_cases.h"

#include <nlohmann/json.hpp>

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
        row[std::string(nameOf(defence))] = cell(used.evaluate(plant, defenceOfFindings(defence) ? std::string(nameOf(defence)) : unchecked));
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

int run(const char* file)
{
    const auto begin = std::chrono::steady_clock::now();
    SwitchedJudge judge;
    SwitchedJudge withoutFilter("seccomp");
    Json result{{"command", "redteam_matrix tests/bench/results/redteam.json"}, {"environment", environmentOf(judge.judge())},
        {"columns", columns()}, {"plants", Json::object()}};
    for (const Plant& plant : table().plants) {
        result["plants"][plant.name] = rowOf(plant, judge, withoutFilter);
        std::printf("%s\n", plant.name.c_str());
        std::fflush(stdout);
        result["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        std::ofstream(file) << result.dump(1) << "\n";
    }
    return 0;
}

} // namespace
} // namespace kw::redteam

int main(int count, char** arguments) { return count == 2 ? kw::redteam::run(arguments[1]) : 2; }
