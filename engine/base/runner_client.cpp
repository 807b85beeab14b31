// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/runner_client.h"

#include "base/defence.h"
#include "base/random.h"
#include "base/runner_channel.h"
#include "base/thread_cpus.h"

#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

namespace kw {
namespace {

using Clock = std::chrono::steady_clock;

double secondsBetween(Clock::time_point from, Clock::time_point to) { return std::chrono::duration<double>(to - from).count(); }
Clock::time_point after(double seconds)
{
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// A hypervisor may take any moment and charge it to whoever was running; work that goes on shows at every look.
constexpr int idleLooks = 3;
constexpr int poolSpins = 30000;
/// Per look: waking up and falling asleep, and a last spin of every other thread of the pool.
constexpr double idleOne = 0.0003, idleOther = 0.002;
/// Threads stop at their next return from the kernel or at an interrupt: at once. A machine that starves them takes longer.
constexpr double stopSeconds = 0.2;

constexpr double armSeconds = 5;
/// While the judge has a CPU of its own it spins, which ends the timed window without a wake-up in it.
constexpr double spinAlone = 0.05, spinShared = 0.0001;

} // namespace

/// One runner and how far we are with it.
struct RunnerClient::State {
    State(Arena& arenaOfRunner, RunnerChannel channelToRunner) : arena(&arenaOfRunner), channel(std::move(channelToRunner)),
        wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

    Arena* arena;
    RunnerChannel channel;
    std::unique_ptr<ChildProcess> process;
    UniqueFd wake;
    SandboxReport sandbox;
    CallOutcome start, failed;             ///< failed: the first failure, for good
    bool trusted = false;
    int threads = 1;
    double spinSeconds = spinShared;
    std::vector<int> cpus;                 ///< the runner's; empty: every one
    ProcessActivity atStop;                ///< when all of it had stopped
    bool frozen = false;
    std::uint32_t sequence = 0;

    wire::CommandPage& command() { return *channel.state().command; }
    wire::ReplyPage& reply() { return *channel.state().reply; }
    int control() { return channel.state().control.get(); }

