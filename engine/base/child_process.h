// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <sys/types.h>

#include <cstdint>
#include <stop_token>

namespace kw {

/// Why a child process ended.
struct ExitCause {
    enum class Kind : std::uint8_t {
        Running,   ///< it has not ended (waitFor ran out of time or was stopped)
        Exited,    ///< code
        Signalled, ///< signal
        Limit,     ///< a resource limit ended it: limit
        Killed,    ///< we killed it
        Refused,   ///< the sandbox could not be set up: nothing of the program ran
    };
    enum class Limit : std::uint8_t { None, Memory, CpuTime, FileSize, Processes };

    Kind kind = Kind::Running;
    int code = 0;
    int signal = 0;
    Limit limit = Limit::None;
    double cpuSeconds = 0;             ///< user + system of everything inside
    std::uint64_t peakBytes = 0;       ///< largest resident size of one process inside
    Message reason;                    ///< set for Refused

    bool ended() const { return kind != Kind::Running; }
    bool success() const { return kind == Kind::Exited && code == 0; }
    friend bool operator==(const ExitCause&, const ExitCause&) = default;
};

/// "process.exited" (code), "process.signalled" (signal, name), "process.limit_memory" ... for a person.
Message describe(const ExitCause& cause);

/// What the outside sees of a running process' activity.
struct ProcessActivity {
    double cpuSeconds = 0;             ///< the process' CPU clock, all threads, nanosecond resolution
    std::int64_t voluntarySwitches = 0, involuntarySwitches = 0; ///< all threads together
    int threads = 0;                   ///< that have not ended
    int stopped = 0;                   ///< of the threads: stopped by a signal
};

/// A child that can be waited for and killed. Not thread-safe; kill() may be called from any thread.
class ChildProcess {
public:
    virtual ~ChildProcess() = default;

    /// The process whose work counts (inside a sandbox: the program, not its init), as a pid of our own namespace.
    virtual pid_t pid() const = 0;
    /// Readable when the process has ended. Borrowed.
    virtual int pidfd() const = 0;
    /// Waits up to `seconds` (negative: for ever). Kind::Running when time ran out or stop was requested.
    virtual ExitCause waitFor(double seconds, std::stop_token stop = {}) = 0;
    /// Ends the process and everything that it started. Returns when they are gone.
    virtual void kill() = 0;
};

/// The CPU clock of a process of ours, in seconds; negative when the process is gone. Of a thread that is running on another
/// CPU the kernel counts only what it had used at its last tick (1 to 10 ms ago): exact for processes that rest or are stopped.
double processCpuSeconds(pid_t pid);
/// CPU clock (as processCpuSeconds says), context switches and threads; zeros when the process is gone.
ProcessActivity processActivity(pid_t pid);

} // namespace kw
