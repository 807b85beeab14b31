// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/cost_model.h"
#include "harness.h"
#include "sample_graphs.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace kw::test {
namespace {

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

/// Lines that are not common to both, by the longest common subsequence.
std::size_t changedLines(const std::string& a, const std::string& b)
{
    const auto x = linesOf(a), y = linesOf(b);
    std::vector<std::vector<std::size_t>> common(x.size() + 1, std::vector<std::size_t>(y.size() + 1, 0));
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < y.size(); ++j)
            common[i + 1][j + 1] = x[i] == y[j] ? common[i][j] + 1 : std::max(common[i][j + 1], common[i + 1][j]);
    return x.size() + y.size() - 2 * common[x.size()][y.size()];
}

Program lowered(const Graph& graph, const std::map<std::int64_t, std::string>& dimensions = {})
{
    auto program = lower(problemOf(graph, dimensions));
    EXPECT_TRUE(program.ok()) << debugText(program.error().message);
    return *program;
}

TEST(Schedule, EmissionIsDeterministic)
{
    for (const Graph& graph : {rmsNorm(5, 512), toneMapping(40, 60, 7, "zero"), rotary(4, 6, 32)}) {
        const Program a = lowered(graph), b = lowered(graph);
        EXPECT_EQ(emit(a, defaultSchedule(a))->source, emit(b, defaultSchedule(b))->source);
        EXPECT_EQ(emit(a, defaultSchedule(a))->id, emit(b, defaultSchedule(b))->id);
    }
}

TEST(Schedule, AMoveOfANumberChangesOnlyItsOwnLines)
{
    for (const Graph& graph : {rmsNorm(64, 4096), gatedProduct(300000), softmaxRows(300, 150, 0), toneMapping(200, 300, 7, "zero")}) {
        const Program program = lowered(graph);
        const Schedule start = defaultSchedule(program);
        const std::string before = emit(program, start)->source;
        const std::set<std::string> light{"threads", "unroll", "accumulators", "block", "stores", "distribution", "band"};
        for (const Move& move : moves(program, start)) {
            const auto after = emit(program, applied(start, move));
            ASSERT_TRUE(after.ok()) << move.choice << move.to;
            if (light.count(move.choice) != 0) {
                EXPECT_LE(changedLines(before, after->source), 10u) << move.choice << " " << move.to;
            }
            EXPECT_FALSE(move.reason.empty());
        }
    }
}

TEST(Schedule, IllegalValuesAreRefused)
{
    const Program program = lowered(rmsNorm(5, 512));
    Schedule schedule = defaultSchedule(program);
    schedule.set("unroll", "3");
    EXPECT_EQ(emit(program, schedule).error().message.id, "codegen.schedule.illegal");
    schedule = defaultSchedule(program);
    schedule.set("tile", "512"); // no window here
    EXPECT_EQ(emit(program, schedule).error().message.id, "codegen.schedule.illegal");
    for (const Choice& choice : choices(program))
        EXPECT_GE(choice.values.size(), 2u) << choice.name;
}

TEST(Schedule, TextSurvivesTheRoundTrip)
{
    const Program program = lowered(rmsNorm(5, 512));
    const Schedule start = defaultSchedule(program);
    const auto back = parseSchedule(scheduleText(start));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(scheduleText(*back), scheduleText(start));
    EXPECT_FALSE(parseSchedule("[]").ok());
    EXPECT_FALSE(parseSchedule("{\"unroll\": 2}").ok());
    EXPECT_FALSE(parseSchedule("{").ok());
}

TEST(Schedule, FreeSizesStayParameters)
{
    const Problem problem = problemOf(layerNorm(6, 203), {{6, "d0"}, {203, "d1"}});
    const auto program = lower(problem);
    ASSERT_TRUE(program.ok());
    Schedule schedule = defaultSchedule(*program);
    Built built;
    std::vector<Built::Entry> entries;
    for (const char* sizes : {"outer", "free"}) {
        schedule.set("sizes", sizes);
        const auto candidate = emit(*program, schedule);
        ASSERT_TRUE(candidate.ok());
        entries.push_back({&problem, candidate->source});
        EXPECT_EQ(candidate->source.find("d0 =="), std::string::npos);
    }
    EXPECT_NE(entries[0].source.find("d1 == 203"), std::string::npos);
    ASSERT_EQ(built.build(entries), "");
    const std::vector<std::vector<std::int64_t>> outer{{6, 203}, {1, 203}, {33, 203}}, free{{6, 203}, {1, 1}, {9, 8}, {2, 1023}};
    for (std::size_t i = 0; i < 2; ++i)
        for (const auto& sizes : i == 0 ? outer : free) {
            const Graph resized = layerNorm(sizes[0], sizes[1]);
            std::vector<Dense> inputs;
            for (std::size_t t = 0; t < problem.inputs.size(); ++t)
                inputs.push_back(randomDense(DType::Float, concreteShape(problem.inputs[t].shape, sizes), static_cast<unsigned>(t)));
            const auto expected = interpret(resized, inputs);
            const auto actual = built.run(i, problem, inputs, sizes);
            for (std::size_t o = 0; o < expected.size(); ++o)
                EXPECT_LE(relativeError(actual[o], expected[o]), 2e-6) << sizes[0] << "x" << sizes[1];
        }
}

