// SPDX-License-Identifier: GPL-3.0-or-later
#include "judge/worker_process.h"

#include "base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace kw {
namespace {

Error noWorker(const std::filesystem::path& path, int number)
{
    return Error{Message("judge.no_worker").with("path", path.string()).with("why", std::strerror(number)), {}};
}

/// Standard input, output and error of the child; signals as a fresh program expects them.
struct SpawnPlan {
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};

    SpawnPlan(int stream, int errors)
    {
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, stream, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, stream, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
        posix_spawnattr_init(&attributes);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setpgroup(&attributes, 0);
        // An own process group: Ctrl+C in a terminal is the host's to answer, and a kill reaches the whole group.
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    ~SpawnPlan()
    {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
};

std::string endOfFile(int descriptor, off_t most)
{
    const off_t size = ::lseek(descriptor, 0, SEEK_END);
    if (size <= 0)
        return {};
    std::string text(static_cast<std::size_t>(std::min(size, most)), '\0');
    const ssize_t count = ::pread(descriptor, text.data(), text.size(), size - static_cast<off_t>(text.size()));
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
}

std::string causeOfDeath(int status)
{
    if (WIFSIGNALED(status))
        return "signal " + std::to_string(WTERMSIG(status));
    return "exit code " + std::to_string(WEXITSTATUS(status));
}

} // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const WorkerOptions& options)
{
    const auto path = options.worker.empty() ? executableFolder() / "kernelwright-worker" : options.worker;
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return noWorker(path, errno);
    UniqueFd ours(ends[0]);
    UniqueFd theirs(ends[1]);
    std::unique_ptr<WorkerProcess> process(new WorkerProcess);
    process->m_errors.reset(::memfd_create("worker-errors", MFD_CLOEXEC));
    std::vector<std::string> words{path.string()};
    if (options.unsafe)
        words.emplace_back("--unsafe");
    words.insert(words.end(), options.arguments.begin(), options.arguments.end());
    std::vector<char*> argv;
    for (auto& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const SpawnPlan plan(theirs.get(), process->m_errors.get());
    const int failed = ::posix_spawn(&process->m_pid, path.c_str(), &plan.actions, &plan.attributes, argv.data(), environ);
    if (failed != 0) {
        process->m_pid = -1;
        return noWorker(path, failed);
    }
    theirs.reset(); // or its death would not be seen as the end of the stream
    UniqueFd copy(::fcntl(ours.get(), F_DUPFD_CLOEXEC, 0));
    process->m_channel.emplace(std::move(ours), std::move(copy));

    const auto deadline = FrameChannel::Clock::now()
        + std::chrono::duration_cast<FrameChannel::Clock::duration>(std::chrono::duration<double>(options.startSeconds));
    const auto why = [&process, &options](const Error& error) {
        if (error.message.id == "protocol.timed_out")
            return Error{Message("judge.timed_out").with("seconds", options.startSeconds), process->finish().detail};
        return error.message.id == "protocol.closed" ? process->finish() : error;
    };
    auto greeting = process->m_channel->receive({}, deadline);
    if (!greeting)
        return why(greeting.error());
    KW_TRY([[maybe_unused]] const Hello hello, readHello(*greeting));
    if (auto sent = process->m_channel->send(helloFrame(), {}, deadline); !sent)
        return why(sent.error());
    return process;
}

void WorkerProcess::kill()
{
    if (m_pid > 0)
        ::kill(-m_pid, SIGKILL);
}

Error WorkerProcess::finish()
{
    int status = 0;
    if (m_pid > 0) {
        // A worker that has closed its streams ends by itself: give it a moment so that its own cause of death is seen.
        for (int round = 0; round < 50; ++round) {
            if (::waitpid(m_pid, &status, WNOHANG) == m_pid) {
                ::kill(-m_pid, SIGKILL);
                m_pid = -1;
                break;
            }
            if (round == 0)
                m_channel.reset();
            ::usleep(2000);
        }
    }
    if (m_pid > 0) {
        ::kill(-m_pid, SIGKILL);
        while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) { }
        m_pid = -1;
    }
    return Error{Message("judge.worker_died").with("how", causeOfDeath(status)), endOfFile(m_errors.get(), 4096)};
}

WorkerProcess::~WorkerProcess()
{
    if (m_pid > 0)
        finish();
}

} // namespace kw
