// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sandbox/launcher.h"

#include "base/file.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace kw {
namespace {

const std::vector<std::string> layers{"user_namespace", "pid_namespace", "network_namespace", "ipc_namespace", "mount_namespace",
    "landlock", "limits", "capabilities", "seccomp"};

/// A broker of the test build, in which KW_SANDBOX_WITHOUT leaves layers out.
Result<Launcher> launcherWithout(const std::string& list)
{
    ::setenv("KW_SANDBOX_WITHOUT", list.c_str(), 1);
    LauncherOptions options;
    options.runner = executableFolder() / "kernelwright-runner-test";
    auto launcher = Launcher::start(options);
    ::unsetenv("KW_SANDBOX_WITHOUT");
    return launcher;
}

SandboxPolicy shellPolicy()
{
    SandboxPolicy policy;
    policy.environment = {"PATH=/usr/bin:/bin"};
    return policy;
}

Result<ToolRun> shell(const Launcher& launcher, const std::string& script, const SandboxPolicy& policy = shellPolicy(), double seconds = 30)
{
    return runTool(launcher, policy, {"/bin/sh", "-c", script}, seconds);
}

TEST(Launcher, EveryLayerStandsHere)
{
    const auto launcher = Launcher::start();
    ASSERT_TRUE(launcher.ok()) << debugText(launcher.error().message);
    ASSERT_EQ(launcher->report().layers.size(), layers.size());
    for (const SandboxLayer& layer : launcher->report().layers)
        EXPECT_EQ(layer.active, layer.reason.empty()) << layer.name << " " << layer.reason;
    EXPECT_TRUE(launcher->report().minimum());
}

TEST(Launcher, MissingRunnerIsAMessage)
{
    LauncherOptions options;
    options.runner = "nowhere/kernelwright-runner";
    const auto launcher = Launcher::start(options);
    ASSERT_FALSE(launcher.ok());
    EXPECT_EQ(launcher.error().message.id, "sandbox.no_runner");
}

class LayerTest : public testing::TestWithParam<std::string> {};
TEST_P(LayerTest, SwitchedOffItIsReportedAndTheMinimumDecides)
{
    const auto launcher = launcherWithout(GetParam());
    ASSERT_TRUE(launcher.ok()) << debugText(launcher.error().message);
    for (const SandboxLayer& layer : launcher->report().layers) {
        if (layer.name != GetParam())
            continue;
        EXPECT_FALSE(layer.active);
        EXPECT_FALSE(layer.reason.empty());
    }
    const auto run = shell(*launcher, "echo alive");
    if (GetParam() == "seccomp") {
        ASSERT_FALSE(run.ok());
        EXPECT_EQ(run.error().message.id, "sandbox.below_minimum");
        SandboxPolicy unsafe = shellPolicy();
        unsafe.unsafe = true;
        const auto forced = shell(*launcher, "echo alive", unsafe);
        ASSERT_TRUE(forced.ok()) << debugText(forced.error().message);
        EXPECT_EQ(forced->output, "alive\n");
        return;
    }
    ASSERT_TRUE(run.ok()) << debugText(run.error().message);
    EXPECT_EQ(run->output, "alive\n");
    EXPECT_FALSE(run->report.active(GetParam()));
}
INSTANTIATE_TEST_SUITE_P(Each, LayerTest, testing::ValuesIn(layers), [](const auto& instance) { return instance.param; });

TEST(Launcher, LandlockAloneStillHidesFiles)
{
    const auto launcher = launcherWithout("user_namespace,pid_namespace,network_namespace,ipc_namespace,mount_namespace");
    ASSERT_TRUE(launcher.ok()) << debugText(launcher.error().message);
    EXPECT_TRUE(launcher->report().minimum());
    SandboxPolicy policy = shellPolicy();
    policy.files = {{"given", "content"}};
    policy.collect = {"made"};
    const auto run = shell(*launcher, "cat given; cat /etc/passwd; echo x > /tmp/kernelwright-mark; echo new > made", policy);
    ASSERT_TRUE(run.ok()) << debugText(run.error().message);
    EXPECT_EQ(run->output, "content");
    EXPECT_FALSE(std::filesystem::exists("/tmp/kernelwright-mark"));
    ASSERT_EQ(run->collected.size(), 1U);
    EXPECT_EQ(run->collected[0], "new\n");
}

TEST(Launcher, WithoutFilesBarrierNothingRuns)
{
    const auto launcher = launcherWithout("landlock,mount_namespace");
    ASSERT_TRUE(launcher.ok());
    EXPECT_FALSE(launcher->report().minimum());
    const auto run = shell(*launcher, "echo alive");
    ASSERT_FALSE(run.ok());
    EXPECT_EQ(run.error().message, Message("sandbox.below_minimum").with("missing", "landlock, mount_namespace"));
}

class ToolTest : public testing::Test {
protected:
    void SetUp() override
    {
        auto started = Launcher::start();
        ASSERT_TRUE(started.ok()) << debugText(started.error().message);
        launcher.emplace(*started);
    }
    std::optional<Launcher> launcher;
};

TEST_F(ToolTest, StreamsFilesAndExitCodeComeBack)
{
    SandboxPolicy policy = shellPolicy();
    policy.files = {{"a", "first"}, {"b", std::string("sec\0ond", 7)}};
    policy.collect = {"sum", "absent", "link"};
    policy.environment.push_back("WORD=hello");
    const auto run = shell(*launcher, "echo $WORD; echo problem >&2; cat a b > sum; ln -s /etc/passwd link; exit 7", policy);
    ASSERT_TRUE(run.ok()) << debugText(run.error().message);
    EXPECT_EQ(run->cause.kind, ExitCause::Kind::Exited);
    EXPECT_EQ(run->cause.code, 7);
    EXPECT_EQ(run->output, "hello\n");
    EXPECT_EQ(run->errors, "problem\n");
    EXPECT_EQ(run->collected, (std::vector<std::string>{std::string("firstsec\0ond", 12), "", ""}));
}

TEST_F(ToolTest, TheMachineIsOutOfSight)
{
    const auto run = shell(*launcher, "for path in /etc/passwd /root /home /proc/1 /var /work /run; do [ -e $path ] && echo $path; done; echo x > /usr/mark; cat /proc/net/dev");
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(run->output, "");
}

TEST_F(ToolTest, BindsAreReadOnly)
{
    const TemporaryFolder folder;
    ASSERT_TRUE(writeFileAtomically(folder.path() / "header", "text").ok());
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    SandboxPolicy policy = shellPolicy();
    policy.binds = {{folder.path().string(), "/given"}};
    const auto run = shell(*launcher, "cat /given/header; echo x > /given/mark; echo x > /given/header", policy);
    ASSERT_TRUE(run.ok()) << debugText(run.error().message);
    EXPECT_EQ(run->output, "text");
    EXPECT_EQ(*readFile(folder.path() / "header"), "text");
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "mark"));
    policy.binds = {{(folder.path() / "absent").string(), "/given"}};
    EXPECT_FALSE(shell(*launcher, "true", policy).ok());
}

