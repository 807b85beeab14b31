// SPDX-License-Identifier: GPL-3.0-or-later
#include "planted_cases.h"

#include "record/names.h"
#include "record/timing_failure.h"
#include "support/kernel_problems.h"
#include "support/paths.h"
#include "support/real_build.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace kw::redteam {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t rows = 24, columns = 40;

Problem reluProblem(const std::string& name, std::int64_t height, std::int64_t width)
{
    test::ProblemDrawing draw(name, {{"d0", height}, {"d1", width}});
    const ValueId x = draw.input("x", {0, 1});
    const ValueId y = draw.node("aten::relu", {test::argument("self", ValueRef{x})}, {0, 1});
    draw.output("y", y, {0, 1});
    return draw.done();
}

Defence defenceNamed(const std::string& name)
{
    for (int i = 0; i < defenceCount; ++i)
        if (nameOf(static_cast<Defence>(i)) == name)
            return static_cast<Defence>(i);
    throw std::runtime_error("no such defence: " + name);
}

Plant plantFrom(const Json& json)
{
    Plant plant;
    plant.name = json.at("name");
    plant.problem = json.at("problem");
    plant.about = json.value("about", "");
    plant.entries = json.at("entries").get<std::vector<std::string>>();
    plant.accepted = json.at("accepted");
    plant.timed = json.value("timed", false);
    plant.onlyInBench = json.value("bench", false);
    if (!plant.accepted) {
        plant.stage = json.at("stage");
        plant.reason = json.at("reason");
        plant.failures = json.at("failures").get<std::vector<std::string>>();
    }
    if (json.contains("isolates")) {
        plant.isolates = defenceNamed(json.at("isolates"));
        for (const Json& name : json.value("with", Json::array()))
            plant.with.push_back(defenceNamed(name));
        plant.aloneFailures = json.at("alone_failures").get<std::vector<std::string>>();
    }
    return plant;
}

Table readTable()
{
    const Json json = Json::parse(readFile(test::testFile("redteam/planted/table.json")).value());
    Table result;
    for (const Json& entry : json.at("plants"))
        result.plants.push_back(plantFrom(entry));
    for (const auto& [entry, why] : json.at("elsewhere").items())
        result.elsewhere.push_back({entry, why});
    return result;
}

Outcome outcomeOf(const Verdict& verdict)
{
    return {verdict.passed, false, std::string(nameOf(verdict.failedStage)), std::string(nameOf(verdict.failure)),
        debugText(verdict.reason)};
}

Outcome brokenBy(const Error& error)
{
    return {false, true, "", "", debugText(error.message) + " " + error.detail};
}

} // namespace

const Table& table()
{
    static const Table read = readTable();
    return read;
}

Problem problemNamed(const std::string& name)
{
    if (name == "relu")
        return reluProblem(name, rows, columns);
    if (name == "relu_large")
        return reluProblem(name, 256, 1024);
    if (name == "softmax")
        return test::softmaxProblem(rows, columns);
    if (name == "rms_norm")
        return test::rmsNormProblem(rows, columns);
    throw std::runtime_error("no such problem: " + name);
}

std::string textOf(const Plant& plant)
{
    return readFile(test::testFile("redteam/planted/" + plant.name + ".cpp")).value();
}

bool defenceOfFindings(Defence defence) { return defence <= Defence::Instructions; }

SwitchedJudge::SwitchedJudge(const std::string& without) : m_switches((m_folder.path() / "switches").string())
{
    allStanding();
    ::setenv("KW_DEFENCE_SWITCHES", m_switches.c_str(), 1);
    without.empty() ? ::unsetenv("KW_SANDBOX_WITHOUT") : ::setenv("KW_SANDBOX_WITHOUT", without.c_str(), 1);
    WorkerOptions options;
    options.worker = executableFolder() / "switched/kernelwright-worker";
    options.unsafe = !without.empty();
    m_judge = std::make_unique<WorkerJudge>(options);
    if (const auto info = m_judge->info(); !info)
        throw std::runtime_error(debugText(info.error().message) + " " + info.error().detail);
}

void SwitchedJudge::onlyStanding(const std::vector<Defence>& defences)
{
    std::string bytes(defenceCount, '\0');
    for (const Defence defence : defences)
        bytes[static_cast<std::size_t>(defence)] = 1;
    // In place: the worker has the file mapped.
    std::ofstream file(m_switches, std::filesystem::exists(m_switches) ? std::ios::in | std::ios::out : std::ios::out);
    if (!(file << bytes).flush())
        throw std::runtime_error("the switches cannot be written");
}

void SwitchedJudge::allStanding()
{
    std::vector<Defence> all;
    for (int i = 0; i < defenceCount; ++i)
        all.push_back(static_cast<Defence>(i));
    onlyStanding(all);
}

Outcome SwitchedJudge::evaluate(const Plant& plant, const std::string& variant)
{
    const Problem problem = problemNamed(plant.problem);
    if (const auto defined = m_judge->define(problem); !defined)
        return brokenBy(defined.error());
    const Candidate candidate = test::candidateOf(problem, textOf(plant) + (variant.empty() ? "" : "// " + variant + "\n"));
    auto verdict = m_judge->verify(candidate, {}, {}, {});
    if (!verdict)
        return brokenBy(verdict.error());
    if (!verdict->passed || !plant.timed)
        return outcomeOf(*verdict);
    MeasureRequest request;
    request.problem = problem.id;
    request.b = {Subject::Kind::Candidate, candidate.id};
    request.pairs = 1;
    request.blocks = 3;
    const auto measured = m_judge->measure(request, {});
    if (measured)
        return outcomeOf(*verdict);
    const auto failure = timingFailure(measured.error());
    if (!failure)
        return brokenBy(measured.error());
    failTiming(*verdict, *failure);
    return outcomeOf(*verdict);
}

} // namespace kw::redteam
