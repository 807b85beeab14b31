// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.h"
#include "sample_graphs.h"

#include <gtest/gtest.h>

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
    }
}

TEST(RandomGraphs, Seeds0To49) { runSeeds(0, 50); }
TEST(RandomGraphs, Seeds50To99) { runSeeds(50, 50); }
TEST(RandomGraphs, Seeds100To149) { runSeeds(100, 50); }
TEST(RandomGraphs, Seeds150To199) { runSeeds(150, 50); }

} // namespace
} // namespace kw::test