TEST_F(ToolTest, CausesOfDeathAreTold)
{
    EXPECT_EQ(shell(*launcher, "kill -s SEGV $$; sleep 1")->cause.kind, ExitCause::Kind::Exited) << "kill is refused";
    SandboxPolicy policy = shellPolicy();
    policy.limits.cpuSeconds = 1;
    const auto cpu = shell(*launcher, "while :; do :; done", policy);
    ASSERT_TRUE(cpu.ok());
    EXPECT_EQ(cpu->cause.limit, ExitCause::Limit::CpuTime);
    policy = shellPolicy();
    policy.limits.fileBytes = 1 << 20;
    const auto file = shell(*launcher, "exec dd if=/dev/zero of=big bs=65536 count=64", policy);
    ASSERT_TRUE(file.ok());
    EXPECT_FALSE(file->cause.success());
}

TEST_F(ToolTest, TimeOverEndsTheWholeTree)
{
    const auto began = std::chrono::steady_clock::now();
    const auto run = shell(*launcher, "sleep 600 & sleep 600 & wait", shellPolicy(), 0.3);
    ASSERT_TRUE(run.ok());
    EXPECT_TRUE(run->timedOut);
    EXPECT_EQ(run->cause.kind, ExitCause::Kind::Killed);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(), 10);
}

TEST_F(ToolTest, StopEndsIt)
{
    std::stop_source stop;
    std::jthread stopper([&] { stop.request_stop(); });
    const auto run = runTool(*launcher, shellPolicy(), {"/bin/sleep", "600"}, 600, stop.get_token());
    ASSERT_TRUE(run.ok());
    EXPECT_FALSE(run->timedOut);
    EXPECT_EQ(run->cause.kind, ExitCause::Kind::Killed);
}

TEST_F(ToolTest, AForkBombStaysInside)
{
    SandboxPolicy policy = shellPolicy();
    policy.limits.processes = 20;
    const auto run = shell(*launcher, "b() { b | b & }; b; sleep 600", policy, 1.0);
    ASSERT_TRUE(run.ok());
    const auto next = shell(*launcher, "echo alive");
    ASSERT_TRUE(next.ok()) << debugText(next.error().message);
    EXPECT_EQ(next->output, "alive\n");
}

