// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sandbox/launcher.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace kw {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
    UniqueFd read, write;
    bool open()
    {
        int pair[2] = {-1, -1};
        if (::pipe2(pair, O_CLOEXEC) != 0)
            return false;
        read.reset(pair[0]);
        write.reset(pair[1]);
        return ::fcntl(read.get(), F_SETFL, O_NONBLOCK) == 0;
    }
};

/// Takes what is there; beyond the limit it is read and dropped, so that the tool never blocks. False at the end.
bool drain(const UniqueFd& from, std::string& text, std::size_t limit)
{
    char buffer[1 << 14];
    for (;;) {
        const ssize_t count = ::read(from.get(), buffer, sizeof buffer);
        if (count < 0)
            return errno == EAGAIN || errno == EINTR;
        if (count == 0)
            return false;
        text.append(buffer, std::min(static_cast<std::size_t>(count), limit - std::min(limit, text.size())));
    }
}

/// Reads both streams until both are closed, time is over or stop is requested.
void readStreams(const Pipe& output, const Pipe& errors, ToolRun& run, std::size_t limit, Clock::time_point end, const std::stop_token& stop)
{
    bool outputOpen = true, errorsOpen = true;
    while ((outputOpen || errorsOpen) && Clock::now() < end && !stop.stop_requested()) {
        pollfd waits[2] = {{outputOpen ? output.read.get() : -1, POLLIN, 0}, {errorsOpen ? errors.read.get() : -1, POLLIN, 0}};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
        // A stop request is seen within this slice.
        ::poll(waits, 2, static_cast<int>(std::clamp<std::int64_t>(left, 0, 50)));
        if (waits[0].revents != 0)
            outputOpen = drain(output.read, run.output, limit);
        if (waits[1].revents != 0)
            errorsOpen = drain(errors.read, run.errors, limit);
    }
}

} // namespace

Result<ToolRun> runTool(const Launcher& launcher, const SandboxPolicy& policy, const std::vector<std::string>& arguments,
    double seconds, std::stop_token stop, std::size_t outputLimit)
{
    Pipe output, errors;
    if (!output.open() || !errors.open())
        return Error{Message("sandbox.spawn_failed").with("step", "pipe").with("why", "pipe"), {}};
    const Clock::time_point start = Clock::now();
    const Clock::time_point end = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    ToolRun run;
    KW_TRY(SandboxedProcess process, launcher.spawn(policy, arguments, {}, {-1, output.write.get(), errors.write.get()}));
    output.write.reset();
    errors.write.reset();
    run.report = process.report();
    readStreams(output, errors, run, outputLimit, end, stop);
    const double left = std::chrono::duration<double>(end - Clock::now()).count();
    run.cause = process.waitFor(std::max(0.0, left), stop);
    if (!run.cause.ended()) {
        run.timedOut = !stop.stop_requested();
        process.kill();
        run.cause = process.waitFor(5);
    }
    run.collected = process.collected();
    run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return run;
}

} // namespace kw
