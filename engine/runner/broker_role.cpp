// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner/broker_role.h"

#include "base/sandbox/fd_message.h"
#include "runner/context.h"
#include "runner/namespaces.h"
#include "runner/sandbox_init.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

namespace kw {
namespace {

constexpr int requestSocket = 3;

/// A uid far above those that systems give out, a different one for every sandbox: RLIMIT_NPROC counts per uid, and
/// is not enforced for uid 0.
uid_t nextPrivateUid()
{
    static uid_t next = 0x40000000U + (static_cast<uid_t>(::getpid()) & 0xFFFFU) * 0x1000U;
    return ++next;
}

void reapEnded()
{
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
}

/// Fills the context; false when the request is malformed (errno).
bool prepare(SandboxContext& context, std::string_view bytes, std::vector<UniqueFd> descriptors)
{
    errno = EBADMSG;
    auto request = wire::decode(bytes);
    if (!request || descriptors.size() != wire::fixedFdCount + request->targets.size())
        return false;
    context.request = std::move(*request);
    for (std::size_t i = 0; i < descriptors.size(); ++i)
        (i < wire::fixedFdCount ? context.fixed : context.passed).push_back(std::move(descriptors[i]));
    context.runner.reset(::open("/proc/self/exe", O_PATH | O_CLOEXEC));
    if (::geteuid() == 0) {
        context.privateUid = nextPrivateUid();
        const std::string& scratch = context.request.scratch;
        if (!scratch.empty() && ::chown(scratch.c_str(), context.privateUid, context.privateUid) != 0)
            return false;
    }
    return context.runner.get() >= 0;
}

void serveOne(std::string_view bytes, std::vector<UniqueFd> descriptors)
{
    SandboxContext context;
    wire::SpawnReply reply;
    UniqueFd pidfd;
    if (prepare(context, bytes, std::move(descriptors))) {
        const Spawned spawned = cloneInit(context);
        reply = {spawned.failure.error, spawned.failure.layer, spawned.pid};
        pidfd.reset(spawned.pidfd);
    } else {
        reply.error = errno;
    }
    const int raw = pidfd.get();
    wire::sendMessage(requestSocket, &reply, sizeof reply, pidfd ? std::span(&raw, 1) : std::span<const int>());
}

} // namespace

int runBroker()
{
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    ::setsid();
    ::fcntl(requestSocket, F_SETFD, FD_CLOEXEC);
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &children, nullptr);
    const UniqueFd ended(::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK));
    std::string buffer(wire::maxRequestBytes, '\0');
    for (;;) {
        pollfd waits[2] = {{requestSocket, POLLIN, 0}, {ended.get(), POLLIN, 0}};
        if (::poll(waits, 2, -1) < 0 && errno != EINTR)
            return 1;
        signalfd_siginfo information{};
        while (::read(ended.get(), &information, sizeof information) > 0) {
        }
        reapEnded();
        if (waits[0].revents == 0)
            continue;
        wire::FdMessage message = wire::receiveMessage(requestSocket, buffer.data(), buffer.size());
        if (message.bytes <= 0)
            return message.bytes == 0 ? 0 : 1;
        serveOne({buffer.data(), static_cast<std::size_t>(message.bytes)}, std::move(message.descriptors));
    }
}

} // namespace kw
