// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/child_process.h"
#include "base/sandbox/policy.h"
#include "base/unique_fd.h"

#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace kw {

/// Hands descriptor `ours` to the child as number `theirs` (>= 3). Borrowed for the duration of spawn().
struct PassedFd {
    int ours = -1;
    int theirs = -1;
};

/// Descriptors for the child's standard streams; -1 is /dev/null. Borrowed for the duration of spawn().
struct StandardStreams {
    int in = -1, out = -1, error = -1;
};

/// A program in a sandbox of its own. Destroying the handle ends it and everything inside. Movable.
class SandboxedProcess final : public ChildProcess {
public:
    struct State;
    explicit SandboxedProcess(std::unique_ptr<State> state);
    ~SandboxedProcess() override;
    SandboxedProcess(SandboxedProcess&&) noexcept;
    SandboxedProcess& operator=(SandboxedProcess&&) noexcept;

    pid_t pid() const override;
    int pidfd() const override;
    ExitCause waitFor(double seconds, std::stop_token stop = {}) override;
    void kill() override;

    double cpuTime() const;                ///< processCpuSeconds(pid())
    /// The layers that stand around this very process.
    const SandboxReport& report() const;
    /// Files named in SandboxPolicy::collect, in that order, once waitFor() said Exited; absent ones empty.
    const std::vector<std::string>& collected() const;

private:
    std::unique_ptr<State> m_state;
};

struct LauncherOptions {
    std::filesystem::path runner;          ///< kernelwright-runner; empty: beside the running executable
};

/// Starts sandboxed programs through a small broker process, so that a process with LibTorch never forks.
/// A handle on that broker: cheap to copy, may be used from any thread. The broker and everything below it end with
/// the last handle or with our process. Start it early.
class Launcher {
public:
    /// Errors: "sandbox.no_runner" (path, why), "sandbox.broker_failed" (why).
    static Result<Launcher> start(const LauncherOptions& options = {});

    /// What stands on this machine, probed once at start by a real child.
    const SandboxReport& report() const;

    /// Errors: "sandbox.below_minimum" (missing), "sandbox.spawn_failed" (step, why), "sandbox.broker_failed" (why).
    Result<SandboxedProcess> spawn(const SandboxPolicy& policy, const std::vector<std::string>& arguments,
        std::span<const PassedFd> descriptors = {}, StandardStreams streams = {}) const;

private:
    struct Broker;
    explicit Launcher(std::shared_ptr<Broker> broker) : m_broker(std::move(broker)) {}
    std::shared_ptr<Broker> m_broker;
};

/// Runs a tool to its end. Standard output and error come back, each cut at `outputLimit` bytes.
struct ToolRun {
    ExitCause cause;                       ///< Killed when `seconds` passed or stop was requested
    bool timedOut = false;
    std::string output, errors;
    std::vector<std::string> collected;
    double seconds = 0;
    SandboxReport report;
};
Result<ToolRun> runTool(const Launcher& launcher, const SandboxPolicy& policy, const std::vector<std::string>& arguments,
    double seconds, std::stop_token stop = {}, std::size_t outputLimit = std::size_t{1} << 20);

} // namespace kw
