// SPDX-License-Identifier: GPL-3.0-or-later
// Planted candidates go through the real compiler, sandbox and runner. Where the artifact checks already refuse one, it is
// also built without them, so that the sandbox is seen to hold by itself.
#include "base/file.h"
#include "base/runner_client.h"
#include "base/sanitizer.h"
#include "build/cpp_backend.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <thread>

namespace kw {
namespace {

constexpr std::int64_t length = 1024;

Problem scaleProblem()
{
    Problem problem;
    problem.id = "0123456789abcdef";
    problem.dimensions = {{"d0", length, true}};
    TensorArgument tensor;
    tensor.shape = {Size{0, 0}};
    tensor.strides = {1};
    tensor.name = "x";
    problem.inputs = {tensor};
    tensor.name = "y";
    problem.outputs = {tensor};
    problem.shapes = {{{length}, 1}};
    return problem;
}

Candidate planted(const std::string& name)
{
    Candidate candidate;
    candidate.problem = scaleProblem().id;
    const auto source = readFile(test::testFile("flow/planted/runner/" + name + ".cpp"));
    EXPECT_TRUE(source.ok()) << name;
    candidate.source = source.ok() ? *source : "";
    candidate.id = candidateId(candidate);
    return candidate;
}

/// One broker and one backend for all tests: nothing of a candidate survives in them.
class RunnerTest : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        auto started = Launcher::start();
        ASSERT_TRUE(started.ok()) << debugText(started.error().message);
        launcher = std::make_unique<Launcher>(*started);
        CppBackendOptions options;
        options.seconds = 60;
        auto made = CppBackend::create(*launcher, options);
        ASSERT_TRUE(made.ok()) << debugText(made.error().message);
        backend = std::move(*made);
    }
    static void TearDownTestSuite()
    {
        backend.reset();
        launcher.reset();
    }
    void SetUp() override
    {
        ASSERT_TRUE(backend);
        ArenaLayout layout;
        layout.slots = 4;
        layout.buffers = {{length * sizeof(float), 4, 0, BufferRole::Input, false}, {length * sizeof(float), 4, 0, BufferRole::Output, false}};
        auto made = Arena::create(layout);
        ASSERT_TRUE(made.ok());
        arena.emplace(std::move(*made));
        for (std::uint32_t slot = 0; slot < arena->slots(); ++slot) {
            for (std::int64_t i = 0; i < length; ++i)
                setFloat(slot, 0, i, static_cast<float>(i + slot));
        }
    }

    float getFloat(std::uint32_t slot, std::uint32_t buffer, std::int64_t index)
    {
        float value = 0;
        std::memcpy(&value, arena->bytes(slot, buffer).data() + index * 4, sizeof value);
        return value;
    }
    void setFloat(std::uint32_t slot, std::uint32_t buffer, std::int64_t index, float value)
    {
        std::memcpy(arena->bytes(slot, buffer).data() + index * 4, &value, sizeof value);
    }
    bool outputsRight(std::uint32_t slot)
    {
        for (std::int64_t i = 0; i < length; ++i) {
            if (getFloat(slot, 1, i) != 2.0F * getFloat(slot, 0, i) + 1.0F)
                return false;
        }
        return true;
    }

    static BuildOutcome build(const std::string& name)
    {
        const Candidate candidate = planted(name);
        const auto header = parseHeader(candidate.source, scaleProblem());
        EXPECT_TRUE(header.ok()) << debugText(header.error().message);
        return backend->build(candidate, scaleProblem(), *header);
    }
    /// The same compiler and text, linked like any library and not checked.
    static std::string buildUnchecked(const std::string& name)
    {
        const Candidate candidate = planted(name);
        const auto header = parseHeader(candidate.source, scaleProblem());
        SandboxPolicy policy;
        policy.environment = {"PATH=/usr/bin:/bin"};
        policy.files = {{"unit.cpp", "#include <cstdint>\n" + candidate.source + "\n" + trampolineText(scaleProblem(), *header)}};
        policy.collect = {"unit.so"};
        const auto run = runTool(*launcher, policy,
            {"/usr/bin/g++", "-std=c++20", "-O2", "-fPIC", "-shared", "-fopenmp", "-pthread", "unit.cpp", "-o", "unit.so"}, 60);
        EXPECT_TRUE(run.ok() && run->cause.success()) << name << (run.ok() ? run->errors : "");
        return run.ok() && !run->collected.empty() ? run->collected[0] : "";
    }

