// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sandbox/broker.h"

#include "base/sandbox/fd_message.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace kw {
namespace {

constexpr int startMilliseconds = 10'000;

Error brokerFailed(int number)
{
    return Error{Message("sandbox.broker_failed").with("why", std::strerror(number)), {}};
}

/// Only what the broker needs, so that nothing of the user's environment reaches a compiler or a candidate.
std::vector<std::string> cleanEnvironment()
{
    std::vector<std::string> environment{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"};
    for (const char* name : {"TMPDIR", "KW_SANDBOX_WITHOUT"}) {
        if (const char* value = std::getenv(name))
            environment.push_back(std::string(name) + "=" + value);
    }
    return environment;
}

SpawnResult failedResult(int number, bool brokerGone)
{
    SpawnResult result;
    result.status.kind = wire::StatusMessage::Failed;
    result.status.error = number;
    std::strcpy(result.status.step, "broker");
    result.brokerGone = brokerGone;
    return result;
}

} // namespace

BrokerConnection::~BrokerConnection()
{
    m_socket.reset();
    if (m_pid > 0) {
        // Hanging up ends it; it holds nothing that a kill could damage.
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
}

Result<void> BrokerConnection::ensureRunning()
{
    const std::lock_guard lock(m_mutex);
    return m_socket ? Result<void>() : startLocked();
}

Result<void> BrokerConnection::startLocked()
{
    if (m_pid > 0) {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
        m_pid = -1;
    }
    if (::access(m_runner.c_str(), X_OK) != 0)
        return Error{Message("sandbox.no_runner").with("path", m_runner.string()).with("why", std::strerror(errno)), {}};
    UniqueFd ours, theirs;
    if (!wire::makeSocketPair(ours, theirs))
        return brokerFailed(errno);
    constexpr int sendBuffer = 2 * static_cast<int>(wire::maxRequestBytes);
    ::setsockopt(ours.get(), SOL_SOCKET, SO_SNDBUF, &sendBuffer, sizeof sendBuffer);

    std::vector<std::string> environment = cleanEnvironment();
    std::vector<char*> variables;
    for (std::string& variable : environment)
        variables.push_back(variable.data());
    variables.push_back(nullptr);
    std::string program = m_runner.string();
    char role[] = "broker";
    char* arguments[] = {program.data(), role, nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    // A duplicate above the low numbers first: dup2 onto itself would keep close-on-exec.
    const UniqueFd high(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, 100));
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, high.get(), 3);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    pid_t pid = -1;
    const int failed = ::posix_spawn(&pid, program.c_str(), &actions, &attributes, arguments, variables.data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    if (failed != 0)
        return brokerFailed(failed);
    m_pid = pid;
    m_socket = std::move(ours);
    return {};
}

SpawnResult BrokerConnection::spawn(const wire::SpawnRequest& request, const std::string& bundle,
    std::span<const PassedFd> descriptors, const StandardStreams& streams)
{
    const std::string bytes = wire::encode(request);
    if (bytes.size() > wire::maxRequestBytes || descriptors.size() > wire::maxPassedFds)
        return failedResult(E2BIG, false);
    SpawnResult result;
    UniqueFd theirs;
    if (!wire::makeSocketPair(result.statusSocket, theirs))
        return failedResult(errno, false);
    constexpr int on = 1;
    ::setsockopt(result.statusSocket.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
    const UniqueFd bundleFile = wire::makeMemoryFile("kw-bundle", bundle.data(), bundle.size());
    result.collectFile = wire::makeMemoryFile("kw-collect", nullptr, 0);
    const UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!bundleFile || !result.collectFile || !null)
        return failedResult(errno, false);
    const auto orNull = [&](int descriptor) { return descriptor < 0 ? null.get() : descriptor; };
    std::vector<int> passed{theirs.get(), bundleFile.get(), result.collectFile.get(), orNull(streams.in),
        orNull(streams.out), orNull(streams.error)};
    for (const PassedFd& one : descriptors)
        passed.push_back(one.ours);

    wire::SpawnReply reply;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_socket && !startLocked())
            return failedResult(EPIPE, true);
        wire::FdMessage answer;
        if (wire::sendMessage(m_socket.get(), bytes.data(), bytes.size(), passed))
            answer = wire::receiveMessage(m_socket.get(), &reply, sizeof reply);
        if (answer.bytes != sizeof reply) {
            m_socket.reset();
            return failedResult(EPIPE, true);
        }
        if (!answer.descriptors.empty())
            result.pidfd = std::move(answer.descriptors.front());
    }
    theirs.reset();
    if (reply.error != 0 || !result.pidfd) {
        SpawnResult failed = failedResult(reply.error, false);
        failed.status.layer = reply.layer;
        std::strcpy(failed.status.step, "clone");
        return failed;
    }
    result.init = reply.pid;
    pollfd wait{result.statusSocket.get(), POLLIN, 0};
    wire::FdMessage first;
    while (::poll(&wait, 1, startMilliseconds) < 0 && errno == EINTR) {
    }
    if (wait.revents != 0)
        first = wire::receiveMessage(result.statusSocket.get(), &result.status, sizeof result.status);
    if (first.bytes != sizeof result.status) {
        result.status = failedResult(first.bytes == 0 ? ECHILD : ETIMEDOUT, false).status;
        std::strcpy(result.status.step, "start");
    }
    result.program = first.sender;
    return result;
}

} // namespace kw