    CallOutcome fail(RunnerFailure failure, Message reason);
    CallOutcome failGone();
    enum class Wait : std::uint8_t { Packet, Gone, TimedOut, Stopped };
    Wait waitForPacket(Clock::time_point end);
    CallOutcome failWait(Wait wait, double seconds);
    void waitUntilReady(double seconds);
    ProcessActivity freeze();
    void thaw();
    CallOutcome checkQuiet();
    CallOutcome arm();
    CallOutcome checkControlWord(std::uint32_t word);
    CallOutcome checkThreads();
    CallOutcome finish(Clock::time_point start, double timeout, CallTiming& timing);
};

CallOutcome RunnerClient::State::fail(RunnerFailure failure, Message reason)
{
    CallOutcome outcome;
    outcome.failure = failure;
    outcome.reason = std::move(reason);
    frozen = false;
    process->kill();
    outcome.exit = process->waitFor(5);
    failed = outcome;
    return outcome;
}

/// The other end is silent for good: told apart by how the process ended, if it has.
CallOutcome RunnerClient::State::failGone()
{
    thaw(); // it may have been about to end
    const ExitCause cause = process->waitFor(0.5);
    if (!cause.ended())
        return fail(RunnerFailure::ProtocolViolated, Message("runner.closed_channel"));
    RunnerFailure failure = RunnerFailure::Crashed;
    if (cause.limit == ExitCause::Limit::Memory)
        failure = RunnerFailure::OutOfMemory;
    else if (cause.limit == ExitCause::Limit::CpuTime)
        failure = RunnerFailure::TimedOut;
    else if (cause.kind == ExitCause::Kind::Refused)
        failure = RunnerFailure::NotStarted;
    return fail(failure, describe(cause));
}

RunnerClient::State::Wait RunnerClient::State::waitForPacket(Clock::time_point end)
{
    for (;;) {
        pollfd waits[3] = {{control(), POLLIN, 0}, {process->pidfd(), POLLIN, 0}, {wake.get(), POLLIN, 0}};
        const double left = std::clamp(secondsBetween(Clock::now(), end), 0.0, 1e6);
        const timespec time{static_cast<time_t>(left), static_cast<long>(1e9 * (left - static_cast<double>(static_cast<time_t>(left))))};
        const int ready = ::ppoll(waits, 3, &time, nullptr);
        if (ready < 0 && errno == EINTR)
            continue;
        if (waits[0].revents & POLLIN) {
            char byte = 0;
            return ::recv(control(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0 ? Wait::Packet : Wait::Gone;
        }
        if (waits[0].revents != 0 || waits[1].revents != 0)
            return Wait::Gone;
        if (waits[2].revents != 0)
            return Wait::Stopped;
        if (ready == 0)
            return Wait::TimedOut;
    }
}

CallOutcome RunnerClient::State::failWait(Wait wait, double seconds)
{
    if (wait == Wait::Gone)
        return failGone();
    if (wait == Wait::Stopped)
        return fail(RunnerFailure::Stopped, Message("runner.stopped"));
    return fail(RunnerFailure::TimedOut, Message("runner.timed_out").with("seconds", seconds));
}

void RunnerClient::State::waitUntilReady(double seconds)
{
    const Wait wait = waitForPacket(after(seconds));
    wire::Packet packet;
    if (wait != Wait::Packet) {
        start = failWait(wait, seconds);
    } else if (::recv(control(), &packet, sizeof packet, MSG_DONTWAIT) != sizeof packet || packet.nonce != command().setupNonce) {
        start = fail(RunnerFailure::ProtocolViolated, Message("runner.forged_reply"));
    } else if (packet.kind == wire::Packet::Refused) {
        const std::string why(packet.text, ::strnlen(packet.text, sizeof packet.text));
        start = fail(RunnerFailure::LoadFailed, Message("runner.load_failed").with("why", why));
    } else if (packet.kind != wire::Packet::Ready) {
        start = fail(RunnerFailure::ProtocolViolated, Message("runner.forged_reply"));
    } else if (!trusted) {
        start = checkControlWord(packet.mxcsr);
    }
    atStop = processActivity(process->pid());
}

/// Between batches the runner is stopped, every thread of it: work cannot hide outside of the timed window, and what is
/// inspected is what the reply promised. Only of a thread that is not running the kernel tells exactly what it has used.
ProcessActivity RunnerClient::State::freeze()
{
    frozen = ::kill(process->pid(), SIGSTOP) == 0;
    ProcessActivity activity;
    const Clock::time_point end = after(stopSeconds);
    do
        activity = processActivity(process->pid());
    while (frozen && activity.stopped < activity.threads && Clock::now() < end);
    return activity;
}

void RunnerClient::State::thaw()
{
    if (frozen)
        ::kill(process->pid(), SIGCONT);
    frozen = false;
}

/// Before a batch: nothing may have been said since the last reply.
CallOutcome RunnerClient::State::checkQuiet()
{
    char byte = 0;
    const ssize_t got = ::recv(control(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (!standing(Defence::Silence) && got != 0)
        return {};
    if (got > 0)
        return fail(RunnerFailure::ProtocolViolated, Message("runner.unsolicited_reply"));
    if (got == 0 || errno != EAGAIN)
        return failGone();
    if (reply().armed.load(std::memory_order_acquire) != sequence)
        return fail(RunnerFailure::ProtocolViolated, Message("runner.unsolicited_reply"));
    return {};
}

/// Wakes the runner and waits until it spins, so that no wake-up lies in the timed window.
CallOutcome RunnerClient::State::arm()
{
    wire::Packet packet;
    packet.kind = wire::Packet::Arm;
    packet.sequence = ++sequence;
    thaw();
    if (::send(control(), &packet, sizeof packet, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof packet)
        return failGone();
    const Clock::time_point end = after(armSeconds);
    for (std::uint32_t turns = 1; reply().armed.load(std::memory_order_acquire) != sequence; ++turns) {
        wire::relax();
        if (turns % 1024 != 0)
            continue;
        // On a shared CPU the runner needs ours to get there.
        std::this_thread::yield();
        pollfd waits[3] = {{control(), POLLIN, 0}, {process->pidfd(), POLLIN, 0}, {wake.get(), POLLIN, 0}};
        ::poll(waits, 3, 0);
        if (waits[2].revents != 0)
            return failWait(Wait::Stopped, 0);
        if (waits[0].revents & POLLHUP || waits[1].revents != 0)
            return failGone();
        if (Clock::now() > end)
            return failWait(Wait::TimedOut, armSeconds);
    }
    return {};
}

/// Waits for the reply; reads our clock first of all when it is there. Only the packet counts: a word in shared memory
/// could be written by a kernel long before its work is done.
CallOutcome RunnerClient::State::finish(Clock::time_point began, double timeout, CallTiming& timing)
{
    const auto afterBegin = [&](double seconds) {
        return began + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    };
    // On a CPU of the runner's, spinning would keep it from working.
    const bool inTheWay = std::find(cpus.begin(), cpus.end(), ::sched_getcpu()) != cpus.end();
    const Clock::time_point end = afterBegin(timeout), spinEnd = inTheWay ? began : std::min(end, afterBegin(spinSeconds));
    wire::Packet packet;
    ssize_t got = -1;
    for (std::uint32_t turns = 1;; ++turns) {
        got = ::recv(control(), &packet, sizeof packet, MSG_DONTWAIT);
        if (got >= 0 || errno != EAGAIN || (turns % 16 == 0 && Clock::now() > spinEnd))
            break;
        wire::relax();
    }
    if (got < 0) {
        const Wait wait = waitForPacket(end);
        if (wait != Wait::Packet)
            return failWait(wait, timeout);
        got = ::recv(control(), &packet, sizeof packet, MSG_DONTWAIT);
    }
    timing.seconds = secondsBetween(began, Clock::now());
    const ProcessActivity before = std::exchange(atStop, freeze());
    timing.cpuSeconds = atStop.cpuSeconds - before.cpuSeconds;
    timing.involuntarySwitches = atStop.involuntarySwitches - before.involuntarySwitches;
    timing.voluntarySwitches = atStop.voluntarySwitches - before.voluntarySwitches;
    if (got == 0)
        return failGone();
    const bool forged = packet.kind != wire::Packet::Reply || packet.sequence != sequence || packet.nonce != command().nonce;
    if (got != sizeof packet || (forged && standing(Defence::ReplyNonce)))
        return fail(RunnerFailure::ProtocolViolated, Message("runner.forged_reply"));
    timing.runnerSeconds = packet.seconds;
    timing.mxcsr = packet.mxcsr;
    return trusted ? CallOutcome{} : checkControlWord(packet.mxcsr);
}

CallOutcome RunnerClient::State::checkControlWord(std::uint32_t word)
{
    if ((word & wire::controlMask) == wire::controlWord || !standing(Defence::ControlWord))
        return {};
    return fail(RunnerFailure::ProtocolViolated, Message("runner.control_word").with("word", static_cast<std::int64_t>(word)));
}

/// Of the stopped runner, after every batch.
CallOutcome RunnerClient::State::checkThreads()
{
    if (atStop.threads > threads && standing(Defence::ThreadLimit))
        return fail(RunnerFailure::BackgroundWork,
            Message("runner.too_many_threads").with("threads", atStop.threads).with("allowed", threads));
    if (standing(Defence::Affinity) && leavesCpus(process->pid(), cpus))
        return fail(RunnerFailure::ProtocolViolated, Message("runner.other_cpus"));
    return {};
}

std::vector<std::string> poolEnvironment(int threads)
{
    const std::string count = std::to_string(std::max(1, threads));
    return {"OMP_NUM_THREADS=" + count, "OMP_DYNAMIC=false", "OMP_MAX_ACTIVE_LEVELS=1", "GOMP_SPINCOUNT=" + std::to_string(poolSpins)};
}

RunnerClient::RunnerClient(std::unique_ptr<State> state) : m_state(std::move(state)) {}
RunnerClient::~RunnerClient() = default;
RunnerClient::RunnerClient(RunnerClient&&) noexcept = default;
RunnerClient& RunnerClient::operator=(RunnerClient&&) noexcept = default;

Result<RunnerClient> RunnerClient::start(const Launcher& launcher, Arena& arena, const RunnerSpec& spec, std::stop_token stop)
{
    KW_TRY(RunnerChannel channel, RunnerChannel::create(arena, spec.dimensions));
    KW_TRY(const ArenaPlan plan, planArena(arena.layout()));
    SandboxPolicy policy;
    policy.role = SandboxPolicy::Role::Call;
    policy.limits = spec.limits;
    if (policy.limits.memoryBytes > 0)
        policy.limits.memoryBytes += plan.mapBytes;
    policy.files.push_back({"candidate.so", spec.artifact});
    policy.cpus = spec.cpus;
    policy.unsafe = spec.unsafe;
    policy.environment = poolEnvironment(spec.threads);
    policy.environment.insert(policy.environment.end(),
        {"LC_ALL=C", "OMP_THREAD_LIMIT=" + std::to_string(std::max(1, spec.threads)), "OMP_STACKSIZE=8M"});
    policy.environment.insert(policy.environment.end(), spec.environment.begin(), spec.environment.end());
    const std::vector<PassedFd> descriptors = channel.remoteFds();
    KW_TRY(SandboxedProcess process, launcher.spawn(policy, {}, descriptors));
    channel.state().remoteControl.reset();

    auto state = std::make_unique<State>(arena, std::move(channel));
    state->sandbox = process.report();
    state->process = std::make_unique<SandboxedProcess>(std::move(process));
    state->threads = std::max(1, spec.threads);
    state->cpus = spec.cpus;
    // CPU numbers that leave at least one to us: then spinning disturbs nobody.
    state->spinSeconds = !spec.cpus.empty() && spec.cpus.size() < std::thread::hardware_concurrency() ? spinAlone : spinShared;
    const std::stop_callback onStop(stop, [wake = state->wake.get()] { ::eventfd_write(wake, 1); });
    state->waitUntilReady(spec.startSeconds);
    return RunnerClient(std::move(state));
}

RunnerClient RunnerClient::attach(Arena& arena, RunnerChannel channel, std::unique_ptr<ChildProcess> process, bool trusted,
    double startSeconds, std::stop_token stop)
{
    channel.state().remoteControl.reset();
    auto state = std::make_unique<State>(arena, std::move(channel));
    state->process = std::move(process);
    state->trusted = trusted;
    state->spinSeconds = spinAlone;
    const std::stop_callback onStop(stop, [wake = state->wake.get()] { ::eventfd_write(wake, 1); });
    state->waitUntilReady(startSeconds);
    return RunnerClient(std::move(state));
}

const CallOutcome& RunnerClient::startOutcome() const { return m_state->start; }
const SandboxReport& RunnerClient::report() const { return m_state->sandbox; }
void RunnerClient::kill() { m_state->process->kill(); }

CallOutcome RunnerClient::call(std::span<const std::uint32_t> slots, double timeoutSeconds, std::span<const LatePatch> patches,
    std::stop_token stop)
{
    State& state = *m_state;
    if (!state.failed.ok())
        return state.failed;
    const auto slotBad = [&](std::uint32_t slot) { return slot >= state.arena->slots(); };
    const auto patchBad = [&](const LatePatch& patch) {
        return slotBad(patch.slot) || patch.buffer >= state.arena->layout().buffers.size() || patch.size > 8 ||
               patch.offset + patch.size > state.arena->layout().buffers[patch.buffer].bytes;
    };
    if (slots.size() > maxBatch || std::any_of(slots.begin(), slots.end(), slotBad) || std::any_of(patches.begin(), patches.end(), patchBad)) {
        CallOutcome outcome;
        outcome.failure = RunnerFailure::NotStarted;
        outcome.reason = Message("runner.bad_batch");
        return outcome;
    }
    const std::stop_callback onStop(stop, [wake = state.wake.get()] { ::eventfd_write(wake, 1); });
    if (CallOutcome outcome = state.checkQuiet(); !outcome.ok())
        return outcome;
    const Clock::time_point waking = Clock::now();
    if (CallOutcome outcome = state.arm(); !outcome.ok())
        return outcome;
    wire::CommandPage& command = state.command();
    const std::uint64_t nonce = secretSeed();
    CallOutcome outcome;
    outcome.timing.calls = static_cast<std::uint32_t>(slots.size());
    const Clock::time_point began = Clock::now();
    outcome.timing.wakeSeconds = secondsBetween(waking, began);
    for (const LatePatch& patch : patches)
        std::memcpy(state.arena->bytes(patch.slot, patch.buffer).data() + patch.offset, &patch.value, patch.size);
    std::copy(slots.begin(), slots.end(), command.order);
    command.count = static_cast<std::uint32_t>(slots.size());
    command.nonce = nonce;
    command.go.store(state.sequence, std::memory_order_release);
    const double patience = standing(Defence::Watchdog) ? timeoutSeconds : 3600;
    if (CallOutcome ended = state.finish(began, patience, outcome.timing); !ended.ok())
        return ended;
    if (CallOutcome checked = state.trusted ? CallOutcome{} : state.checkThreads(); !checked.ok())
        return checked;
    return outcome;
}

CallOutcome RunnerClient::call(std::uint32_t first, std::uint32_t count, double timeoutSeconds, std::stop_token stop)
{
    std::vector<std::uint32_t> slots(std::min(count, maxBatch + 1));
    for (std::uint32_t i = 0; i < slots.size(); ++i)
        slots[i] = (first + i) % m_state->arena->slots();
    return call(slots, timeoutSeconds, {}, stop);
}

CallOutcome RunnerClient::checkIdle(double seconds)
{
    if (!m_state->failed.ok())
        return m_state->failed;
    State& state = *m_state;
    CallOutcome outcome;
    for (int look = 0; look < idleLooks; ++look) {
        state.thaw();
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        const ProcessActivity before = std::exchange(state.atStop, state.freeze());
        if (outcome = state.checkQuiet(); !outcome.ok())
            return outcome;
        const double used = state.atStop.cpuSeconds - before.cpuSeconds;
        if (state.atStop.threads == 0)
            return state.failGone();
        if (state.trusted || !standing(Defence::IdleCheck) || used <= idleOne + idleOther * (state.threads - 1))
            return outcome;
        outcome.reason = Message("runner.background_work").with("seconds", used);
    }
    return state.fail(RunnerFailure::BackgroundWork, outcome.reason);
}

double RunnerClient::handshakeSeconds(int repeats)
{
    std::vector<double> samples;
    for (int i = 0; i < std::max(1, repeats); ++i) {
        const CallOutcome outcome = call(std::span<const std::uint32_t>(), 1);
        if (!outcome.ok())
            return 0;
        samples.push_back(outcome.timing.seconds);
    }
    std::nth_element(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2), samples.end());
    return samples[samples.size() / 2];
}

} // namespace kw