    RunnerClient start(const std::string& artifact, int threads = 1)
    {
        RunnerSpec spec;
        spec.artifact = artifact;
        spec.dimensions = {length};
        spec.threads = threads;
        spec.limits.memoryBytes = std::uint64_t{512} << 20;
        spec.startSeconds = 30;
        auto client = RunnerClient::start(*launcher, *arena, spec);
        EXPECT_TRUE(client.ok()) << debugText(client.error().message);
        return std::move(*client);
    }
    CallOutcome runOnce(const std::string& artifact, double timeout = 30)
    {
        RunnerClient client = start(artifact);
        return client.startOutcome().ok() ? client.call(0, 1, timeout) : client.startOutcome();
    }
    void expectHonestRuns()
    {
        const auto began = std::chrono::steady_clock::now();
        RunnerClient client = start(honest());
        // The issue asks for 0.3 s; five times that on a busy machine.
        EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(), 1.5);
        EXPECT_TRUE(client.call(0, 1, 30).ok());
        EXPECT_TRUE(outputsRight(0));
    }
    static std::string honest()
    {
        static const std::string bytes = build("honest").artifact.bytes;
        return bytes;
    }

    static std::unique_ptr<Launcher> launcher;
    static std::unique_ptr<CppBackend> backend;
    std::optional<Arena> arena;
};
std::unique_ptr<Launcher> RunnerTest::launcher;
std::unique_ptr<CppBackend> RunnerTest::backend;

bool hasReason(const BuildOutcome& outcome, const std::string& id)
{
    if (outcome.ok())
        return false;
    for (const Message& reason : outcome.failure->reasons) {
        if (reason.id == id)
            return true;
    }
    return false;
}

std::string texts(const BuildOutcome& outcome)
{
    std::string all;
    if (outcome.failure) {
        for (const Message& reason : outcome.failure->reasons)
            all += debugText(reason) + "; ";
        for (const Diagnostic& one : outcome.failure->diagnostics)
            all += std::to_string(one.line) + ": " + one.text.substr(0, 200) + "; ";
    }
    return all;
}

TEST_F(RunnerTest, HonestCandidatesRunAndAreRight)
{
    for (const char* name : {"honest", "honest_threads"}) {
        const BuildOutcome built = build(name);
        ASSERT_TRUE(built.ok()) << texts(built);
        RunnerClient client = start(built.artifact.bytes);
        ASSERT_TRUE(client.startOutcome().ok()) << debugText(client.startOutcome().reason);
        const CallOutcome outcome = client.call(0, 8, 30);
        ASSERT_TRUE(outcome.ok()) << debugText(outcome.reason);
        EXPECT_EQ(outcome.timing.calls, 8U);
        EXPECT_GT(outcome.timing.seconds, 0);
        for (std::uint32_t slot = 0; slot < arena->slots(); ++slot) {
            EXPECT_TRUE(outputsRight(slot)) << slot;
            EXPECT_TRUE(arena->canaryIntact(slot, 1));
        }
    }
}

TEST_F(RunnerTest, OnlyTheOrderedSlotsAreCalled)
{
    RunnerClient client = start(honest());
    const std::uint32_t order[] = {2, 0};
    ASSERT_TRUE(client.call(order, 30).ok());
    EXPECT_TRUE(outputsRight(0));
    EXPECT_TRUE(outputsRight(2));
    EXPECT_TRUE(arena->stillPoisoned(1, 1, Poison::AllOnes));
    EXPECT_TRUE(arena->stillPoisoned(3, 1, Poison::AllOnes));
    const std::uint32_t beyond[] = {4};
    EXPECT_EQ(client.call(beyond, 30).failure, RunnerFailure::NotStarted);
}

