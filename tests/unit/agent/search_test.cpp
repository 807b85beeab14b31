// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/search.h"

#include "codegen/emit.h"
#include "graph/builder.h"
#include "support/fake_toolbox.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace kw {
namespace {

/// y = weight * x * rsqrt(mean(x^2) + eps) over rows of 512.
Problem normProblem()
{
    GraphBuilder g("norm");
    const ValueId x = g.input("x", DType::Float, {256, 512}), weight = g.input("weight", DType::Float, {512});
    const ValueId square = g.call("aten::mul.Tensor", {{"self", ValueRef{x}}, {"other", ValueRef{x}}}, DType::Float, {256, 512}, "square");
    const ValueId mean = g.call("aten::mean.dim", {{"self", ValueRef{square}}, {"dim", intList({1})}, {"keepdim", true}}, DType::Float, {256, 1}, "mean");
    const ValueId shifted = g.call("aten::add.Tensor", {{"self", ValueRef{mean}}, {"other", 1e-6}}, DType::Float, {256, 1}, "shifted");
    const ValueId scale = g.call("aten::rsqrt", {{"self", ValueRef{shifted}}}, DType::Float, {256, 1}, "scale");
    const ValueId scaled = g.call("aten::mul.Tensor", {{"self", ValueRef{x}}, {"other", ValueRef{scale}}}, DType::Float, {256, 512}, "scaled");
    g.output(g.call("aten::mul.Tensor", {{"self", ValueRef{scaled}}, {"other", ValueRef{weight}}}, DType::Float, {256, 512}, "y"));
    Problem problem;
    problem.id = "norm";
    problem.name = "norm";
    problem.reference = g.take();
    const auto argument = [&](const char* name, std::vector<Size> shape, std::vector<std::int64_t> strides) {
        TensorArgument tensor;
        tensor.name = name;
        tensor.shape = std::move(shape);
        tensor.strides = std::move(strides);
        return tensor;
    };
    problem.dimensions = {{"d0", 256, true}};
    problem.inputs = {argument("x", {{0, 0}, {512, -1}}, {512, 1}), argument("weight", {{512, -1}}, {1})};
    problem.outputs = {argument("y", {{0, 0}, {512, -1}}, {512, 1})};
    problem.shapes = {{{256}, 1}};
    return problem;
}

/// A machine whose preferences the cost model does not know: the best schedule has unroll 4, eight accumulators, one thread.
double simulatedSeconds(const Schedule& schedule)
{
    double seconds = 1e-4;
    seconds *= schedule["unroll"] == "4" ? 0.8 : schedule["unroll"] == "2" ? 0.9 : 1.0;
    seconds *= schedule["accumulators"] == "8" ? 0.7 : 1.0;
    seconds *= schedule["threads"] == "one" ? 0.85 : 1.0;
    seconds *= schedule["stores"] == "streaming" ? 1.8 : 1.0;
    return seconds;
}

class Simulation {
public:
    Simulation()
    {
        toolbox.subject = normProblem();
        toolbox.measured.threads = 2;
    }

    std::optional<Candidate> ask(SearchAgent& agent)
    {
        agent.propose(toolbox, toolbox.subject.id);
        return toolbox.take();
    }
    Experiment experiment(const Candidate& candidate, bool passed)
    {
        Experiment result;
        result.number = static_cast<std::int64_t>(toolbox.experiments.size()) + 1;
        result.problem = toolbox.subject.id;
        result.candidate = candidate;
        result.verdict.passed = passed;
        result.verdict.failure = passed ? FailureKind::None : FailureKind::WrongValue;
        if (!passed)
            return result;
        const double seconds = simulatedSeconds(*parseSchedule(candidate.schedule));
        Measurement measurement;
        measurement.b = {Subject::Kind::Candidate, candidate.id};
        if (toolbox.leading)
            measurement.a = {Subject::Kind::Candidate, *toolbox.leading};
        measurement.secondsA = toolbox.leading ? m_best : 2e-4;
        measurement.secondsB = seconds;
        measurement.ratio = measurement.secondsA / seconds;
        result.measurement = measurement;
        if (measurement.ratio > 1.01) {
            toolbox.leading = candidate.id;
            m_best = seconds;
            result.decision = Decision::Kept;
        }
        return result;
    }
    double best() const { return m_best; }

