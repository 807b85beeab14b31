// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.h"
#include "sample_graphs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace kw::test {
namespace {

/// Seeded graphs, each with a random legal schedule: right against the interpreter, or refused with a reason.
void runSeeds(unsigned first, unsigned count)
{
    std::vector<std::unique_ptr<Problem>> problems;
    std::vector<Built::Entry> entries;
    unsigned refused = 0;
    for (unsigned seed = first; seed < first + count; ++seed) {
        auto problem = std::make_unique<Problem>(problemOf(randomGraph(seed)));
        const auto program = lower(*problem);
        if (!program.ok()) {
            EXPECT_TRUE(program.error().message.id.starts_with("codegen.refused.")) << seed << " " << debugText(program.error().message);
            EXPECT_EQ(program.error().message.id.find("internal"), std::string::npos) << seed << " " << program.error().detail;
            ++refused;
            continue;
        }
        std::mt19937 random(seed * 7919);
        Schedule schedule = defaultSchedule(*program);
        for (const Choice& choice : choices(*program))
            if (seed % 2 == 1)
                schedule.set(choice.name, choice.values[random() % choice.values.size()]);
        const auto candidate = emit(*program, schedule);
        ASSERT_TRUE(candidate.ok()) << seed << " " << debugText(candidate.error().message) << candidate.error().detail;
        problems.push_back(std::move(problem));
        entries.push_back({problems.back().get(), candidate->source});
    }
    EXPECT_LE(refused, count / 10) << "most graphs of this kind have to be written";
    Built built;
    ASSERT_EQ(built.build(entries, "-O1"), "");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Problem& problem = *problems[i];
        std::vector<Dense> inputs;
        for (std::size_t t = 0; t < problem.inputs.size(); ++t)
            inputs.push_back(randomDense(problem.inputs[t].dtype, concreteShape(problem.inputs[t].shape, {}), static_cast<unsigned>(31 * t + i)));
        const auto expected = interpret(problem.reference, inputs);
        const auto actual = built.run(i, problem, inputs, {});
        // floor() jumps: one step of it is not an error of the arithmetic below it.
        const bool jumps = std::any_of(problem.reference.nodes.begin(), problem.reference.nodes.end(), [](const Node& node) { return node.target == "aten::floor"; });
        for (std::size_t o = 0; o < expected.size(); ++o)
            EXPECT_LE(relativeError(actual[o], expected[o]), jumps ? 1e-3 : 2e-5) << problem.name << " output " << o << "\n" << print(problem.reference) << entries[i].source;
        if (jumps)
            continue;
        for (const Extreme kind : {Extreme::Huge, Extreme::Subnormal, Extreme::MixedScale, Extreme::NonFinite}) {
            for (std::size_t t = 0; t < problem.inputs.size(); ++t)
                inputs[t] = extremeDense(kind, problem.inputs[t].dtype, inputs[t].shape, static_cast<unsigned>(57 * t + i));
            const auto exact = interpret(problem.reference, inputs), rounded = interpret(problem.reference, inputs, true);
            const auto far = built.run(i, problem, inputs, {});
            for (std::size_t o = 0; o < exact.size(); ++o)
                EXPECT_EQ(mismatch(far[o], exact[o], rounded[o], 2e-5), "") << problem.name << " kind " << static_cast<int>(kind) << " output " << o << "\n"
                    << print(problem.reference) << entries[i].source;
        }
    }
}

Graph gaussianUnit()
{
    Graphs g("gelu");
    const ValueId x = g.input("x", {5, 301}), bias = g.input("bias", {301});
    g.output(g.unary("gelu", g.binary("add.Tensor", x, bias)));
    return g.take();
}

TEST(ModelGraphs, AGaussianUnitTakesItsOwnFunction)
{
    const Problem problem = problemOf(gaussianUnit());
    const auto program = lower(problem);
    ASSERT_TRUE(program.ok());
    const auto candidate = emit(*program, defaultSchedule(*program));
    ASSERT_TRUE(candidate.ok());
    EXPECT_NE(candidate->source.find("one_plus_erf("), std::string::npos) << candidate->source;
    Built built;
    ASSERT_EQ(built.build({{&problem, candidate->source}}), "");
    const std::vector<Dense> inputs{randomDense(DType::Float, {5, 301}, 1, 3), randomDense(DType::Float, {301}, 2)};
    EXPECT_LE(relativeError(built.run(0, problem, inputs, {})[0], interpret(problem.reference, inputs)[0]), 3e-7);
}