TEST_F(RunnerTest, LatePatchesAreInTheInputAndInTheOutput)
{
    RunnerClient client = start(honest());
    std::uint64_t bits = 0;
    const float value = 77.5F;
    std::memcpy(&bits, &value, sizeof value);
    const LatePatch patch{1, 0, 40, 4, bits};
    const std::uint32_t order[] = {1};
    ASSERT_TRUE(client.call(order, 30, {&patch, 1}).ok());
    EXPECT_EQ(getFloat(1, 0, 10), 77.5F);
    EXPECT_EQ(getFloat(1, 1, 10), 156.0F);
    EXPECT_TRUE(outputsRight(1));
}

TEST_F(RunnerTest, FreshContentAtTheSameAddressIsSeen)
{
    RunnerClient client = start(honest());
    for (int round = 0; round < 5; ++round) {
        for (std::int64_t i = 0; i < length; ++i)
            setFloat(0, 0, i, static_cast<float>(i * round));
        arena->poison(0, Poison::Huge);
        ASSERT_TRUE(client.call(0, 1, 30).ok());
        EXPECT_TRUE(outputsRight(0)) << round;
    }
    EXPECT_TRUE(client.checkIdle().ok());
    EXPECT_GT(client.handshakeSeconds(5), 0);
}

/// What the artifact checks must say of a plant.
struct Refusal {
    const char* name;
    const char* reason;
    friend void PrintTo(const Refusal& refusal, std::ostream* stream) { *stream << refusal.name << " " << refusal.reason; }
};
class RefusedTest : public RunnerTest, public testing::WithParamInterface<Refusal> {};
TEST_P(RefusedTest, ArtifactCheckRefuses)
{
    const BuildOutcome outcome = build(GetParam().name);
    ASSERT_FALSE(outcome.ok());
    EXPECT_TRUE(outcome.failure->refused) << texts(outcome);
    EXPECT_TRUE(hasReason(outcome, GetParam().reason)) << texts(outcome);
}
INSTANTIATE_TEST_SUITE_P(Plants, RefusedTest, testing::Values(Refusal{"fork_bomb", "artifact.symbol"},
    Refusal{"exit_early", "artifact.symbol"}, Refusal{"close_channel", "artifact.symbol"}, Refusal{"forged_ready", "artifact.constructor"},
    Refusal{"forged_reply", "artifact.symbol"}, Refusal{"read_file", "artifact.symbol"}, Refusal{"read_file_early", "artifact.constructor"},
    Refusal{"probe_paths", "artifact.symbol"}, Refusal{"open_socket", "artifact.symbol"}, Refusal{"stop_others", "artifact.symbol"},
    Refusal{"attach_others", "artifact.symbol"}, Refusal{"memory_hog", "artifact.symbol"}, Refusal{"new_code", "artifact.symbol"},
    Refusal{"unlock_input", "artifact.symbol"}, Refusal{"unpin", "artifact.symbol"}, Refusal{"late_thread", "artifact.symbol"},
    Refusal{"memo", "artifact.writable_data"}, Refusal{"per_thread_memo", "artifact.thread_local"}, Refusal{"raw_call", "artifact.instruction"},
    Refusal{"hidden_call", "artifact.branch_into_instruction"}, Refusal{"raw_call", "artifact.inline_assembly"},
    Refusal{"code_as_data", "artifact.data_in_code"}, Refusal{"load_library", "artifact.symbol"},
    Refusal{"flush_denormals", "artifact.control_register"}, Refusal{"read_clock", "artifact.instruction"},
    Refusal{"function_table", "artifact.indirect_branch"}),
    [](const auto& instance) { return std::string(instance.param.name) + "_" + std::to_string(instance.index); });

