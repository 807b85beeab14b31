// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/child_process.h"

#include "base/unique_fd.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>

namespace kw {
namespace {

/// Small files of /proc; empty when the process is gone.
std::string readSmall(const std::string& path)
{
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    char buffer[4096];
    const ssize_t count = file ? ::read(file.get(), buffer, sizeof buffer) : -1;
    return count > 0 ? std::string(buffer, static_cast<std::size_t>(count)) : std::string();
}

std::int64_t numberAfter(const std::string& text, const char* label)
{
    const std::size_t found = text.find(label);
    return found == std::string::npos ? 0 : std::strtoll(text.c_str() + found + std::strlen(label), nullptr, 10);
}

const char* limitId(ExitCause::Limit limit)
{
    switch (limit) {
    case ExitCause::Limit::Memory: return "process.limit_memory";
    case ExitCause::Limit::CpuTime: return "process.limit_cpu";
    case ExitCause::Limit::FileSize: return "process.limit_file";
    case ExitCause::Limit::Processes: return "process.limit_processes";
    case ExitCause::Limit::None: break;
    }
    return "process.killed";
}

} // namespace

Message describe(const ExitCause& cause)
{
    switch (cause.kind) {
    case ExitCause::Kind::Running: return Message("process.running");
    case ExitCause::Kind::Exited: return Message("process.exited").with("code", cause.code);
    case ExitCause::Kind::Signalled: {
        const char* name = ::sigabbrev_np(cause.signal);
        return Message("process.signalled").with("signal", cause.signal).with("name", name ? std::string("SIG") + name : std::string("?"));
    }
    case ExitCause::Kind::Limit: return Message(limitId(cause.limit));
    case ExitCause::Kind::Killed: return Message("process.killed");
    case ExitCause::Kind::Refused: return cause.reason;
    }
    return Message("process.killed");
}

double processCpuSeconds(pid_t pid)
{
    clockid_t clock{};
    timespec time{};
    if (pid <= 0 || ::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
        return -1;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

ProcessActivity processActivity(pid_t pid)
{
    ProcessActivity activity;
    activity.cpuSeconds = std::max(0.0, processCpuSeconds(pid));
    const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(tasks.c_str()), &::closedir);
    while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
        if (entry->d_name[0] == '.')
            continue;
        const std::string status = readSmall(tasks + "/" + entry->d_name + "/status");
        const std::size_t state = status.find("\nState:\t");
        if (state == std::string::npos || status.compare(state + 8, 1, "Z") == 0 || status.compare(state + 8, 1, "X") == 0)
            continue; // gone, or about to be
        ++activity.threads;
        activity.stopped += status.compare(state + 8, 1, "T") == 0 ? 1 : 0;
        activity.involuntarySwitches += numberAfter(status, "nonvoluntary_ctxt_switches:");
        activity.voluntarySwitches += numberAfter(status, "\nvoluntary_ctxt_switches:");
    }
    return activity;
}

} // namespace kw
