// SPDX-License-Identifier: GPL-3.0-or-later
// The client against workers that die, lie, hang or speak another version: small shell scripts in the worker's place.
#include "judge/worker_judge.h"

#include "base/file.h"
#include "judge/protocol.h"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <thread>

namespace kw {
namespace {

class FakeWorker {
public:
    explicit FakeWorker(const std::string& script)
    {
        EXPECT_TRUE(writeFileAtomically(path(), "#!/bin/sh\n" + script).ok());
        ::chmod(path().c_str(), 0700);
    }
    std::filesystem::path path() const { return m_folder.path() / "worker"; }
    /// A file with the bytes of the frames, for the script to print.
    std::string frames(const std::string& name, const std::vector<Frame>& list)
    {
        std::string bytes;
        for (const auto& frame : list)
            bytes += *encodeFrame(frame);
        EXPECT_TRUE(writeFileAtomically(m_folder.path() / name, bytes).ok());
        return (m_folder.path() / name).string();
    }
    void rewrite(const std::string& script)
    {
        EXPECT_TRUE(writeFileAtomically(path(), "#!/bin/sh\n" + script).ok());
        ::chmod(path().c_str(), 0700);
    }
    WorkerJudge judge(double startSeconds = 10) const
    {
        WorkerOptions options;
        options.worker = path();
        options.startSeconds = startSeconds;
        options.cancelSeconds = 0.1;
        return WorkerJudge(options);
    }

private:
    TemporaryFolder m_folder;
};

const char* const info = R"({"version":"1","torch":"2","compiler":"c","cpu":"p","protocol":1,"cores":2,"kernel_threads":1,)"
                         R"("sandbox":[{"name":"seccomp","active":true,"reason":""}],"sandbox_sufficient":true})";

TEST(WorkerJudge, AMissingWorkerIsAnError)
{
    WorkerOptions options;
    options.worker = "/nowhere/kernelwright-worker";
    WorkerJudge judge(options);
    EXPECT_EQ(judge.info().error().message.id, "judge.no_worker");
}

TEST(WorkerJudge, AnExitAtStartTellsCodeAndLastWords)
{
    const FakeWorker worker("echo out of luck >&2\nexit 3\n");
    auto judge = worker.judge();
    const auto reply = judge.info();
    ASSERT_FALSE(reply.ok());
    EXPECT_EQ(reply.error().message, Message("judge.worker_died").with("how", "exit code 3"));
    EXPECT_EQ(reply.error().detail, "out of luck\n");
}

TEST(WorkerJudge, ASilentWorkerIsGivenUp)
{
    const FakeWorker worker("exec sleep 600\n");
    auto judge = worker.judge(0.2);
    EXPECT_EQ(judge.info().error().message.id, "judge.timed_out");
    EXPECT_EQ(judge.workerProcess(), -1);
}

TEST(WorkerJudge, AnotherProtocolIsRefusedWithBothVersions)
{
    FakeWorker worker("");
    const auto hello = worker.frames("hello", {Frame{R"({"hello":"kernelwright","protocol":2,"version":"7.0"})", {}}});
    worker.rewrite("cat " + hello + "\nexec sleep 600\n");
    auto judge = worker.judge();
    const auto reply = judge.info();
    ASSERT_FALSE(reply.ok());
    EXPECT_EQ(reply.error().message.id, "protocol.version_mismatch");
    EXPECT_NE(debugText(reply.error().message).find("theirVersion=7.0"), std::string::npos);
}

TEST(WorkerJudge, ReadsAReplyAndHandsProgressOn)
{
    FakeWorker worker("");
    const auto conversation = worker.frames("all", {helloFrame(), progressFrame(1, Message("a.b"), 1, 4), replyFrame(1, info)});
    worker.rewrite("cat " + conversation + "\nexec sleep 600\n");
    auto judge = worker.judge();
    const auto reply = judge.info();
    ASSERT_TRUE(reply.ok()) << debugText(reply.error().message);
    EXPECT_EQ(reply->torch, "2");
    EXPECT_EQ(reply->sandbox.front().name, "seccomp");
}

TEST(WorkerJudge, LiesEndTheWorkerAndTheNextCallStartsAFreshOne)
{
    FakeWorker worker("");
    const auto lie = worker.frames("lie", {helloFrame(), replyFrame(99, "{}")});
    const auto truth = worker.frames("truth", {helloFrame(), replyFrame(2, info)});
    worker.rewrite("cat " + lie + "\nexec sleep 600\n");
    auto judge = worker.judge();
    EXPECT_EQ(judge.info().error().message.id, "protocol.malformed");
    EXPECT_EQ(judge.workerProcess(), -1);
    worker.rewrite("cat " + truth + "\nexec sleep 600\n");
    EXPECT_TRUE(judge.info().ok());
}

TEST(WorkerJudge, DeathDuringARequestIsAnError)
{
    FakeWorker worker("");
    const auto hello = worker.frames("hello", {helloFrame()});
    worker.rewrite("cat " + hello + "\nkill -SEGV $$\n");
    auto judge = worker.judge();
    EXPECT_EQ(judge.info().error().message, Message("judge.worker_died").with("how", "signal 11"));
}

TEST(WorkerJudge, AStopKillsAWorkerThatDoesNotAnswer)
{
    FakeWorker worker("");
    const auto hello = worker.frames("hello", {helloFrame()});
    worker.rewrite("cat " + hello + "\nexec sleep 600\n");
    auto judge = worker.judge();
    std::stop_source source;
    source.request_stop();
    EXPECT_EQ(judge.load("/x.pt2", source.get_token(), nullptr).error().message.id, "judge.stopped");
    std::stop_source later;
    std::jthread stopper([&] {
        while (judge.workerProcess() < 0)
            std::this_thread::yield();
        later.request_stop();
    });
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(judge.load("/x.pt2", later.get_token(), nullptr).error().message.id, "judge.stopped");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    EXPECT_EQ(judge.workerProcess(), -1);
}

TEST(WorkerJudge, ARequestForAModelNeedsOne)
{
    auto judge = WorkerJudge(WorkerOptions{});
    EXPECT_EQ(judge.profile({}, {}, nullptr).error().message.id, "judge.no_model");
    EXPECT_EQ(judge.measure({}, {}).error().message.id, "judge.unknown_problem");
}

} // namespace
} // namespace kw
