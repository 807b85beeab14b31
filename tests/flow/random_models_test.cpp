// SPDX-License-Identifier: GPL-3.0-or-later
// 200 seeded random graphs of pointwise operators and reductions from the model file to the export and back into Python. The judge,
// the agent, and the exported folder are the product's own; only the search is left out: the agent's first candidate is taken.
#include "judge/worker_judge.h"

#include "agent/search.h"
#include "base/file.h"
#include "base/json_io.h"
#include "base/subprocess.h"
#include "codegen/program.h"
#include "problem/regions.h"
#include "record/names.h"
#include "session/export_session.h"
#include "support/fake_toolbox.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>
#include <map>
#include <set>

namespace kw {
namespace {

namespace fs = std::filesystem;

// Those of support/random_models.py.
constexpr int models = 5;
constexpr std::size_t graphsInAModel = 40;

/// Adds the time that passes to a named sum.
class Clocked {
public:
    explicit Clocked(double& sum) : m_sum(sum) {}
    ~Clocked() { m_sum += std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }
    Clocked(const Clocked&) = delete;
    Clocked& operator=(const Clocked&) = delete;

private:
    double& m_sum;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

std::string text(const Error& error) { return debugText(error.message) + " " + error.detail; }

std::string text(const Verdict& verdict)
{
    std::string all = std::string(nameOf(verdict.failedStage)) + " " + std::string(nameOf(verdict.failure)) + " " + debugText(verdict.reason);
    for (const StageResult& stage : verdict.stages)
        for (const CaseResult& result : stage.cases)
            if (!result.passed)
                all += "\n" + debugText(result.name) + (result.worst ? " " + dump(Json(*result.worst)) : "");
    return all;
}

/// "pieces.7" of "pieces.7.norms.0": the graph that a node belongs to.
std::string graphOf(const Node& node)
{
    const std::size_t first = node.modulePath.find('.');
    return first == std::string::npos ? std::string() : node.modulePath.substr(0, node.modulePath.find('.', first + 1));
}

/// What happened to the graphs of a model, and where the time went.
struct Tally {
    std::size_t graphs = 0, problems = 0, kernels = 0, sites = 0, whole = 0;
    std::map<std::string, std::size_t> refusedGraphs, refusedNodes; ///< by message id
    std::map<std::string, double> seconds;
};

void print(const Tally& tally)
{
    std::cout << tally.graphs << " graphs, " << tally.whole << " of them from their first view to their last, " << tally.problems << " problems, " << tally.kernels
              << " kernels at " << tally.sites << " places\n";
    for (const auto& [id, count] : tally.refusedGraphs)
        std::cout << "  graphs without a kernel: " << count << " " << id << "\n";
    for (const auto& [id, count] : tally.refusedNodes)
        std::cout << "  operators left alone: " << count << " " << id << "\n";
    for (const auto& [what, seconds] : tally.seconds)
        std::cout << "  " << what << " " << seconds << " s\n";
}

/// One model's way from its file to its export folder.
class Journey {
public:
    Journey(Judge& judge, Tally& tally, fs::path model) : m_judge(judge), m_tally(tally), m_model(std::move(model)) {}

    void run(const fs::path& applied, const fs::path& exported)
    {
        ASSERT_NO_FATAL_FAILURE(look());
        for (const Problem& problem : m_partition.problems)
            ASSERT_NO_FATAL_FAILURE(solve(problem));
        account();
        ASSERT_NO_FATAL_FAILURE(apply(applied));
        const Clocked clock(m_tally.seconds["export"]);
        writeFolder(exported);
    }

private:
    void look()
    {
        {
            const Clocked clock(m_tally.seconds["load"]);
            auto loaded = m_judge.load(m_model, {}, nullptr);
            ASSERT_TRUE(loaded) << text(loaded.error());
            m_loaded = *std::move(loaded);
        }
        ProfileOptions shortest;
        shortest.seconds = 0.01;
        {
            const Clocked clock(m_tally.seconds["profile"]);
            auto profile = m_judge.profile(shortest, {}, nullptr);
            ASSERT_TRUE(profile) << text(profile.error());
            m_profile = *std::move(profile);
        }
        const Clocked clock(m_tally.seconds["regions"]);
        m_options.statistics = m_loaded.statistics;
        m_options.accepts = [](const Problem& problem) { return lower(problem).ok(); };
        // Every region becomes a problem, whether or not it pays.
        m_options.minimumSaving = m_options.minimumShare = -std::numeric_limits<double>::infinity();
        auto partition = findRegions(m_loaded.graph, m_profile, m_options);
        ASSERT_TRUE(partition) << text(partition.error());
        m_partition = *std::move(partition);
        m_tally.problems += m_partition.problems.size();
    }

