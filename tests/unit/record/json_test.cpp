// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_io.h"
#include "record/command.h"
#include "record/experiment.h"
#include "record/names.h"
#include "record/snapshot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace kw {
namespace {

template <typename Value> Value roundTrip(const Value& value)
{
    const auto back = parseAs<Value>(dump(Json(value)));
    EXPECT_TRUE(back.ok()) << (back ? "" : debugText(back.error().message));
    return back ? *back : Value{};
}

Verdict fullVerdict()
{
    Verdict verdict;
    verdict.failure = FailureKind::WrongValue;
    verdict.failedStage = Stage::Shapes;
    verdict.reason = Message("verify.wrong_value").with("count", 3);
    verdict.factor = 4;
    verdict.floorUlps = 16;
    verdict.seed = std::numeric_limits<std::uint64_t>::max();
    verdict.candidate = "c";
    verdict.artifact = "a";
    verdict.unsafe = true;
    for (int stage = 0; stage < stageCount; ++stage)
        verdict.stages.push_back({static_cast<Stage>(stage), stage < 3, stage < 2, {}, 0.25});
    CaseResult result;
    result.name = Message("case.smoke").with("sizes", "d0=3");
    result.tier = CaseTier::Acceptance;
    result.failure = FailureKind::WrongValue;
    result.reason = Message("verify.wrong_value");
    result.worst = WorstElement{"y", {1, 2}, std::numeric_limits<double>::infinity(), -1.5, 0.25, 1e-300, 0};
    result.budgetUsed = 12.5;
    result.withinKernelBenchTolerance = false;
    verdict.stages[2].cases.push_back(result);
    return verdict;
}

Measurement fullMeasurement()
{
    Measurement measurement;
    measurement.b = {Subject::Kind::Candidate, "c"};
    measurement.cache = CacheState::Cold;
    measurement.dimensions = {3, 0, 1LL << 40};
    measurement.pairs = {{{{1e-6, 9e-7, 100, 2, 0.01, true}}, {{2e-6, 2e-6, 90, 0, 0, false}}, true}};
    measurement.ratio = 1.25;
    measurement.low = 0;
    measurement.high = std::numeric_limits<double>::infinity();
    measurement.outcome = Comparison::Slower;
    measurement.environment = {"cpu", "k", "g++", "2.11", "h", 2, 1, 2450.5, "kept", true};
    return measurement;
}

TEST(RecordJson, VerdictWithNonFiniteNumbersAndLargestSeed)
{
    EXPECT_EQ(roundTrip(fullVerdict()), fullVerdict());
}

TEST(RecordJson, NotANumberSurvives)
{
    WorstElement worst;
    worst.actual = std::nan("");
    const WorstElement back = roundTrip(worst);
    EXPECT_TRUE(std::isnan(back.actual));
}

TEST(RecordJson, MeasurementWithAllSamples)
{
    EXPECT_EQ(roundTrip(fullMeasurement()), fullMeasurement());
}

TEST(RecordJson, ExperimentWithAndWithoutOptionalParts)
{
    Experiment experiment;
    experiment.number = 7;
    experiment.candidate.source = "int x;\n";
    experiment.verdict = fullVerdict();
    experiment.decision = Decision::Superseded;
    EXPECT_EQ(roundTrip(experiment), experiment);
    experiment.decision = Decision::Unsure;
    experiment.note = Message("loop.note.disturbed").with("rejected", 3);
    EXPECT_EQ(roundTrip(experiment), experiment);
    experiment.screening = experiment.measurement = experiment.confirmation = experiment.total = fullMeasurement();
    experiment.approval = Approval{"Ada", AuthorKind::Person, true, "fine", "b", 1.5};
    EXPECT_EQ(roundTrip(experiment), experiment);
}

TEST(RecordJson, EveryCommandKind)
{
    for (int kind = 0; kind <= static_cast<int>(CommandKind::Shutdown); ++kind) {
        Command command;
        command.kind = static_cast<CommandKind>(kind);
        command.hunks = {0, 4};
        command.number = 90;
        command.supervision = Supervision::All;
        EXPECT_EQ(roundTrip(command), command);
    }
}

TEST(RecordJson, SnapshotKeepsListsAndReport)
{
    Snapshot snapshot;
    snapshot.state = LoopState::Deciding;
    snapshot.report = std::make_shared<const ProfileReport>(ProfileReport{"m.pt2", 1, 0.5, {}, {Message("advice")}});
    ProblemRow problem;
    problem.id = "p";
    problem.state = ProblemState::NearFloor;
    problem.refusal = Message("codegen.refused");
    snapshot.problems = std::make_shared<const std::vector<ProblemRow>>(1, problem);
    ExperimentRow row;
    row.number = 3;
    row.decision = Decision::RolledBack;
    snapshot.experiments = std::make_shared<const std::vector<ExperimentRow>>(2, row);
    snapshot.applied = AppliedSummary{1, 2, 2, 1.9, 2.1, 1.5, 1.3, 3, 4, 8, 1, true, 1e-6, 1e-5, 1.25, 1.1, 1.05, 1.15, Message("apply.no_python")};
    snapshot.error = error("import.not_a_zip");
    snapshot.approvals = {{3, "p", "c", "", "binding", 2}};
    const Snapshot back = roundTrip(snapshot);
    EXPECT_EQ(*back.problems, *snapshot.problems);
    EXPECT_EQ(*back.experiments, *snapshot.experiments);
    EXPECT_EQ(*back.report, *snapshot.report);
    EXPECT_EQ(back.applied, snapshot.applied);
    EXPECT_EQ(back.approvals, snapshot.approvals);
    EXPECT_EQ(back.error, snapshot.error);
    EXPECT_EQ(back.state, snapshot.state);
}

TEST(RecordJson, EmptySnapshotHasListsThatAreNeverNull)
{
    const Snapshot back = roundTrip(Snapshot{});
    ASSERT_TRUE(back.problems && back.experiments);
    EXPECT_FALSE(back.report);
}

TEST(RecordJson, WordsAreDistinctWithinEachEnumeration)
{
    std::set<std::string_view> words;
    for (int failure = 0; failure <= static_cast<int>(FailureKind::Harness); ++failure)
        words.insert(nameOf(static_cast<FailureKind>(failure)));
    EXPECT_EQ(words.size(), static_cast<std::size_t>(FailureKind::Harness) + 1);
    EXPECT_EQ(nameOf(FailureKind::OutOfMemory), "out_of_memory");
    EXPECT_EQ(nameOf(Stage::Timing), "timing");
    EXPECT_EQ(nameOf(CommandKind::RollBack), "roll_back");
}

TEST(RecordJson, HostileTextIsRefusedNotTrusted)
{
    EXPECT_FALSE(parseAs<Verdict>(R"({"passed":true})"));
    EXPECT_FALSE(parseAs<Verdict>("[]"));
    Json json = fullVerdict();
    json["seed"] = -1;
    EXPECT_FALSE(fromJson<Verdict>(json));
    json = fullVerdict();
    json["failure"] = "fine";
    EXPECT_FALSE(fromJson<Verdict>(json));
    Json measurement = fullMeasurement();
    measurement["pairs"][0]["a"][0][2] = 1LL << 40; // calls is a 32-bit number
    EXPECT_FALSE(fromJson<Measurement>(measurement));
    measurement["pairs"][0]["a"][0] = Json::array({1});
    EXPECT_FALSE(fromJson<Measurement>(measurement));
    EXPECT_FALSE(parseAs<Command>(R"({"kind":"format_disk","author":{"kind":"person","name":""}})"));
}

} // namespace
} // namespace kw
