// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/subprocess.h"

#include "base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

extern char** environ;

namespace kw {
namespace {

Error cannotStart(const std::filesystem::path& program, int number)
{
    return Error{Message("process.cannot_start").with("program", program.string()).with("why", std::strerror(number)), {}};
}

std::string_view nameOf(std::string_view variable) { return variable.substr(0, variable.find('=')); }

std::vector<std::string> environmentFor(const SubprocessOptions& options)
{
    std::vector<std::string> result;
    const auto overridden = [&](std::string_view name) {
        return std::any_of(options.environment.begin(), options.environment.end(), [&](const std::string& one) { return nameOf(one) == name; });
    };
    for (char** variable = environ; variable && *variable; ++variable) {
        const std::string_view name = nameOf(*variable);
        const bool basic = name == "PATH" || name == "HOME" || name == "TMPDIR" || name == "LC_ALL";
        if ((basic || !options.cleanEnvironment) && !overridden(name))
            result.emplace_back(*variable);
    }
    result.insert(result.end(), options.environment.begin(), options.environment.end());
    return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

/// Owns the two attribute objects of posix_spawn and the descriptors moved out of the way for it.
struct SpawnPlan {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    std::vector<UniqueFd> high;

    SpawnPlan()
    {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawnattr_init(&attributes);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &all);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~SpawnPlan()
    {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    /// Through a number above all targets: a source must not be overwritten before its turn.
    void pass(int ours, int theirs)
    {
        if (ours < 0) {
            ::posix_spawn_file_actions_addopen(&actions, theirs, "/dev/null", O_RDWR, 0);
            return;
        }
        high.emplace_back(::fcntl(ours, F_DUPFD_CLOEXEC, 300));
        ::posix_spawn_file_actions_adddup2(&actions, high.back().get(), theirs);
    }
};

} // namespace

Result<Subprocess> Subprocess::start(const SubprocessOptions& options)
{
    SpawnPlan plan;
    plan.pass(options.streams.in, 0);
    plan.pass(options.streams.out, 1);
    plan.pass(options.streams.error, 2);
    std::vector<int> targets{0, 1, 2};
    for (const PassedFd& one : options.descriptors) {
        if (one.theirs < 3 || one.theirs >= 300)
            return cannotStart(options.program, EBADF);
        plan.pass(one.ours, one.theirs);
        targets.push_back(one.theirs);
    }
    const int highest = *std::max_element(targets.begin(), targets.end());
    for (int descriptor = 3; descriptor < highest; ++descriptor) {
        if (std::find(targets.begin(), targets.end(), descriptor) == targets.end())
            ::posix_spawn_file_actions_addclose(&plan.actions, descriptor);
    }
    ::posix_spawn_file_actions_addclosefrom_np(&plan.actions, highest + 1);

    std::vector<std::string> arguments{options.program.string()};
    arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
    std::string program = options.program.string();
    if (options.endWithUs) {
        program = (executableFolder() / "kernelwright-runner").string();
        arguments.insert(arguments.begin(), {program, "guard"});
    }
    std::vector<std::string> environment = environmentFor(options);
    std::vector<char*> argumentPointers = pointers(arguments), environmentPointers = pointers(environment);
    pid_t pid = -1;
    const int failed = ::posix_spawnp(&pid, program.c_str(), &plan.actions, &plan.attributes, argumentPointers.data(), environmentPointers.data());
    if (failed != 0)
        return cannotStart(program, failed);
    UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!pidfd) {
        const int number = errno;
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        return cannotStart(options.program, number);
    }
    return Subprocess(pid, std::move(pidfd));
}

Subprocess::Subprocess(Subprocess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)), m_pidfd(std::move(other.m_pidfd)), m_cause(other.m_cause) {}

Subprocess& Subprocess::operator=(Subprocess&& other) noexcept
{
    kill();
    m_pid = std::exchange(other.m_pid, -1);
    m_pidfd = std::move(other.m_pidfd);
    m_cause = other.m_cause;
    return *this;
}

Subprocess::~Subprocess() { kill(); }

ExitCause Subprocess::waitFor(double seconds, std::stop_token stop)
{
    using Clock = std::chrono::steady_clock;
    const UniqueFd wake(stop.stop_possible() ? ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1);
    const std::stop_callback onStop(stop, [&] { ::eventfd_write(wake.get(), 1); });
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::max(0.0, seconds)));
    while (!m_cause.ended() && m_pid > 0) {
        pollfd waits[2] = {{m_pidfd.get(), POLLIN, 0}, {wake.get(), POLLIN, 0}};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
        const int milliseconds = seconds < 0 ? -1 : static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
        const int ready = ::poll(waits, 2, milliseconds);
        if (ready < 0 && errno == EINTR)
            continue;
        if (waits[0].revents == 0)
            return {};
        int status = 0;
        rusage usage{};
        if (::wait4(m_pid, &status, 0, &usage) < 0 && errno == EINTR)
            continue;
        m_cause.kind = WIFEXITED(status) ? ExitCause::Kind::Exited : ExitCause::Kind::Signalled;
        m_cause.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
        m_cause.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        m_cause.cpuSeconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                             1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
        m_cause.peakBytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    }
    return m_cause;
}

void Subprocess::kill()
{
    if (m_pid <= 0 || m_cause.ended())
        return;
    ::syscall(SYS_pidfd_send_signal, m_pidfd.get(), SIGKILL, nullptr, 0);
    const ExitCause cause = waitFor(10);
    if (cause.kind == ExitCause::Kind::Signalled && cause.signal == SIGKILL)
        m_cause.kind = ExitCause::Kind::Killed;
}

ExitCause Subprocess::terminate(double seconds)
{
    if (m_pid > 0 && !m_cause.ended()) {
        ::syscall(SYS_pidfd_send_signal, m_pidfd.get(), SIGTERM, nullptr, 0);
        if (!waitFor(seconds).ended())
            kill();
    }
    return m_cause;
}

} // namespace kw
