// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/child_process.h"
#include "base/sandbox/launcher.h"
#include "base/unique_fd.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace kw {

/// How to start a trusted program of ours (worker, host, python helper): no sandbox, no shell.
struct SubprocessOptions {
    std::filesystem::path program;             ///< absolute, or a name that is looked up in PATH
    std::vector<std::string> arguments;        ///< without argv[0]
    std::vector<std::string> environment;      ///< "NAME=value" added to (or replacing in) ours
    bool cleanEnvironment = false;             ///< only `environment`, PATH, HOME, TMPDIR, LC_ALL
    StandardStreams streams;                   ///< -1 is /dev/null
    std::vector<PassedFd> descriptors;         ///< everything else is closed in the child
    bool endWithUs = true;                     ///< the kernel kills the child when our process dies
};

/// A trusted child started by posix_spawn, so that a large process never forks. Killed when the handle goes.
class Subprocess final : public ChildProcess {
public:
    /// Errors: "process.cannot_start" (program, why).
    static Result<Subprocess> start(const SubprocessOptions& options);
    ~Subprocess() override;
    Subprocess(Subprocess&& other) noexcept;
    Subprocess& operator=(Subprocess&& other) noexcept;

    pid_t pid() const override { return m_pid; }
    int pidfd() const override { return m_pidfd.get(); }
    ExitCause waitFor(double seconds, std::stop_token stop = {}) override;
    void kill() override;
    /// SIGTERM, then SIGKILL after `seconds`.
    ExitCause terminate(double seconds);

private:
    Subprocess(pid_t pid, UniqueFd pidfd) : m_pid(pid), m_pidfd(std::move(pidfd)) {}
    pid_t m_pid = -1;
    UniqueFd m_pidfd;
    ExitCause m_cause;
};

} // namespace kw
