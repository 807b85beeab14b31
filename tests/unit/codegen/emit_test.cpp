// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.h"
#include "sample_graphs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace kw::test {
namespace {

struct Case {
    Problem problem;
    std::string source;
    std::string what;
    std::vector<std::int64_t> dimensions;
    double scale = 1;
};

void add(std::vector<Case>& cases, const Problem& problem, const Schedule& schedule, const std::string& what)
{
    auto program = lower(problem);
    ASSERT_TRUE(program.ok()) << what << ": " << debugText(program.error().message) << " " << program.error().detail;
    auto candidate = emit(*program, schedule);
    ASSERT_TRUE(candidate.ok()) << what << ": " << debugText(candidate.error().message) << " " << candidate.error().detail;
    if (std::getenv("KW_SHOW_CODE"))
        std::cout << candidate->source << "\n";
    cases.push_back({problem, candidate->source, what + " " + scheduleText(schedule), capturedDimensions(problem)});
}

/// Default schedule and every schedule one move away.
void addMoves(std::vector<Case>& cases, const Problem& problem, const std::string& what)
{
    auto program = lower(problem);
    ASSERT_TRUE(program.ok()) << what << ": " << debugText(program.error().message) << " " << program.error().detail;
    const Schedule start = defaultSchedule(*program);
    add(cases, problem, start, what);
    for (const Move& move : moves(*program, start))
        add(cases, problem, applied(start, move), what);
}

void check(const std::vector<Case>& cases, double tolerance)
{
    Built built;
    std::vector<Built::Entry> entries;
    for (const Case& each : cases)
        entries.push_back({&each.problem, each.source});
    ASSERT_EQ(built.build(entries), "");
    for (std::size_t i = 0; i < cases.size(); ++i) {
        std::vector<Dense> inputs;
        for (std::size_t t = 0; t < cases[i].problem.inputs.size(); ++t)
            inputs.push_back(randomDense(cases[i].problem.inputs[t].dtype, concreteShape(cases[i].problem.inputs[t].shape, cases[i].dimensions),
                static_cast<unsigned>(t + 1), cases[i].scale));
        const auto expected = interpret(cases[i].problem.reference, inputs);
        const auto actual = built.run(i, cases[i].problem, inputs, cases[i].dimensions);
        for (std::size_t o = 0; o < expected.size(); ++o)
            EXPECT_LE(relativeError(actual[o], expected[o]), tolerance) << cases[i].what << " output " << o << "\n" << cases[i].source;
    }
}

TEST(Emit, RowReductionsUnderEverySchedule)
{
    std::vector<Case> cases;
    addMoves(cases, problemOf(rmsNorm(5, 512)), "rms_norm");
    addMoves(cases, problemOf(layerNorm(4, 203)), "layer_norm");
    addMoves(cases, problemOf(softmaxRows(7, 131, 1)), "softmax");
    add(cases, problemOf(rmsNorm(1, 1)), {}, "rms_norm");
    add(cases, problemOf(softmaxRows(3, 7, 1)), {}, "softmax");
    add(cases, problemOf(softmaxRows(2, 9000, 1)), {}, "softmax");
    check(cases, 2e-6);
}

/// The comparison itself: small mistakes of the kind that generators make are seen.
TEST(Emit, PlantedMistakesAreNoticed)
{
    const Problem problem = problemOf(layerNorm(4, 203));
    const auto program = lower(problem);
    ASSERT_TRUE(program.ok());
    const std::string right = emit(*program, {})->source;
    const std::vector<std::pair<std::string, std::string>> mistakes{{"1e-05f", "1e-03f"}, {"loop<4>(0, 203", "loop<4>(0, 202"},
        {"/ 203.0f", "/ 202.0f"}, {"load(bias + column", "load(bias + column / 2"}};
    std::vector<Built::Entry> entries;
    for (const auto& [from, to] : mistakes) {
        std::string wrong = right;
        ASSERT_NE(wrong.find(from), std::string::npos) << from << right;
        wrong.replace(wrong.find(from), from.size(), to);
        entries.push_back({&problem, wrong});
    }
    Built built;
    ASSERT_EQ(built.build(entries), "");
    std::vector<Dense> inputs;
    for (std::size_t t = 0; t < problem.inputs.size(); ++t)
        inputs.push_back(randomDense(DType::Float, concreteShape(problem.inputs[t].shape, {}), static_cast<unsigned>(t)));
    const auto expected = interpret(problem.reference, inputs);
    for (std::size_t i = 0; i < mistakes.size(); ++i) {
        const auto actual = built.run(i, problem, inputs, {});
        double worst = 0;
        for (std::size_t o = 0; o < expected.size(); ++o)
            worst = std::max(worst, relativeError(actual[o], expected[o]));
        EXPECT_GT(worst, 2e-6) << mistakes[i].first;
    }
}

/// A product that is stored, and added to something below a softmax over rows.
Graph storedProductBelowSoftmax()
{
    Graphs g("stored_product");
    const ValueId x = g.input("x", {14, 64}), w = g.input("w", {64});
    const ValueId product = g.binary("mul.Tensor", x, w);
    g.output(product);
    g.output(g.softmax(g.binary("add.Tensor", product, x), 0));
    return g.take();
}

/// No share is larger than one: the largest element minus itself is zero in whichever loop it was computed.
TEST(Emit, WhatIsComputedTwiceIsTheSameBothTimes)
{
    const Problem problem = problemOf(storedProductBelowSoftmax());
    const auto program = lower(problem);
    ASSERT_TRUE(program.ok());
    const auto candidate = emit(*program, defaultSchedule(*program));
    ASSERT_TRUE(candidate.ok());
    EXPECT_EQ(candidate->flags, "-ffp-contract=off");
    Built built;
    ASSERT_EQ(built.build({{&problem, candidate->source}}, "-O3 " + candidate->flags), "");
    const std::vector<Dense> inputs{randomDense(DType::Float, {14, 64}, 1, 30), randomDense(DType::Float, {64}, 2, 30)};
    for (const double share : built.run(0, problem, inputs, {}).at(1).values)
        EXPECT_LE(share, 1);
    EXPECT_EQ(emit(*lower(problemOf(softmaxRows(7, 131, 1))), {})->flags, "") << "nothing to be told apart";
}

Graph rowsWithGaps(std::int64_t rows)
{
    Graphs g("gaps");
    const ValueId x = g.input("x", {rows, 33}, DType::Float, {36, 1}), y = g.input("y", {rows, 33});
    g.output(g.softmax(g.binary("add.Tensor", x, y), 1));
    return g.take();
}

/// Slices of wider rows: any number of them, each as long as it was captured.
TEST(Emit, RowsWithGapsBetweenThemKeepTheirLength)
{
    const Problem problem = problemOf(rowsWithGaps(6), {{6, "d0"}, {33, "d1"}});
    const auto program = lower(problem);
    ASSERT_TRUE(program.ok()) << debugText(program.error().message);
    Schedule schedule = defaultSchedule(*program);
    schedule.set("sizes", "free");
    const auto candidate = emit(*program, schedule);
    ASSERT_TRUE(candidate.ok()) << debugText(candidate.error().message);
    EXPECT_NE(candidate->source.find("d1 == 33"), std::string::npos) << candidate->source;
    EXPECT_EQ(candidate->source.find("d0 =="), std::string::npos) << candidate->source;
    Built built;
    ASSERT_EQ(built.build({{&problem, candidate->source}}), "");
    for (const std::int64_t rows : {6, 1, 9}) {
        const std::vector<Dense> inputs{randomDense(DType::Float, {rows, 33}, 1), randomDense(DType::Float, {rows, 33}, 2)};
        EXPECT_LE(relativeError(built.run(0, problem, inputs, {rows, 33})[0], interpret(rowsWithGaps(rows), inputs)[0]), 2e-6) << rows;
    }
}

TEST(Emit, PointwiseUnderEverySchedule)
{
    std::vector<Case> cases;
    addMoves(cases, problemOf(gatedProduct(2049)), "silu_mul");
    addMoves(cases, problemOf(gatedProduct(40000)), "silu_mul");
    addMoves(cases, problemOf(rotary(4, 6, 32)), "rotary");
    add(cases, problemOf(gatedProduct(1)), {}, "silu_mul");
    check(cases, 2e-6);
}

TEST(Emit, ColumnReductionsUnderEverySchedule)
{
    std::vector<Case> cases;
    addMoves(cases, problemOf(softmaxRows(37, 150, 0)), "softmax over rows");
    addMoves(cases, problemOf(channelNorm(2, 19, 77)), "channel_norm");
    addMoves(cases, problemOf(maskedMean(3, 19, 150)), "masked_mean");
    check(cases, 2e-6);
}

TEST(Emit, WindowsUnderEverySchedule)
{
    std::vector<Case> cases;
    addMoves(cases, problemOf(toneMapping(21, 150, 7, "reflection")), "tone");
    for (const char* pad : {"zero", "inside", "replication", "reflection"})
        add(cases, problemOf(toneMapping(33, 43, 5, pad)), {}, std::string("tone ") + pad);
    check(cases, 2e-5);
}

} // namespace
} // namespace kw::test
