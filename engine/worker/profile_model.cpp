// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/profile_model.h"

#include "base/cpu_lock.h"
#include "base/file.h"
#include "base/json_io.h"
#include "base/subprocess.h"
#include "worker/calibrate.h"
#include "worker/measure/machine.h"
#include "worker/measure/measurer.h"
#include "worker/node_times.h"
#include "worker/operator_work.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace kw {
namespace {

constexpr double keptShare = 0.65;       ///< of the time: the process with kept memory is the one that the table shows
constexpr double startAllowance = 60;    ///< for loading the library and the model in the fresh process

Error noProcess(std::string why)
{
    return Error{Message("profile.no_process").with("why", std::move(why)), {}};
}

Json toJson(const NodeTimes& times)
{
    return Json{{"seconds", times.seconds}, {"nodes", times.nodes}, {"runs", times.runs}};
}

Result<NodeTimes> fromText(const std::string& text, std::size_t nodes)
{
    KW_TRY(const Json json, parseJson(text));
    try {
        NodeTimes times{json.at("seconds").get<double>(), json.at("nodes").get<std::vector<double>>(), json.at("runs").get<std::int32_t>()};
        if (times.nodes.size() == nodes)
            return times;
    } catch (const nlohmann::json::exception&) {
        // The process said something else: most likely why it failed.
    }
    return noProcess(text.substr(0, 500));
}

/// Everything that the child writes to the pipe, until it closes it.
Result<std::string> readAll(int descriptor, double seconds, const std::stop_token& stop)
{
    std::string text;
    char buffer[65536];
    constexpr int slice = 50;
    for (double waited = 0; waited < seconds;) {
        if (stop.stop_requested())
            return error("judge.stopped");
        pollfd polled{descriptor, POLLIN, 0};
        if (::poll(&polled, 1, slice) <= 0) {
            waited += slice / 1000.0;
            continue;
        }
        const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return text;
        text.append(buffer, static_cast<std::size_t>(count));
    }
    return noProcess("it takes too long");
}

/// Node times of a fresh process that leaves the allocator as it is.
Result<NodeTimes> timesWithDefaults(const Model& model, int threads, double seconds, const std::stop_token& stop)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return noProcess(std::strerror(errno));
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    SubprocessOptions options;
    options.program = executableFolder() / "kernelwright-worker";
    options.arguments = {"--role", "profile", "--threads", std::to_string(threads), "--seconds", std::to_string(seconds), "--model",
        model.path.string()};
    options.environment = {"OMP_NUM_THREADS=" + std::to_string(threads), "MKL_NUM_THREADS=" + std::to_string(threads)};
    options.streams.out = writing.get();
    options.streams.error = STDERR_FILENO;
    KW_TRY(Subprocess process, Subprocess::start(options));
    writing.reset();
    KW_TRY(const std::string text, readAll(reading.get(), seconds * 4 + startAllowance, stop));
    process.waitFor(5, stop);
    return fromText(text, model.executor->graph().nodes.size());
}

void fillNodes(Profile& profile, const Graph& typed, const NodeTimes& kept, const NodeTimes& defaults)
{
    for (std::size_t index = 0; index < typed.nodes.size(); ++index) {
        const OperatorWork work = operatorWork(typed, typed.nodes[index]);
        NodeTime time;
        time.node = static_cast<std::int32_t>(index);
        time.seconds = kept.nodes[index];
        time.allocationSeconds = std::max(0.0, defaults.nodes[index] - kept.nodes[index]);
        time.bytes = work.bytes;
        time.flops = work.flops;
        profile.nodeSeconds += time.seconds;
        if (work.product)
            profile.productSeconds += time.seconds;
        profile.nodes.push_back(time);
    }
}

} // namespace

Result<Profile> profileModel(Model& model, const Graph& typed, const ProfileOptions& options, const ProgressCallback& progress,
    std::stop_token stop)
{
    const auto tell = [&progress](const char* id, double done) {
        if (progress)
            progress(JudgeProgress{Message(id), done, 1});
    };
    auto cpus = usableCpus();
    if (options.threads > 0 && static_cast<std::size_t>(options.threads) < cpus.size())
        cpus.resize(static_cast<std::size_t>(options.threads));
    const int threads = static_cast<int>(cpus.size());
    KW_TRY(const CpuLock lock, CpuLock::acquire(CpuLock::Mode::Alone, stop));
    Profile profile;
    profile.threads = threads;
    tell("worker.calibrating", 0);
    KW_TRY(profile.calibration, calibrate(cpus, lastLevelCacheBytes(), stop));
    tell("worker.profiling", 0.1);
    const int before = libraryThreads();
    setLibraryThreads(threads);
    auto kept = timeNodes(model, options.seconds * keptShare, [&](double done) { tell("worker.profiling", 0.1 + 0.6 * done); }, stop);
    setLibraryThreads(before);
    if (!kept)
        return kept.error();
    tell("worker.profiling_defaults", 0.7);
    KW_TRY(const NodeTimes defaults, timesWithDefaults(model, threads, options.seconds * (1 - keptShare), stop));
    profile.seconds = kept->seconds;
    profile.defaultSeconds = defaults.seconds;
    profile.runs = kept->runs;
    fillNodes(profile, typed, *kept, defaults);
    tell("worker.profiling", 1);
    return profile;
}

int runProfileRole(const std::filesystem::path& path, int threads, double seconds, int output)
{
    setLibraryThreads(threads);
    auto model = loadModel(path, false);
    Result<NodeTimes> times = model ? timeNodes(*model, seconds) : Result<NodeTimes>(model.error());
    const std::string text = times ? dump(toJson(*times)) : debugText(times.error().message);
    std::string_view left = text;
    while (!left.empty()) {
        const ssize_t count = ::write(output, left.data(), left.size());
        if (count <= 0)
            return 1;
        left.remove_prefix(static_cast<std::size_t>(count));
    }
    return times ? 0 : 1;
}

} // namespace kw
