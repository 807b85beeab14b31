// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner/sandbox_init.h"

#include "base/sandbox/fd_message.h"
#include "runner/confine.h"
#include "runner/namespaces.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace kw {
namespace {

bool plainName(const std::string& name)
{
    return !name.empty() && name.size() < 256 && name.find('/') == std::string::npos && name != "." && name != "..";
}

/// Cuts the bundle into the files of the request, in the scratch folder.
StepFailure writeFiles(const SandboxContext& context)
{
    off_t position = 0;
    for (std::size_t i = 0; i < context.request.policy.files.size(); ++i) {
        const std::string& name = context.request.policy.files[i].name;
        errno = EINVAL;
        if (!plainName(name))
            return failedStep(-1, "file name");
        const UniqueFd file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444));
        if (!file)
            return failedStep(-1, "create file");
        const off_t end = position + static_cast<off_t>(context.request.fileSizes[i]);
        while (position < end) {
            if (::sendfile(file.get(), context.fixed[wire::BundleFd].get(), &position, static_cast<std::size_t>(end - position)) <= 0)
                return failedStep(-1, "write file");
        }
    }
    return {};
}

StepFailure chooseCpus(const std::vector<int>& cpus)
{
    if (cpus.empty())
        return {};
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus) {
        if (cpu >= 0 && cpu < CPU_SETSIZE)
            CPU_SET(cpu, &set);
    }
    return ::sched_setaffinity(0, sizeof set, &set) == 0 ? StepFailure{} : failedStep(-1, "sched_setaffinity");
}

/// In the new mount namespace (a mount of another one cannot be bound), but still as the one who may reach them.
StepFailure openBinds(SandboxContext& context)
{
    for (const SandboxBind& bind : context.request.policy.binds) {
        context.bindSources.emplace_back(::open(bind.source.c_str(), O_PATH | O_CLOEXEC));
        if (!context.bindSources.back())
            return failedStep(-1, "open bind");
    }
    return {};
}

StepFailure putUp(SandboxContext& context)
{
    if (const StepFailure failure = openBinds(context); failure.failed())
        return failure;
    if (const StepFailure failure = enterIdentity(context); failure.failed())
        return failure;
    if (const StepFailure failure = enterRoot(context); failure.failed())
        return failure;
    if (const StepFailure failure = writeFiles(context); failure.failed())
        return failure;
    if (const StepFailure failure = chooseCpus(context.request.policy.cpus); failure.failed())
        return failure;
    if (context.privateUid == 0 || context.wants(wire::UserNamespace))
        return {};
    // Real root without a user namespace: the private identity is taken directly.
    if (::setgroups(0, nullptr) != 0 || ::setresgid(context.privateUid, context.privateUid, context.privateUid) != 0 ||
        ::setresuid(context.privateUid, context.privateUid, context.privateUid) != 0)
        return failedStep(-1, "setresuid");
    return {};
}

/// Moves descriptors to the numbers that the program expects; everything else closes on exec.
StepFailure placeDescriptors(SandboxContext& context)
{
    std::vector<int> high;
    for (const wire::FixedFd standard : {wire::InFd, wire::OutFd, wire::ErrorFd})
        high.push_back(::fcntl(context.fixed[standard].get(), F_DUPFD_CLOEXEC, 300));
    for (const UniqueFd& one : context.passed)
        high.push_back(::fcntl(one.get(), F_DUPFD_CLOEXEC, 300));
    const int status = ::fcntl(context.status(), F_DUPFD_CLOEXEC, 300);
    context.runner.reset(::fcntl(context.runner.get(), F_DUPFD_CLOEXEC, 300));
    for (std::size_t i = 0; i < high.size(); ++i) {
        const int target = i < 3 ? static_cast<int>(i) : context.request.targets[i - 3];
        if (high[i] < 0 || target < 0 || target >= callStatusFd || ::dup2(high[i], target) < 0)
            return failedStep(-1, "dup2");
    }
    if (::dup3(status, callStatusFd, O_CLOEXEC) < 0)
        return failedStep(-1, "dup2");
    return {};
}

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

/// Our own executable again, for a fresh address layout: it confines itself and then serves (call_role.cpp).
StepFailure execCallRole(SandboxContext& context, std::vector<char*>& environment)
{
    const std::string request = wire::encode(context.request);
    const UniqueFd file = wire::makeMemoryFile("kw-request", request.data(), request.size());
    if (!file || ::dup2(file.get(), callRequestFd) < 0 || ::dup2(callStatusFd, callStatusFd) < 0 ||
        ::fcntl(callStatusFd, F_SETFD, 0) != 0)
        return failedStep(-1, "request");
    char program[] = "kernelwright-runner", role[] = "call";
    char* arguments[] = {program, role, nullptr};
    ::syscall(SYS_execveat, context.runner.get(), "", arguments, environment.data(), AT_EMPTY_PATH);
    return failedStep(-1, "exec runner");
}