    void solve(const Problem& problem)
    {
        test::FakeToolbox toolbox;
        toolbox.subject = problem;
        toolbox.measured = m_profile.calibration;
        SearchAgent agent;
        {
            const Clocked clock(m_tally.seconds["propose"]);
            agent.propose(toolbox, problem.id);
        }
        const auto candidate = toolbox.take();
        if (!candidate) {
            EXPECT_TRUE(agent.lastReason().id.starts_with("codegen.refused.")) << problem.name << " " << debugText(agent.lastReason());
            m_refused[problem.id] = agent.lastReason().id;
            return;
        }
        const auto defined = m_judge.define(problem);
        ASSERT_TRUE(defined) << text(defined.error());
        const Clocked clock(m_tally.seconds["verify"]);
        const auto verdict = m_judge.verify(*candidate, {}, {}, nullptr);
        ASSERT_TRUE(verdict) << problem.name << " " << text(verdict.error());
        for (const StageResult& stage : verdict->stages) {
            m_tally.seconds["verify, " + std::string(nameOf(stage.stage))] += stage.seconds;
            EXPECT_TRUE(stage.run || stage.stage == Stage::Timing || !verdict->passed) << problem.name << " " << nameOf(stage.stage);
        }
        EXPECT_TRUE(verdict->passed) << m_model << " " << problem.name << " " << text(*verdict) << " seed " << verdict->seed << "\n"
                                     << print(problem.reference) << candidate->source;
        if (!verdict->passed) {
            m_refused[problem.id] = "rejected " + debugText(verdict->reason);
            return;
        }
        Experiment experiment;
        experiment.number = std::ssize(m_experiments) + 1;
        experiment.problem = problem.id;
        experiment.candidate = *candidate;
        experiment.verdict = *verdict;
        experiment.decision = Decision::Kept;
        m_experiments.push_back(std::move(experiment));
        m_written.push_back(problem);
        for (const CallSite& site : problem.sites)
            m_covered.insert(site.nodes.begin(), site.nodes.end());
    }

    /// Why no kernel computes a node, from the product itself.
    std::string reasonFor(std::int32_t node)
    {
        for (const Problem& problem : m_partition.problems)
            for (const CallSite& site : problem.sites)
                if (const auto refused = m_refused.find(problem.id);
                    refused != m_refused.end() && std::find(site.nodes.begin(), site.nodes.end(), node) != site.nodes.end())
                    return refused->second;
        const auto problem = cutProblem(m_loaded.graph, {node}, m_profile, m_options);
        if (!problem)
            return debugText(problem.error().message) + " " + m_loaded.graph.nodes[static_cast<std::size_t>(node)].target;
        const auto program = lower(*problem);
        return program ? std::string() : program.error().message.id;
    }

    void account()
    {
        std::map<std::string, std::set<std::string>> reasons;
        std::set<std::string> all, touched;
        for (std::int32_t index = 0; index < std::ssize(m_loaded.graph.nodes); ++index) {
            const std::string graph = graphOf(m_loaded.graph.nodes[static_cast<std::size_t>(index)]);
            if (graph.empty())
                continue;
            all.insert(graph);
            if (m_covered.contains(index)) {
                touched.insert(graph);
            } else if (const std::string reason = reasonFor(index); !reason.empty()) {
                ++m_tally.refusedNodes[reason];
                reasons[graph].insert(reason);
            } else {
                ++m_tally.refusedNodes["none: " + m_loaded.graph.nodes[static_cast<std::size_t>(index)].target];
            }
        }
        m_tally.graphs += all.size();
        for (const std::string& graph : all) {
            if (touched.contains(graph) && reasons[graph].empty())
                ++m_tally.whole;
            if (touched.contains(graph))
                continue;
            EXPECT_FALSE(reasons[graph].empty()) << m_model << " " << graph << " has neither a kernel nor a reason for none";
            ++m_tally.refusedGraphs[reasons[graph].empty() ? "no reason" : *reasons[graph].begin()];
        }
    }

