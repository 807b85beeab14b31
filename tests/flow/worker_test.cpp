// SPDX-License-Identifier: GPL-3.0-or-later
// The real worker behind its client.
#include "judge/worker_judge.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace kw {
namespace {

std::filesystem::path model(const std::string& name) { return test::modelFolder() / (name + ".pt2"); }

TEST(Worker, SaysWhatItIs)
{
    WorkerJudge judge;
    const auto info = judge.info();
    ASSERT_TRUE(info.ok()) << debugText(info.error().message) << info.error().detail;
    EXPECT_EQ(info->torch.substr(0, 4), "2.11");
    EXPECT_GE(info->cores, 1);
    EXPECT_GE(info->kernelThreads, 1);
    EXPECT_FALSE(info->sandbox.empty());
    const auto environment = judge.environment();
    ASSERT_TRUE(environment.ok());
    EXPECT_FALSE(environment->cpu.empty());
    EXPECT_FALSE(environment->compiler.empty());
}

TEST(Worker, LoadsAModelWithCapturedTypesAndStatistics)
{
    WorkerJudge judge;
    std::vector<std::string> steps;
    const auto loaded = judge.load(model("mlp"), {}, [&](const JudgeProgress& progress) { steps.push_back(progress.what.id); });
    ASSERT_TRUE(loaded.ok()) << debugText(loaded.error().message) << loaded.error().detail;
    EXPECT_EQ(loaded->name, "mlp.pt2");
    EXPECT_EQ(loaded->sha256.size(), 64U);
    EXPECT_EQ(loaded->statistics.size(), loaded->graph.values.size());
    EXPECT_NE(std::find(steps.begin(), steps.end(), "worker.loading"), steps.end());
    for (const auto& node : loaded->graph.nodes)
        for (const ValueId id : writtenValues(node)) {
            const auto& value = loaded->graph.values[static_cast<std::size_t>(id)];
            ASSERT_TRUE(value.type.has_value()) << value.name;
            const auto& seen = loaded->statistics[static_cast<std::size_t>(id)];
            EXPECT_EQ(seen.finite + seen.nonFinite, value.type->elements()) << value.name;
        }
}

TEST(Worker, ProfilesEveryNode)
{
    WorkerJudge judge;
    const auto loaded = judge.load(model("gelu_chain"), {}, nullptr);
    ASSERT_TRUE(loaded.ok()) << debugText(loaded.error().message);
    ProfileOptions options;
    options.seconds = 0.5;
    const auto profile = judge.profile(options, {}, nullptr);
    ASSERT_TRUE(profile.ok()) << debugText(profile.error().message) << profile.error().detail;
    EXPECT_EQ(profile->nodes.size(), loaded->graph.nodes.size());
    EXPECT_GT(profile->seconds, 0);
    EXPECT_GT(profile->defaultSeconds, 0);
    EXPECT_GE(profile->runs, 5);
    for (const auto& node : profile->nodes) {
        EXPECT_GT(node.seconds, 0);
        EXPECT_GE(node.allocationSeconds, 0);
    }
    EXPECT_GT(profile->calibration.flops, 1e9);
    const auto& bandwidth = profile->calibration.bandwidth;
    ASSERT_GE(bandwidth.size(), 4U);
    for (std::size_t index = 0; index < bandwidth.size(); ++index) {
        EXPECT_GT(bandwidth[index].read, 1e8);
        EXPECT_GT(bandwidth[index].write, 1e8);
        EXPECT_GT(bandwidth[index].copy, 1e8);
        if (index > 0) {
            EXPECT_GT(bandwidth[index].bytes, bandwidth[index - 1].bytes);
        }
    }
}

TEST(Worker, AStopEndsAProfileAtOnce)
{
    WorkerJudge judge;
    ASSERT_TRUE(judge.load(model("mlp"), {}, nullptr).ok());
    std::stop_source source;
    ProfileOptions options;
    options.seconds = 300;
    const auto stopAtFirstProgress = [&](const JudgeProgress&) { source.request_stop(); };
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(judge.profile(options, source.get_token(), stopAtFirstProgress).error().message.id, "judge.stopped");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
    EXPECT_TRUE(judge.info().ok());
}

TEST(Worker, AKilledWorkerIsReplacedAndKnowsTheModelAgain)
{
    WorkerJudge judge;
    ASSERT_TRUE(judge.load(model("mlp"), {}, nullptr).ok());
    const int first = judge.workerProcess();
    ASSERT_EQ(::kill(first, SIGKILL), 0);
    ProfileOptions options;
    options.seconds = 0.2;
    const auto died = judge.profile(options, {}, nullptr);
    ASSERT_FALSE(died.ok());
    EXPECT_EQ(died.error().message.id, "judge.worker_died");
    const auto profile = judge.profile(options, {}, nullptr);
    ASSERT_TRUE(profile.ok()) << debugText(profile.error().message) << profile.error().detail;
    EXPECT_NE(judge.workerProcess(), first);
}

TEST(Worker, ABadFileIsAnErrorAndTheWorkerLivesOn)
{
    WorkerJudge judge;
    EXPECT_EQ(judge.load(test::modelFolder() / "bad/newer_schema.pt2", {}, nullptr).error().message.id, "import.newer_schema");
    const int process = judge.workerProcess();
    EXPECT_GT(process, 0);
    EXPECT_TRUE(judge.load(model("mlp"), {}, nullptr).ok());
    EXPECT_EQ(judge.workerProcess(), process);
}

TEST(Worker, EndsWhenItsHostHangsUp)
{
    int process = -1;
    {
        WorkerJudge judge;
        ASSERT_TRUE(judge.info().ok());
        process = judge.workerProcess();
    }
    EXPECT_NE(::kill(process, 0), 0);
}

TEST(Worker, TimesTheModelAgainstItself)
{
    WorkerJudge judge;
    ASSERT_TRUE(judge.load(model("mlp"), {}, nullptr).ok());
    ModelMeasureRequest request;
    request.b = ModelVariant::OriginalDefault;
    request.pairs = 2;
    request.blocks = 2;
    const auto pairs = judge.measureModel(request, {});
    ASSERT_TRUE(pairs.ok()) << debugText(pairs.error().message) << pairs.error().detail;
    ASSERT_EQ(pairs->size(), 2U);
    for (const auto& pair : *pairs) {
        ASSERT_EQ(pair.a.size(), 2U);
        ASSERT_EQ(pair.b.size(), 2U);
        EXPECT_GT(pair.a.front().seconds, 0);
        EXPECT_GE(pair.a.front().calls, 1);
    }
}

} // namespace
} // namespace kw
