// SPDX-License-Identifier: GPL-3.0-or-later
// Every cheat that native code expresses, and honest twins, through the real compiler, sandbox, verification and timing; each
// defence alone against the plant that only it stops.
#include "base/json_io.h"
#include "planted_cases.h"

#include "support/paths.h"
#include "support/real_build.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace kw::redteam {
namespace {

constexpr auto switchedOffLayer = "seccomp"; // the only way to other CPUs

SwitchedJudge& judge()
{
    static SwitchedJudge shared;
    return shared;
}

bool expected(const std::vector<std::string>& classes, const std::string& found)
{
    return std::find(classes.begin(), classes.end(), found) != classes.end();
}

std::vector<Plant> chosen(bool isolating)
{
    std::vector<Plant> plants;
    for (const Plant& plant : table().plants)
        if ((plant.isolates || !isolating) && !plant.onlyInBench)
            plants.push_back(plant);
    return plants;
}

class Planted : public testing::TestWithParam<Plant> {};

TEST_P(Planted, EndsAsTheTableSays)
{
    const Plant& plant = GetParam();
    judge().allStanding();
    const Outcome outcome = judge().evaluate(plant);
    ASSERT_FALSE(outcome.broken) << outcome.reason;
    EXPECT_EQ(outcome.accepted, plant.accepted) << outcome.text();
    if (plant.accepted)
        return;
    EXPECT_EQ(outcome.stage, plant.stage) << outcome.text();
    EXPECT_TRUE(expected(plant.failures, outcome.failure)) << outcome.text();
    EXPECT_EQ(outcome.reason.rfind(plant.reason, 0), 0u) << outcome.text();
}

INSTANTIATE_TEST_SUITE_P(Table, Planted, testing::ValuesIn(chosen(false)), [](const auto& instance) { return instance.param.name; });

class Isolated : public testing::TestWithParam<Plant> {};

TEST_P(Isolated, OnlyItsDefenceStopsIt)
{
    const Plant& plant = GetParam();
    static SwitchedJudge withoutFilter(switchedOffLayer);
    SwitchedJudge& used = *plant.isolates == Defence::Affinity ? withoutFilter : judge();
    std::vector<Defence> standing = plant.with;
    used.onlyStanding(standing);
    // What is refused while it is built is another text for the builds that refuse less.
    const std::string unchecked = plant.stage == "build" ? "unchecked" : "";
    const Outcome without = used.evaluate(plant, unchecked);
    EXPECT_TRUE(without.accepted) << "with its defence off it does not pass: " << without.text();
    standing.push_back(*plant.isolates);
    used.onlyStanding(standing);
    const std::string variant = defenceOfFindings(*plant.isolates) ? "alone" : unchecked;
    Outcome alone = used.evaluate(plant, variant);
    // Other load hides what only a clock shows: a call that was kept waiting is not too fast, a thread without a CPU does no work.
    for (int again = 0; plant.timed && alone.accepted && again < 5; ++again)
        alone = used.evaluate(plant, variant);
    EXPECT_FALSE(alone.accepted || alone.broken) << alone.text();
    EXPECT_TRUE(expected(plant.aloneFailures, alone.failure)) << alone.text();
}

INSTANTIATE_TEST_SUITE_P(Table, Isolated, testing::ValuesIn(chosen(true)),
    [](const auto& instance) { return std::string(nameOf(*instance.param.isolates)); });

TEST(PlantedTable, NamesAPlantForEveryDefence)
{
    for (int i = 0; i < defenceCount; ++i) {
        const auto defence = static_cast<Defence>(i);
        const auto isIts = [&](const Plant& plant) { return plant.isolates == defence; };
        EXPECT_TRUE(std::any_of(table().plants.begin(), table().plants.end(), isIts)) << nameOf(defence);
    }
}

TEST(PlantedTable, AccountsForEveryEntryOfTheList)
{
    std::vector<std::string> entries{"AK-19a", "AK-19b", "AK-19c", "AK-19d", "AK-20", "AK-21a", "AK-21b", "AK-21c", "AK-21d", "AK-22",
        "AK-23", "AK-24a", "AK-24b", "AK-24c", "AK-25", "AK-26a", "AK-26b", "AK-26c", "AK-27a", "AK-27b", "RX-07a", "RX-07b", "RX-13",
        "RX-16", "RX-18", "RX-32a", "RX-32b", "RX-33", "RX-F1"};
    for (int i = 1; i <= 29; ++i)
        entries.push_back((i < 10 ? "C0" : "C") + std::to_string(i));
    for (int i = 1; i <= 8; ++i)
        entries.push_back("CA-" + std::to_string(i));
    for (const std::string& entry : entries) {
        const auto names = [&](const std::string& named) { return named == entry || named.rfind(entry + " ", 0) == 0; };
        const bool planted = std::any_of(table().plants.begin(), table().plants.end(),
            [&](const Plant& plant) { return std::any_of(plant.entries.begin(), plant.entries.end(), names); });
        const bool elsewhere = std::any_of(table().elsewhere.begin(), table().elsewhere.end(),
            [&](const Elsewhere& other) { return names(other.entry) && !other.why.empty(); });
        EXPECT_TRUE(planted || elsewhere) << entry;
    }
}

TEST(PlantedTable, TheCommittedMatrixIsOfThisTable)
{
    const auto matrix = parseJson(readFile(test::testFile("bench/results/redteam.json")).value());
    ASSERT_TRUE(matrix.ok());
    const Json& rows = matrix->at("plants");
    EXPECT_EQ(rows.size(), table().plants.size());
    EXPECT_EQ(matrix->at("columns").size(), static_cast<std::size_t>(defenceCount));
    for (const Plant& plant : table().plants) {
        ASSERT_TRUE(rows.contains(plant.name)) << plant.name;
        const Json& row = rows.at(plant.name);
        EXPECT_EQ(row.at("all") == "passes", plant.accepted) << plant.name;
        if (!plant.isolates)
            continue;
        EXPECT_EQ(row.at("none"), "passes") << plant.name;
        EXPECT_NE(row.at(std::string(nameOf(*plant.isolates))), "passes") << plant.name;
    }
}

TEST(PlantedTable, ATextUnderAnothersIdIsNotJudged)
{
    judge().allStanding();
    const Problem problem = problemNamed("relu");
    ASSERT_TRUE(judge().judge().define(problem).ok());
    Plant honest, plant;
    honest.name = "honest_relu";
    plant.name = "skips_zeros";
    Candidate swapped = test::candidateOf(problem, textOf(honest) + "// submitted\n");
    swapped.source = textOf(plant);
    const auto verdict = judge().judge().verify(swapped, {}, {}, {});
    ASSERT_FALSE(verdict.ok());
    EXPECT_EQ(verdict.error().message.id, "worker.not_this_candidate");
}

TEST(PlantedTable, NoProductContainsASwitch)
{
    const auto contains = [](const std::filesystem::path& program) {
        return readFile(executableFolder() / program).value().find("KW_DEFENCE_SWITCHES") != std::string::npos;
    };
    for (const char* program : {"kernelwright-worker", "kernelwright-runner", "kernelwright-cli"})
        EXPECT_FALSE(contains(program)) << program;
    EXPECT_TRUE(contains("switched/kernelwright-worker"));
    if (std::filesystem::exists(executableFolder() / "kernelwright")) {
        EXPECT_FALSE(contains("kernelwright"));
    }
}

} // namespace
} // namespace kw::redteam