    /// The kernel that computes a value of the model.
    std::string writerOf(const std::string& value) const
    {
        for (std::size_t index = 0; index < m_written.size(); ++index)
            for (const CallSite& site : m_written[index].sites)
                for (const ValueId id : site.outputs)
                    if (m_loaded.graph.values[static_cast<std::size_t>(id)].name == value)
                        return print(m_written[index].reference) + m_experiments[index].candidate.source;
        return "no kernel";
    }

    void apply(const fs::path& folder)
    {
        ApplyRequest request;
        request.folder = folder;
        for (const Experiment& experiment : m_experiments)
            request.kernels.push_back({experiment.problem, experiment.candidate, {}});
        m_application.kernels = request.kernels;
        {
            const Clocked clock(m_tally.seconds["apply"]);
            auto files = m_judge.apply(request, {}, nullptr);
            ASSERT_TRUE(files) << text(files.error());
            m_application.files = *std::move(files);
        }
        const Clocked clock(m_tally.seconds["compare"]);
        auto outputs = m_judge.compareModel(m_application.files, {});
        ASSERT_TRUE(outputs) << text(outputs.error());
        m_application.outputs = *std::move(outputs);
        for (const OutputComparison& output : m_application.outputs)
            EXPECT_TRUE(output.passed) << m_model << " " << output.name << " " << output.maxError << " of " << output.allowedError << "\n" << writerOf(output.name);
        std::size_t sites = 0;
        for (const Problem& problem : m_written)
            sites += problem.sites.size();
        EXPECT_EQ(static_cast<std::size_t>(m_application.files.sites), sites) << "every place of every kernel";
        m_tally.kernels += m_written.size();
        m_tally.sites += sites;
    }

    void writeFolder(const fs::path& folder)
    {
        SessionInfo info;
        info.model = m_model;
        info.modelSha256 = m_loaded.sha256;
        ExportWish wish;
        wish.application = &m_application;
        wish.graph = &m_loaded.graph;
        wish.problems = m_written;
        wish.experiments = m_experiments;
        wish.folder = folder;
        Snapshot snapshot;
        snapshot.model = m_model.string();
        snapshot.report = std::make_shared<const ProfileReport>(m_partition.report);
        snapshot.problems = std::make_shared<const std::vector<ProblemRow>>();
        snapshot.experiments = std::make_shared<const std::vector<ExperimentRow>>();
        const auto written = exportSession(info, wish, false, snapshot);
        ASSERT_TRUE(written) << text(written.error());
    }

    Judge& m_judge;
    Tally& m_tally;
    fs::path m_model;
    LoadedModel m_loaded;
    Profile m_profile;
    RegionOptions m_options;
    Partition m_partition;
    ModelApplication m_application;
    std::vector<Problem> m_written;
    std::vector<Experiment> m_experiments;
    std::map<std::string, std::string> m_refused; ///< problem id -> why
    std::set<std::int32_t> m_covered;
};

/// A model number; each test runs in a process of its own.
class RandomModels : public testing::TestWithParam<int> {};

TEST_P(RandomModels, GoFromTheFileToTheExportAndEndRight)
{
    const fs::path python = test::torchPython();
    if (python.empty())
        GTEST_SKIP() << "no Python with torch (minimal set-up)";
    Tally tally;
    const TemporaryFolder folder;
    const std::string name = "random_" + std::to_string(GetParam());
    {
        WorkerJudge judge;
        Journey(judge, tally, test::modelFolder() / (name + ".pt2")).run(folder.path() / "applied", folder.path() / name);
        if (HasFatalFailure())
            return;
    }
    {
        const Clocked clock(tally.seconds["Python"]);
        SubprocessOptions options;
        options.program = python;
        options.arguments = {"-B", test::testFile("support/check_random_models.py").string(), (folder.path() / name).string()};
        options.streams.out = STDOUT_FILENO;
        options.streams.error = STDERR_FILENO;
        auto process = Subprocess::start(options);
        ASSERT_TRUE(process) << text(process.error());
        EXPECT_TRUE(process->waitFor(240).success()) << "see above";
    }
    print(tally);
    EXPECT_EQ(tally.graphs, graphsInAModel);
    std::size_t refused = 0;
    for (const auto& [id, count] : tally.refusedGraphs)
        refused += count;
    EXPECT_LE(refused, tally.graphs / 10);
}

INSTANTIATE_TEST_SUITE_P(TwoHundredGraphs, RandomModels, testing::Range(0, models));

} // namespace
} // namespace kw