StepFailure becomeProgram(SandboxContext& context)
{
    if (const StepFailure failure = placeDescriptors(context); failure.failed())
        return failure;
    std::vector<std::string> variables = context.request.policy.environment;
    char folder[512] = {};
    if (::getcwd(folder, sizeof folder - 1))
        variables.push_back(std::string("TMPDIR=") + folder);
#ifdef KW_TEST_HOOKS
    if (const char* list = ::getenv("KW_SANDBOX_WITHOUT"))
        variables.push_back(std::string("KW_SANDBOX_WITHOUT=") + list);
#endif
    std::vector<char*> environment = pointers(variables);
    if (!context.request.probe && context.request.policy.role == SandboxPolicy::Role::Call)
        return execCallRole(context, environment);
    int landlockVersion = 0;
    if (const StepFailure failure = confine(context.request, landlockVersion); failure.failed())
        return failure;
    sendStarted(callStatusFd, landlockVersion);
    if (context.request.probe)
        ::_exit(0);
    std::vector<char*> arguments = pointers(context.request.arguments);
    ::execve(arguments[0], arguments.data(), environment.data());
    return failedStep(-1, "exec");
}

[[noreturn]] void runProgram(SandboxContext& context)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    ::setsid();
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    reportFailure(callStatusFd, becomeProgram(context));
    ::_exit(127);
}

/// Appends one file of the scratch folder to the file that the client reads: size, bytes.
void collectFile(const SandboxContext& context, const std::string& name)
{
    const int target = context.fixed[wire::CollectFd].get();
    UniqueFd source(plainName(name) ? ::open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1);
    struct stat status {};
    std::uint64_t size = 0;
    if (source && ::fstat(source.get(), &status) == 0 && S_ISREG(status.st_mode))
        size = static_cast<std::uint64_t>(status.st_size);
    [[maybe_unused]] const ssize_t written = ::write(target, &size, sizeof size);
    std::uint64_t done = 0;
    while (done < size) {
        const ssize_t count = ::sendfile(target, source.get(), nullptr, size - done);
        if (count <= 0)
            return;
        done += static_cast<std::uint64_t>(count);
    }
}

void endEverything(const SandboxContext& context, pid_t program)
{
    // In a pid namespace -1 means everybody in here but us.
    ::kill(context.wants(wire::PidNamespace) ? -1 : -program, SIGKILL);
    while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
    }
}

[[noreturn]] void finish(const SandboxContext& context, pid_t program, int waitStatus)
{
    rusage usage{};
    endEverything(context, program);
    ::getrusage(RUSAGE_CHILDREN, &usage);
    for (const std::string& name : context.request.policy.collect)
        collectFile(context, name);
    wire::StatusMessage message;
    message.kind = wire::StatusMessage::Ended;
    message.status = waitStatus;
    const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); };
    message.cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    message.peakBytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    wire::sendMessage(context.status(), &message, sizeof message);
    ::_exit(0);
}

/// Waits for the program's end, the client's hang-up, or the broker's death (SIGTERM).
[[noreturn]] void supervise(const SandboxContext& context, pid_t program, int signals)
{
    for (;;) {
        pollfd waits[2] = {{signals, POLLIN, 0}, {context.status(), POLLRDHUP, 0}};
        if (::poll(waits, 2, -1) < 0 && errno != EINTR)
            break;
        signalfd_siginfo information{};
        while (::read(signals, &information, sizeof information) == sizeof information) {
            if (information.ssi_signo == SIGTERM)
                waits[1].revents = POLLHUP;
        }
        if (waits[1].revents != 0)
            break;
        int status = 0;
        pid_t ended = 0;
        while ((ended = ::waitpid(-1, &status, WNOHANG)) > 0) {
            if (ended == program)
                finish(context, program, status);
        }
    }
    endEverything(context, program);
    ::_exit(0);
}

} // namespace

void sendStarted(int statusSocket, int landlockVersion)
{
    wire::StatusMessage message;
    message.kind = wire::StatusMessage::Started;
    message.landlockVersion = landlockVersion;
    // send, not sendmsg: the call role's filter already stands.
    ::send(statusSocket, &message, sizeof message, MSG_NOSIGNAL);
}

void runInit(SandboxContext& context, int gate)
{
    char go = 0;
    while (::read(gate, &go, 1) < 0 && errno == EINTR) {
    }
    if (go == 0)
        ::_exit(126);
    ::close(gate);
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGCHLD);
    sigaddset(&watched, SIGTERM);
    ::sigprocmask(SIG_SETMASK, &watched, nullptr);
    const int signals = ::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    ::fcntl(context.status(), F_SETFD, FD_CLOEXEC);
    if (const StepFailure failure = putUp(context); failure.failed()) {
        reportFailure(context.status(), failure);
        ::_exit(125);
    }
    // After the identity has changed, since that clears both.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    const pid_t program = ::fork();
    if (program == 0)
        runProgram(context);
    if (program < 0) {
        reportFailure(context.status(), failedStep(-1, "fork"));
        ::_exit(125);
    }
    context.passed.clear();
    context.bindSources.clear();
    for (const wire::FixedFd used : {wire::BundleFd, wire::InFd, wire::OutFd, wire::ErrorFd})
        context.fixed[used].reset();
    ::close(3);
    dropCapabilities();
    supervise(context, program, signals);
}

} // namespace kw