TEST(ModelGraphs, KeepTheirPlacesOfNotANumberAndTheirSmallestNumbers)
{
    std::vector<std::unique_ptr<Problem>> problems;
    std::vector<Built::Entry> entries;
    for (const Graph& graph : {rmsNorm(7, 203), layerNorm(6, 203), softmaxRows(9, 150, 1), softmaxRows(40, 33, 0), gatedProduct(300), gaussianUnit(), rotary(4, 6, 32),
             toneMapping(40, 60, 7, "inside"), toneMapping(40, 60, 5, "reflection"), channelNorm(2, 17, 70)}) {
        problems.push_back(std::make_unique<Problem>(problemOf(graph)));
        const auto program = lower(*problems.back());
        ASSERT_TRUE(program.ok()) << graph.name;
        const Schedule plain = defaultSchedule(*program);
        Schedule other = plain;
        for (const Choice& choice : choices(*program))
            other.set(choice.name, choice.values.back());
        for (const Schedule& schedule : {plain, other}) {
            const auto candidate = emit(*program, schedule);
            ASSERT_TRUE(candidate.ok()) << graph.name << debugText(candidate.error().message);
            entries.push_back({problems.back().get(), candidate->source});
        }
    }
    Built built;
    ASSERT_EQ(built.build(entries, "-O3"), "");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Problem& problem = *entries[i].problem;
        for (const Extreme kind : {Extreme::Huge, Extreme::Subnormal, Extreme::MixedScale, Extreme::NonFinite}) {
            std::vector<Dense> inputs;
            for (std::size_t t = 0; t < problem.inputs.size(); ++t)
                inputs.push_back(extremeDense(kind, problem.inputs[t].dtype, concreteShape(problem.inputs[t].shape, {}), static_cast<unsigned>(91 * t + i)));
            const auto exact = interpret(problem.reference, inputs), rounded = interpret(problem.reference, inputs, true);
            const auto actual = built.run(i, problem, inputs, {});
            for (std::size_t o = 0; o < exact.size(); ++o)
                EXPECT_EQ(mismatch(actual[o], exact[o], rounded[o], 1e-5), "") << problem.name << " kind " << static_cast<int>(kind) << " output " << o << "\n" << entries[i].source;
        }
    }
}

TEST(Mismatch, SeesWhatItIsThereFor)
{
    const auto dense = [](double value) { return Dense{DType::Float, {2}, {value, 1e-41}}; };
    EXPECT_EQ(mismatch(dense(1e-42), dense(1e-42), dense(1e-42), 1e-5), "");
    EXPECT_NE(mismatch(dense(0), dense(1e-42), dense(1e-42), 1e-5), "") << "flushed to zero";
    EXPECT_NE(mismatch(dense(NAN), dense(1), dense(1), 1e-5), "");
    EXPECT_NE(mismatch(dense(1), dense(NAN), dense(NAN), 1e-5), "");
    EXPECT_NE(mismatch(dense(-INFINITY), dense(INFINITY), dense(INFINITY), 1e-5), "");
    EXPECT_EQ(mismatch(dense(INFINITY), dense(1e200), dense(INFINITY), 1e-5), "");
    EXPECT_EQ(mismatch(dense(7), dense(1e20), dense(INFINITY), 1e-5), "") << "an overflow in between";
    EXPECT_NE(mismatch(dense(1.001), dense(1), dense(1), 1e-5), "");
}

TEST(RandomGraphs, Seeds0To49) { runSeeds(0, 50); }
TEST(RandomGraphs, Seeds50To99) { runSeeds(50, 50); }
TEST(RandomGraphs, Seeds100To149) { runSeeds(100, 50); }
TEST(RandomGraphs, Seeds150To199) { runSeeds(150, 50); }

} // namespace
} // namespace kw::test
