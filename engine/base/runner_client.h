// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/arena.h"
#include "base/child_process.h"
#include "base/sandbox/launcher.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace kw {

/// How a runner failed; the judge maps it to FailureKind.
enum class RunnerFailure : std::uint8_t {
    None, NotStarted, LoadFailed, Crashed, TimedOut, OutOfMemory, ProtocolViolated, BackgroundWork, Stopped,
};

/// What a runner is started with. The arena must outlive the client.
struct RunnerSpec {
    std::string artifact;                    ///< bytes of the shared object
    std::vector<std::int64_t> dimensions;    ///< passed to kw_launch
    SandboxLimits limits{.cpuSeconds = 600}; ///< memoryBytes is on top of the arena
    std::vector<int> cpus;                   ///< the only CPUs it may run on; empty: every one
    int threads = 1;                         ///< OMP_NUM_THREADS; the process may have at most this many (+0) threads
    std::vector<std::string> environment;    ///< in addition, e.g. "OMP_WAIT_POLICY=passive"
    double startSeconds = 5;                 ///< load and constructors must be done by then
    bool unsafe = false;
};

/// Eight bytes of an input that change after the clock has started, so that nothing can be computed ahead.
/// Each costs a few nanoseconds of the timed window. Draw positions and values afresh for every batch; the expected
/// output is computed from what the arena's input holds after the call.
struct LatePatch {
    std::uint32_t slot = 0, buffer = 0;      ///< an input
    std::uint64_t offset = 0;                ///< in bytes, <= buffer's bytes - size
    std::uint32_t size = 8;                  ///< 1..8 bytes
    std::uint64_t value = 0;                 ///< the low `size` bytes are written
};

/// One batch as seen from outside.
struct CallTiming {
    double seconds = 0;          ///< OUR steady clock, from just before the patches and the publish to just after the reply
    double cpuSeconds = 0;       ///< the runner's CPU clock from its wake-up until it was stopped again, all threads
    double runnerSeconds = 0;    ///< what the runner says: a diagnostic that decides nothing
    double wakeSeconds = 0;      ///< OUR clock, from the wake-up to the window: the only time before it in which a thread could work
    std::int64_t involuntarySwitches = 0, voluntarySwitches = 0; ///< of the runner, wake-up to stop
    std::uint32_t mxcsr = 0;     ///< as the runner says: a diagnostic
    std::uint32_t calls = 0;
};

/// The OpenMP settings that every timed process gets, library and candidate alike. A waiting thread of the pool spins for some
/// 1.5 ms (libgomp's own choice is ten times as long): it is there for the next region of a model that is running, and asleep
/// when the process rests.
std::vector<std::string> poolEnvironment(int threads);

struct CallOutcome {
    RunnerFailure failure = RunnerFailure::None;
    Message reason;              ///< empty on success
    std::optional<ExitCause> exit; ///< how the process ended, when it did
    CallTiming timing;
    bool ok() const { return failure == RunnerFailure::None; }
};

/// Our end of the wire to a runner: command page (only we write), reply page, control socket.
/// Made first; its remote ends are passed to the process that serves (RunnerServer).
class RunnerChannel {
public:
    struct State;
    /// Errors: "runner.no_channel" (why), "arena.bad_layout".
    static Result<RunnerChannel> create(const Arena& arena, const std::vector<std::int64_t>& dimensions);
    explicit RunnerChannel(std::unique_ptr<State> state);
    ~RunnerChannel();
    RunnerChannel(RunnerChannel&&) noexcept;
    RunnerChannel& operator=(RunnerChannel&&) noexcept;

    /// The five descriptors as the server expects them: see RunnerFds in base/runner_server.h.
    std::vector<PassedFd> remoteFds() const;
    State& state() { return *m_state; }

private:
    std::unique_ptr<State> m_state;
};

/// The judge's handle on one runner process: starts it, sends batches of calls, times them with our clock.
/// Every send or receive error, unsolicited or wrong reply ends the process and is a failure for good: after the first
/// failure each call returns it again. Not thread-safe; movable; blocks the calling thread.
/// For precise timing pin the calling thread to a CPU outside RunnerSpec::cpus: it then spins for the reply.
class RunnerClient {
public:
    struct State;
    /// Starts a sandboxed runner for a built candidate and waits until it is ready.
    /// A candidate that crashes or hangs while loading gives a client whose startOutcome() is not ok.
    /// Errors are ours: spawn failed, sandbox below minimum.
    static Result<RunnerClient> start(const Launcher& launcher, Arena& arena, const RunnerSpec& spec, std::stop_token stop = {});
    /// Takes over a process of ours that serves the channel (the reference in a fresh worker process).
    /// Idle and thread checks are off when `trusted`.
    static RunnerClient attach(Arena& arena, RunnerChannel channel, std::unique_ptr<ChildProcess> process, bool trusted,
        double startSeconds, std::stop_token stop = {});
    explicit RunnerClient(std::unique_ptr<State> state);
    ~RunnerClient();
    RunnerClient(RunnerClient&&) noexcept;
    RunnerClient& operator=(RunnerClient&&) noexcept;

    const CallOutcome& startOutcome() const;
    const SandboxReport& report() const;

    /// One batch: the slots are called in the given order (repeats allowed, at most maxBatch). The runner learns order
    /// and patches only after the clock has started. An empty batch times the handshake itself.
    /// Between two calls the whole runner is stopped (SIGSTOP), so that nothing is computed outside of the timed window.
    /// Before: it must have been silent since its last reply (else ProtocolViolated). After: it must have no more threads
    /// than allowed (else BackgroundWork).
    CallOutcome call(std::span<const std::uint32_t> slots, double timeoutSeconds, std::span<const LatePatch> patches = {},
        std::stop_token stop = {});
    /// Slots first, first + 1, ... (modulo the ring).
    CallOutcome call(std::uint32_t first, std::uint32_t count, double timeoutSeconds, std::stop_token stop = {});

    /// Lets the runner run for `seconds`, in which it must not use any CPU time beyond falling asleep: shows threads that go on
    /// working behind a reply. Several looks in a row that find work are BackgroundWork.
    CallOutcome checkIdle(double seconds = 0.002);

    /// Median seconds of an empty batch (repeated now): subtract it from CallTiming::seconds of short batches.
    double handshakeSeconds(int repeats = 15);

    /// Ends the runner at once (also from another thread).
    void kill();

    static constexpr std::uint32_t maxBatch = 65536;

private:
    std::unique_ptr<State> m_state;
};

} // namespace kw