TEST(Schedule, WindowsServeImagesOfAnySize)
{
    const Problem problem = problemOf(toneMapping(21, 150, 7, "inside"), {{21, "d0"}, {150, "d1"}});
    const auto program = lower(problem);
    ASSERT_TRUE(program.ok());
    std::vector<Built::Entry> entries;
    for (const char* rows : {"keep", "recompute"}) {
        Schedule schedule = defaultSchedule(*program);
        schedule.set("sizes", "free");
        schedule.set("rows", rows);
        const auto candidate = emit(*program, schedule);
        ASSERT_TRUE(candidate.ok()) << debugText(candidate.error().message);
        entries.push_back({&problem, candidate->source});
    }
    Built built;
    ASSERT_EQ(built.build(entries), "");
    const std::vector<std::vector<std::int64_t>> all{{21, 150}, {1, 1}, {3, 2}, {9, 64}, {70, 33}, {131, 5}, {5, 1100}};
    for (const auto& sizes : all) {
        const Graph resized = toneMapping(sizes[0], sizes[1], 7, "inside");
        std::vector<Dense> inputs;
        for (std::size_t t = 0; t < problem.inputs.size(); ++t)
            inputs.push_back(randomDense(DType::Float, concreteShape(problem.inputs[t].shape, sizes), static_cast<unsigned>(t)));
        const auto expected = interpret(resized, inputs);
        for (std::size_t i = 0; i < entries.size(); ++i)
            EXPECT_LE(relativeError(built.run(i, problem, inputs, sizes)[0], expected[0]), 2e-5) << sizes[0] << "x" << sizes[1];
    }
}

Calibration sampleMachine()
{
    Calibration machine;
    machine.bandwidth = {{256e3, 60e9, 40e9, 50e9}, {4e6, 40e9, 25e9, 30e9}, {512e6, 16e9, 10e9, 12e9}};
    machine.flops = 100e9;
    machine.lastLevelCacheBytes = 32e6;
    machine.threads = 2;
    return machine;
}

TEST(CostModel, FollowsBytesAndArithmetic)
{
    const CostModel model(sampleMachine());
    const Program small = lowered(gatedProduct(40000)), large = lowered(gatedProduct(400000));
    const double few = model.predict(small, defaultSchedule(small)).seconds, many = model.predict(large, defaultSchedule(large)).seconds;
    EXPECT_GT(many, 8 * few * 0.8);
    EXPECT_LT(many, 14 * few);
    // Tiny work does not pay for waking threads; large work does.
    const Program tiny = lowered(gatedProduct(64));
    Schedule one = defaultSchedule(tiny);
    one.set("threads", "one");
    EXPECT_LT(model.predict(tiny, one).seconds, model.predict(tiny, defaultSchedule(tiny)).seconds);
    one = defaultSchedule(large);
    one.set("threads", "one");
    EXPECT_GT(model.predict(large, one).seconds, model.predict(large, defaultSchedule(large)).seconds);
    // Three powers per point are not computed twice when they can be kept.
    const Program tone = lowered(toneMapping(200, 300, 7, "zero"));
    Schedule keep = defaultSchedule(tone), again = keep;
    keep.set("rows", "keep");
    again.set("rows", "recompute");
    EXPECT_LT(model.predict(tone, keep).seconds, model.predict(tone, again).seconds);
}

TEST(CostModel, LearnsFromSurprises)
{
    CostModel model(sampleMachine());
    const Program program = lowered(gatedProduct(400000));
    const Schedule start = defaultSchedule(program);
    Schedule four = start;
    four.set("unroll", "4");
    const double ratio = model.predict(program, four).seconds / model.predict(program, start).seconds;
    for (int i = 0; i < 8; ++i)
        model.learn(program, start, 1.0, four, 2.0 * ratio); // always twice as slow as predicted
    const double learned = model.predict(program, four).seconds / model.predict(program, start).seconds;
    EXPECT_NEAR(learned / ratio, 2.0, 0.1);
    const auto ranked = model.rank(program, start, moves(program, start));
    ASSERT_FALSE(ranked.empty());
    EXPECT_NE(ranked.front().to + ranked.front().choice, "4unroll");
    for (std::size_t i = 1; i < ranked.size(); ++i)
        EXPECT_GE(ranked[i - 1].expectedGain, ranked[i].expectedGain);
}

} // namespace
} // namespace kw::test
