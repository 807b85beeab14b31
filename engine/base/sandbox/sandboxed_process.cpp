// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sandbox/fd_message.h"
#include "base/sandbox/launcher.h"
#include "base/sandbox/process_state.h"
#include "base/sandbox/wire.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

namespace kw {
namespace {

using Clock = std::chrono::steady_clock;

int millisecondsUntil(Clock::time_point end, bool forEver)
{
    if (forEver)
        return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
}

ExitCause::Limit limitOf(int signal, const wire::StatusMessage& message, const SandboxLimits& limits)
{
    const auto cpuLimit = static_cast<double>(limits.cpuSeconds);
    if (signal == SIGXCPU || (signal == SIGKILL && limits.cpuSeconds > 0 && message.cpuSeconds >= 0.98 * cpuLimit))
        return ExitCause::Limit::CpuTime;
    if (signal == SIGXFSZ)
        return ExitCause::Limit::FileSize;
    // An allocation that failed shows as the null pointer it returned; only a full address space makes that believable.
    const bool full = limits.memoryBytes > 0 && message.peakBytes >= limits.memoryBytes / 10 * 9;
    if (full && (signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGKILL))
        return ExitCause::Limit::Memory;
    return ExitCause::Limit::None;
}

ExitCause causeOf(const wire::StatusMessage& message, const SandboxLimits& limits)
{
    ExitCause cause;
    cause.cpuSeconds = message.cpuSeconds;
    cause.peakBytes = message.peakBytes;
    if (WIFEXITED(message.status)) {
        cause.kind = ExitCause::Kind::Exited;
        cause.code = WEXITSTATUS(message.status);
        return cause;
    }
    cause.signal = WTERMSIG(message.status);
    cause.limit = limitOf(cause.signal, message, limits);
    cause.kind = cause.limit == ExitCause::Limit::None ? ExitCause::Kind::Signalled : ExitCause::Kind::Limit;
    return cause;
}

ExitCause refused(const wire::StatusMessage& message)
{
    ExitCause cause;
    cause.kind = ExitCause::Kind::Refused;
    cause.reason = Message("sandbox.spawn_failed").with("step", std::string(message.step, ::strnlen(message.step, sizeof message.step)))
                       .with("why", std::strerror(message.error));
    return cause;
}

/// The init writes each collected file as its size and its bytes.
std::vector<std::string> readCollected(int file, std::size_t count)
{
    std::vector<std::string> contents(count);
    off_t position = 0;
    struct stat status {};
    ::fstat(file, &status);
    for (std::string& content : contents) {
        std::uint64_t size = 0;
        if (::pread(file, &size, sizeof size, position) != sizeof size || size > static_cast<std::uint64_t>(status.st_size))
            break;
        position += sizeof size;
        content.resize(size);
        std::size_t done = 0;
        while (done < size) {
            const ssize_t got = ::pread(file, content.data() + done, size - done, position + static_cast<off_t>(done));
            if (got <= 0)
                return std::vector<std::string>(count);
            done += static_cast<std::size_t>(got);
        }
        position += static_cast<off_t>(size);
    }
    return contents;
}

} // namespace

SandboxedProcess::SandboxedProcess(std::unique_ptr<State> state) : m_state(std::move(state)) {}
SandboxedProcess::SandboxedProcess(SandboxedProcess&&) noexcept = default;

SandboxedProcess& SandboxedProcess::operator=(SandboxedProcess&& other) noexcept
{
    if (m_state)
        kill();
    m_state = std::move(other.m_state);
    return *this;
}

SandboxedProcess::~SandboxedProcess()
{
    if (m_state)
        kill();
}

pid_t SandboxedProcess::pid() const { return m_state->spawned.program; }
int SandboxedProcess::pidfd() const { return m_state->spawned.pidfd.get(); }
double SandboxedProcess::cpuTime() const { return processCpuSeconds(pid()); }
const SandboxReport& SandboxedProcess::report() const { return m_state->report; }
const std::vector<std::string>& SandboxedProcess::collected() const { return m_state->collected; }

ExitCause SandboxedProcess::waitFor(double seconds, std::stop_token stop)
{
    if (m_state->cause.ended())
        return m_state->cause;
    const UniqueFd wake(stop.stop_possible() ? ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1);
    const std::stop_callback onStop(stop, [&] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = ::write(wake.get(), &one, sizeof one);
    });
    const bool forEver = seconds < 0;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::max(0.0, seconds)));
    for (;;) {
        pollfd waits[3] = {{m_state->spawned.statusSocket.get(), POLLIN, 0}, {pidfd(), POLLIN, 0}, {wake.get(), POLLIN, 0}};
        const int ready = ::poll(waits, 3, millisecondsUntil(end, forEver));
        if (ready < 0 && errno == EINTR)
            continue;
        if (waits[0].revents & POLLIN) {
            wire::StatusMessage message;
            const wire::FdMessage packet = wire::receiveMessage(m_state->spawned.statusSocket.get(), &message, sizeof message, MSG_DONTWAIT);
            if (packet.bytes == sizeof message && message.kind == wire::StatusMessage::Ended)
                m_state->cause = causeOf(message, m_state->limits);
            else if (packet.bytes == sizeof message && message.kind == wire::StatusMessage::Failed)
                m_state->cause = refused(message);
            if (m_state->cause.kind == ExitCause::Kind::Exited)
                m_state->collected = readCollected(m_state->spawned.collectFile.get(), m_state->collectCount);
            if (m_state->cause.ended())
                return m_state->cause;
            if (packet.bytes > 0)
                continue;
        }
        // The init is gone and has said nothing: it was killed, by us or by somebody else on this machine.
        if (waits[1].revents != 0) {
            m_state->cause.kind = ExitCause::Kind::Killed;
            m_state->cause.signal = SIGKILL;
            m_state->cause.cpuSeconds = m_state->cpuAtKill;
            return m_state->cause;
        }
        if (ready == 0 || stop.stop_requested())
            return {};
    }
}

void SandboxedProcess::kill()
{
    if (m_state->killed.exchange(true))
        return;
    m_state->cpuAtKill = std::max(0.0, processCpuSeconds(pid()));
    const auto gone = [&](int milliseconds) {
        pollfd wait{pidfd(), POLLIN, 0};
        int ready = 0;
        do {
            ready = ::poll(&wait, 1, milliseconds);
        } while (ready < 0 && errno == EINTR);
        return ready > 0;
    };
    // Without a pid namespace only the init knows what belongs to it: hanging up makes it end them all.
    if (!m_state->pidNamespace) {
        ::shutdown(m_state->spawned.statusSocket.get(), SHUT_RDWR);
        if (gone(1000))
            return;
    }
    ::syscall(SYS_pidfd_send_signal, pidfd(), SIGKILL, nullptr, 0);
    gone(5000);
}

} // namespace kw