TEST_F(ToolTest, MissingProgramIsRefused)
{
    const auto run = runTool(*launcher, shellPolicy(), {"/usr/bin/no-such-program"}, 30);
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(run->cause.kind, ExitCause::Kind::Refused);
    EXPECT_EQ(run->cause.reason.id, "sandbox.spawn_failed");
}

TEST_F(ToolTest, ManyThreadsMaySpawnAtOnce)
{
    std::vector<std::jthread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            const auto run = shell(*launcher, "echo " + std::to_string(i));
            right += run.ok() && run->output == std::to_string(i) + "\n";
        });
    }
    threads.clear();
    EXPECT_EQ(right, 8);
}

TEST_F(ToolTest, OutputIsCutAtTheLimit)
{
    const auto run = runTool(*launcher, shellPolicy(), {"/bin/sh", "-c", "yes | head -c 3000000"}, 30, {}, 1000);
    ASSERT_TRUE(run.ok());
    EXPECT_TRUE(run->cause.success());
    EXPECT_EQ(run->output.size(), 1000U);
}

TEST_F(ToolTest, PassedDescriptorsArriveAndNoOthers)
{
    const TemporaryFolder folder;
    ASSERT_TRUE(writeFileAtomically(folder.path() / "secret", "secret").ok());
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    int pair[2];
    ASSERT_EQ(::pipe(pair), 0);
    UniqueFd read(pair[0]), write(pair[1]);
    const PassedFd passed{write.get(), 7};
    auto process = launcher->spawn(shellPolicy(), {"/bin/sh", "-c", "echo through >&7; for fd in 3 4 5 6 8 9; do (echo x >&$fd) 2>/dev/null && exit 9; done; exit 0"}, {&passed, 1});
    ASSERT_TRUE(process.ok()) << debugText(process.error().message);
    write.reset();
    const ExitCause cause = process->waitFor(30);
    EXPECT_TRUE(cause.success()) << debugText(describe(cause));
    char text[32] = {};
    EXPECT_EQ(::read(read.get(), text, sizeof text), 8);
    EXPECT_STREQ(text, "through\n");
}

/// A process that dies without a word takes its broker and every sandbox with it.
void expectNothingOutlivesItsOwner(const std::string& without)
{
    int pair[2];
    ASSERT_EQ(::pipe(pair), 0);
    UniqueFd read(pair[0]), write(pair[1]);
    const pid_t owner = ::fork();
    if (owner == 0) {
        const auto launcher = launcherWithout(without);
        pid_t program = 0;
        if (launcher) {
            auto process = launcher->spawn(shellPolicy(), {"/bin/sh", "-c", "sleep 600 & exec sleep 600"});
            program = process ? process->pid() : 0;
            [[maybe_unused]] const ssize_t written = ::write(write.get(), &program, sizeof program);
            ::pause();
        }
        ::_exit(1);
    }
    write.reset();
    pid_t program = 0;
    ASSERT_EQ(::read(read.get(), &program, sizeof program), static_cast<ssize_t>(sizeof program));
    ASSERT_GT(program, 0);
    EXPECT_EQ(::kill(program, 0), 0);
    ::kill(owner, SIGKILL);
    ::waitpid(owner, nullptr, 0);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (::kill(program, 0) == 0 && std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
    EXPECT_NE(::kill(program, 0), 0);
}

TEST(Launcher, NothingOutlivesItsOwner) { expectNothingOutlivesItsOwner(""); }
TEST(Launcher, NothingOutlivesItsOwnerWithoutAPidNamespace) { expectNothingOutlivesItsOwner("pid_namespace"); }

/// The same as nobody: no privilege at all to put up the layers with.
TEST(Launcher, AnOrdinaryUserIsAsSafe)
{
    if (::geteuid() != 0)
        GTEST_SKIP() << "is an ordinary user already";
    const pid_t pid = ::fork();
    if (pid == 0) {
        if (::setgid(65534) != 0 || ::setuid(65534) != 0 || ::access((executableFolder() / "kernelwright-runner").c_str(), X_OK) != 0)
            ::_exit(77);
        const auto launcher = Launcher::start();
        if (!launcher || !launcher->report().minimum())
            ::_exit(1);
        const auto run = shell(*launcher, "echo alive; cat /etc/passwd");
        ::_exit(run && run->output == "alive\n" ? 0 : 2);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        GTEST_SKIP() << "the build folder is closed to other users";
    EXPECT_EQ(status, 0);
}

} // namespace
} // namespace kw