/// How the sandbox answers a plant that no check has seen.
struct Hold {
    const char* name;
    RunnerFailure failure;
    friend void PrintTo(const Hold& hold, std::ostream* stream) { *stream << hold.name; }
};
class HoldsTest : public RunnerTest, public testing::WithParamInterface<Hold> {};
TEST_P(HoldsTest, RunnerFailsAndTheNextIsReady)
{
    if (shadowMemory && std::string(GetParam().name) == "memory_hog")
        GTEST_SKIP() << "sanitizers need an unlimited address space";
    const CallOutcome outcome = runOnce(buildUnchecked(GetParam().name), 3);
    EXPECT_EQ(static_cast<int>(outcome.failure), static_cast<int>(GetParam().failure)) << debugText(outcome.reason);
    EXPECT_FALSE(outcome.reason.empty());
    arena->poison(0, Poison::QuietNan);
    expectHonestRuns();
}
INSTANTIATE_TEST_SUITE_P(Plants, HoldsTest, testing::Values(Hold{"read_past_end", RunnerFailure::Crashed},
    Hold{"write_past_end", RunnerFailure::Crashed}, Hold{"read_far_before", RunnerFailure::Crashed}, Hold{"write_input", RunnerFailure::Crashed},
    Hold{"infinite_loop", RunnerFailure::TimedOut}, Hold{"fork_bomb", RunnerFailure::TimedOut}, Hold{"exit_early", RunnerFailure::Crashed},
    Hold{"close_channel", RunnerFailure::Crashed}, Hold{"forged_ready", RunnerFailure::ProtocolViolated},
    Hold{"forged_reply", RunnerFailure::ProtocolViolated}, Hold{"open_socket", RunnerFailure::Crashed}, Hold{"stop_others", RunnerFailure::Crashed},
    Hold{"attach_others", RunnerFailure::Crashed}, Hold{"memory_hog", RunnerFailure::OutOfMemory}, Hold{"new_code", RunnerFailure::Crashed},
    Hold{"late_thread", RunnerFailure::BackgroundWork}),
    [](const auto& instance) { return std::string(instance.param.name); });

/// Plants that write 2 where an attempt was refused and 1 where it worked.
class DeniedTest : public RunnerTest, public testing::WithParamInterface<const char*> {};
TEST_P(DeniedTest, TheAttemptGetsNothing)
{
    const CallOutcome outcome = runOnce(buildUnchecked(GetParam()));
    ASSERT_TRUE(outcome.ok()) << debugText(outcome.reason);
    EXPECT_EQ(getFloat(0, 1, 0), 2.0F);
    EXPECT_EQ(getFloat(0, 1, 1), getFloat(0, 0, length - 1));
}
INSTANTIATE_TEST_SUITE_P(Plants, DeniedTest, testing::Values("read_file", "read_file_early", "probe_paths", "probe_paths_early",
    "unlock_input", "unpin", "load_library"), [](const auto& instance) { return std::string(instance.param); });

TEST_F(RunnerTest, WritingBeforeTheTensorBreaksTheCanary)
{
    ASSERT_TRUE(runOnce(buildUnchecked("write_before")).ok());
    EXPECT_FALSE(arena->canaryIntact(0, 1));
    EXPECT_TRUE(arena->canaryIntact(1, 1));
}

TEST_F(RunnerTest, WorkBehindTheReplyIsSeenEvenWithinTheThreadLimit)
{
    RunnerClient client = start(buildUnchecked("late_thread"), 2);
    CallOutcome outcome = client.call(0, 1, 30);
    if (outcome.ok())
        outcome = client.checkIdle(0.02);
    EXPECT_EQ(outcome.failure, RunnerFailure::BackgroundWork) << debugText(outcome.reason);
    EXPECT_EQ(outcome.reason.id, "runner.background_work");
}

