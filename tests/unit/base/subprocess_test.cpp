// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/subprocess.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>

namespace kw {
namespace {

SubprocessOptions shell(const std::string& script)
{
    SubprocessOptions options;
    options.program = "sh";
    options.arguments = {"-c", script};
    return options;
}

TEST(Subprocess, ExitCodeAndSignalAreTold)
{
    auto exited = Subprocess::start(shell("exit 5"));
    ASSERT_TRUE(exited.ok());
    const ExitCause cause = exited->waitFor(30);
    EXPECT_EQ(cause.kind, ExitCause::Kind::Exited);
    EXPECT_EQ(cause.code, 5);
    auto aborted = Subprocess::start(shell("kill -ABRT $$"));
    ASSERT_TRUE(aborted.ok());
    EXPECT_EQ(aborted->waitFor(30).signal, SIGABRT);
}

TEST(Subprocess, DescriptorsStreamsAndEnvironmentArrive)
{
    int pair[2];
    ASSERT_EQ(::pipe(pair), 0);
    UniqueFd read(pair[0]), write(pair[1]);
    SubprocessOptions options = shell("echo $WORD >&5; (echo x >&6) 2>/dev/null && echo leak; exit 0");
    options.environment = {"WORD=hello"};
    options.descriptors = {{write.get(), 5}};
    options.streams.out = write.get();
    auto process = Subprocess::start(options);
    ASSERT_TRUE(process.ok());
    write.reset();
    EXPECT_TRUE(process->waitFor(30).success());
    char text[64] = {};
    EXPECT_EQ(::read(read.get(), text, sizeof text), 6);
    EXPECT_STREQ(text, "hello\n");
}

TEST(Subprocess, CleanEnvironmentHidesOurs)
{
    ::setenv("KW_TEST_SECRET", "1", 1);
    SubprocessOptions options = shell("[ -z \"$KW_TEST_SECRET\" ] && [ -n \"$PATH\" ]");
    EXPECT_FALSE(Subprocess::start(options)->waitFor(30).success());
    options.cleanEnvironment = true;
    EXPECT_TRUE(Subprocess::start(options)->waitFor(30).success());
}

TEST(Subprocess, WaitRunsOutKillAndTerminateEndIt)
{
    auto process = Subprocess::start(shell("exec sleep 600"));
    ASSERT_TRUE(process.ok());
    EXPECT_EQ(process->waitFor(0).kind, ExitCause::Kind::Running);
    process->kill();
    EXPECT_EQ(process->waitFor(0).kind, ExitCause::Kind::Killed);
    auto polite = Subprocess::start(shell("exec sleep 600"));
    EXPECT_EQ(polite->terminate(30).signal, SIGTERM);
}

TEST(Subprocess, MissingProgramIsAMessage)
{
    SubprocessOptions options;
    options.program = "/no/such/program";
    options.endWithUs = false;
    const auto process = Subprocess::start(options);
    ASSERT_FALSE(process.ok());
    EXPECT_EQ(process.error().message.id, "process.cannot_start");
}

TEST(ChildProcess, ActivityOfOurselvesIsVisible)
{
    const ProcessActivity activity = processActivity(::getpid());
    EXPECT_GT(activity.cpuSeconds, 0);
    EXPECT_GE(activity.threads, 1);
    EXPECT_EQ(activity.stopped, 0);
    EXPECT_LT(processCpuSeconds(-1), 0);
}

TEST(ChildProcess, AStoppedProcessIsSeenToBeStopped)
{
    SubprocessOptions options;
    options.program = "/bin/sleep";
    options.arguments = {"60"};
    auto process = Subprocess::start(options);
    ASSERT_TRUE(process.ok());
    ASSERT_EQ(::kill(process->pid(), SIGSTOP), 0);
    ProcessActivity activity;
    for (int look = 0; look < 10000 && activity.stopped == 0; ++look)
        activity = processActivity(process->pid());
    EXPECT_EQ(activity.stopped, 1);
    EXPECT_EQ(activity.threads, 1);
    const double used = processActivity(process->pid()).cpuSeconds;
    EXPECT_EQ(used, processActivity(process->pid()).cpuSeconds);
    process->kill();
    EXPECT_EQ(processActivity(process->pid()).threads, 0);
}

} // namespace
} // namespace kw