    test::FakeToolbox toolbox;

private:
    double m_best = 0;
};

TEST(SearchAgent, FindsWhatTheModelDoesNotKnow)
{
    Simulation simulation;
    SearchAgent agent;
    std::set<std::string> seen;
    int count = 0;
    for (; count < 40; ++count) {
        const auto candidate = simulation.ask(agent);
        if (!candidate)
            break;
        EXPECT_TRUE(seen.insert(candidate->source).second) << "the same source twice";
        EXPECT_EQ(candidate->id, candidateId(*candidate));
        EXPECT_FALSE(candidate->hypothesis.empty());
        EXPECT_GT(candidate->predictedSeconds, 0);
        EXPECT_EQ(candidate->author.kind, AuthorKind::Search);
        if (count > 2) {
            EXPECT_TRUE(candidate->parent.has_value());
        }
        simulation.toolbox.experiments.push_back(simulation.experiment(*candidate, true));
    }
    EXPECT_NEAR(simulation.best(), 1e-4 * 0.8 * 0.7 * 0.85, 1e-9) << "after " << count;
}

TEST(SearchAgent, IsDeterministicAndResumes)
{
    Simulation first, second;
    SearchAgent lasting;
    for (int i = 0; i < 12; ++i) {
        const auto a = first.ask(lasting);
        SearchAgent fresh; // as after a restart: knows nothing but the experiments
        const auto b = second.ask(fresh);
        ASSERT_TRUE(a && b);
        EXPECT_EQ(a->source, b->source) << i;
        EXPECT_EQ(a->parent, b->parent) << i;
        first.toolbox.experiments.push_back(first.experiment(*a, true));
        second.toolbox.experiments.push_back(second.experiment(*b, true));
    }
}

TEST(SearchAgent, LeavesWaitingCandidatesAlone)
{
    Simulation simulation;
    SearchAgent agent;
    std::set<std::string> seen;
    for (int i = 0; i < 2; ++i) {
        const auto candidate = simulation.ask(agent);
        ASSERT_TRUE(candidate);
        EXPECT_TRUE(seen.insert(candidate->id).second);
        simulation.toolbox.queue.push_back(candidate->id);
    }
}

TEST(SearchAgent, DoesNotRepeatAChangeThatMadeAKernelWrong)
{
    Simulation simulation;
    SearchAgent agent;
    int streaming = 0;
    for (int i = 0; i < 40; ++i) {
        const auto candidate = simulation.ask(agent);
        if (!candidate)
            break;
        const bool wrong = (*parseSchedule(candidate->schedule))["accumulators"] == "1";
        streaming += wrong;
        simulation.toolbox.experiments.push_back(simulation.experiment(*candidate, !wrong));
    }
    EXPECT_LE(streaming, 2);
}

TEST(SearchAgent, EndsWithAReason)
{
    Simulation simulation;
    SearchAgent agent;
    int count = 0;
    while (count < 5000) {
        const auto candidate = simulation.ask(agent);
        if (!candidate)
            break;
        ++count;
        auto experiment = simulation.experiment(*candidate, true);
        experiment.candidate.source.clear();
        simulation.toolbox.experiments.push_back(experiment);
    }
    EXPECT_GT(count, 10);
    EXPECT_EQ(agent.lastReason().id, "agent.exhausted");
    test::FakeToolbox broken;
    broken.subject = normProblem();
    broken.subject.reference.nodes[1].target = "aten::sort";
    SearchAgent other;
    other.propose(broken, broken.subject.id);
    EXPECT_FALSE(broken.take());
    EXPECT_FALSE(other.lastReason().empty());
}

TEST(SearchAgent, LearnsNothingFromAnOpenExperiment)
{
    Simulation disturbed, missing;
    SearchAgent first, second;
    const auto candidate = disturbed.ask(first);
    ASSERT_TRUE(candidate);
    Experiment open = disturbed.experiment(*candidate, true);
    open.decision = Decision::Unsure;
    open.measurement->ratio = 100;
    disturbed.toolbox.experiments.push_back(open);
    missing.toolbox.queue.push_back(candidate->id);
    disturbed.toolbox.leading = missing.toolbox.leading = std::nullopt;
    const auto a = disturbed.ask(first), b = missing.ask(second);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->source, b->source);
    EXPECT_EQ(a->parent, b->parent);
}

} // namespace
} // namespace kw