/// The work that a thread within the limit gets done between two calls, in seconds at its own rate within the calls.
TEST_F(RunnerTest, AThreadOfTheCandidateStandsStillBetweenCalls)
{
    RunnerClient client = start(buildUnchecked("works_ahead"), 2);
    const auto countAt = [&](std::int64_t place) {
        return getFloat(0, 1, place) + 65536.0 * getFloat(0, 1, place + 1) + 65536.0 * 65536.0 * getFloat(0, 1, place + 2);
    };
    double rate = 0, ended = 0;
    for (int round = 0; round < 4; ++round) {
        const CallOutcome outcome = client.call(0, 1, 60);
        ASSERT_TRUE(outcome.ok()) << debugText(outcome.reason);
        if (round > 1) { // the first call starts the thread
            EXPECT_LT((countAt(0) - ended) / rate, 0.1) << "of 0.4 seconds";
        }
        ended = countAt(3);
        rate = (ended - countAt(0)) / outcome.timing.seconds;
        ASSERT_GT(rate, 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
    }
    EXPECT_EQ(client.checkIdle(0.02).failure, RunnerFailure::BackgroundWork);
}

TEST_F(RunnerTest, TheFirstFailureStays)
{
    RunnerClient client = start(buildUnchecked("exit_early"));
    const CallOutcome first = client.call(0, 1, 30);
    EXPECT_EQ(first.reason, Message("process.exited").with("code", 0));
    EXPECT_EQ(client.call(0, 1, 30).reason, first.reason);
}

TEST_F(RunnerTest, StopEndsARunningCall)
{
    RunnerClient client = start(buildUnchecked("infinite_loop"));
    std::stop_source stop;
    std::jthread stopper([&] { stop.request_stop(); });
    EXPECT_EQ(client.call(0, 1, 60, stop.get_token()).failure, RunnerFailure::Stopped);
}

TEST_F(RunnerTest, CompileErrorsPointIntoTheCandidate)
{
    const BuildOutcome outcome = build("wrong_type");
    ASSERT_FALSE(outcome.ok());
    EXPECT_FALSE(outcome.failure->refused);
    EXPECT_TRUE(hasReason(outcome, "build.compile_error"));
    ASSERT_FALSE(outcome.failure->diagnostics.empty());
    EXPECT_EQ(outcome.failure->diagnostics[0].line, 9);
    EXPECT_EQ(outcome.failure->diagnostics[0].column, 5);
    EXPECT_NE(outcome.failure->diagnostics[0].text.find("undeclared"), std::string::npos);
}

TEST_F(RunnerTest, TheCompilerSeesNoFileOfTheMachine)
{
    const BuildOutcome included = build("include_file");
    ASSERT_FALSE(included.ok());
    EXPECT_NE(texts(included).find("No such file"), std::string::npos) << texts(included);
    EXPECT_EQ(texts(included).find("root:"), std::string::npos) << texts(included);
    EXPECT_TRUE(build("look_for_file").ok()) << texts(build("look_for_file"));
    const BuildOutcome embedded = build("embed_file");
    ASSERT_FALSE(embedded.ok());
    EXPECT_EQ(texts(embedded).find("root:"), std::string::npos) << texts(embedded);
}

TEST_F(RunnerTest, CompilerBombsEndOnTheLimits)
{
    CppBackendOptions options;
    options.seconds = 8;
    options.limits.memoryBytes = std::uint64_t{1} << 30;
    auto limited = CppBackend::create(*launcher, options);
    ASSERT_TRUE(limited.ok()) << debugText(limited.error().message);
    for (const char* name : {"template_bomb", "huge_array", "constant_bomb"}) {
        const Candidate candidate = planted(name);
        const auto began = std::chrono::steady_clock::now();
        const BuildOutcome outcome = (*limited)->build(candidate, scaleProblem(), *parseHeader(candidate.source, scaleProblem()));
        EXPECT_FALSE(outcome.ok()) << name;
        EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(), 40) << name;
    }
}

TEST_F(RunnerTest, AnUnfinishedTextIsRefused) { EXPECT_FALSE(build("unfinished_comment").ok()); }

TEST_F(RunnerTest, TheSecondBuildComesFromTheCache)
{
    const BuildOutcome first = build("honest"), second = build("honest");
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_TRUE(second.artifact.cached);
    EXPECT_EQ(first.artifact.sha256, second.artifact.sha256);
}

} // namespace
} // namespace kw
