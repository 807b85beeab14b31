// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/python_eager.h"

#include "base/cpu_lock.h"
#include "base/file.h"
#include "base/json_io.h"
#include "measure/statistics.h"

#include <cmath>
#include <cstdlib>
#include <thread>

namespace kw {

namespace fs = std::filesystem;

namespace {

constexpr double mostSeconds = 120;             // importing, loading and timing
constexpr std::size_t mostOutput = 1 << 16, longestReason = 200;
constexpr const char* modelInside = "/model.pt2";
// As the worker times a model.
constexpr const char* blocks = "3";
constexpr const char* blockSeconds = "0.25";

Error failed(const std::string& why)
{
    return Error{Message("eager.failed").with("why", why.size() > longestReason ? why.substr(why.size() - longestReason) : why), why};
}

int allThreads()
{
    return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
}

/// The last line says what was raised.
std::string lastLine(const std::string& text)
{
    const auto end = text.find_last_not_of("\n ");
    if (end == std::string::npos)
        return {};
    const auto begin = text.rfind('\n', end);
    return text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

} // namespace

Result<fs::path> torchPython()
{
    fs::path python;
    if (const char* given = std::getenv("KERNELWRIGHT_TORCH_PYTHON")) {
        if (!*given)
            return error("eager.no_python");
        python = given;
    } else {
        const char* cache = std::getenv("XDG_CACHE_HOME");
        const char* home = std::getenv("HOME");
        if (!(cache && *cache) && !(home && *home))
            return error("eager.no_python");
        python = (cache && *cache ? fs::path(cache) : fs::path(home) / ".cache") / "kernelwright" / "venv" / "bin" / "python";
    }
    std::error_code missing;
    if (!fs::exists(python, missing))
        return Error{Message("eager.missing").with("path", python.string()), {}};
    return fs::absolute(python, missing);
}

Result<double> eagerSeconds(const std::string& output)
{
    const auto json = parseJson(output);
    if (!json || !json->is_object())
        return failed("its answer has another form");
    if (json->contains("absent"))
        return error("eager.no_inputs");
    const Json seconds = json->value("seconds", Json());
    if (!seconds.is_array() || seconds.empty() || seconds.size() > 100)
        return failed("its answer has another form");
    std::vector<double> values;
    for (const Json& each : seconds) {
        if (!each.is_number() || !(each.get<double>() > 0) || !std::isfinite(each.get<double>()))
            return failed("its answer holds a time that is none");
        values.push_back(each.get<double>());
    }
    return median(std::move(values));
}

Result<void> PythonEager::prepare()
{
    if (m_launcher)
        return {};
    KW_TRY(m_python, torchPython());
    KW_TRY(m_script, readFile(resourceFolder() / "python" / "time_eager.py", 1 << 16));
    KW_TRY(m_launcher, Launcher::start());
    return {};
}

SandboxPolicy PythonEager::policy(bool keepMemory) const
{
    SandboxPolicy policy;
    // Not resolved: a virtual environment is found by the link's place.
    const fs::path environment = m_python.parent_path().parent_path();
    policy.binds = {{environment.string(), environment.string()}, {m_model.string(), modelInside}};
    policy.files = {{"time_eager.py", m_script}};
    policy.limits.memoryBytes = 0;
    policy.limits.cpuSeconds = static_cast<std::uint64_t>(mostSeconds) * static_cast<std::uint64_t>(allThreads());
    policy.limits.processes = 256;
    policy.limits.openFiles = 1024;
    policy.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/tmp", "USER=user", "OMP_NUM_THREADS=" + std::to_string(allThreads()),
        "MKL_NUM_THREADS=" + std::to_string(allThreads())};
    // One heap that never shrinks: the values of the worker's processes.
    if (keepMemory)
        policy.environment.insert(policy.environment.end(),
            {"MALLOC_MMAP_THRESHOLD_=1073741824", "MALLOC_TRIM_THRESHOLD_=2147483647", "MALLOC_TOP_PAD_=67108864"});
    policy.unsafe = m_unsafe;
    return policy;
}

Result<double> PythonEager::run(bool keepMemory, std::stop_token stop)
{
    KW_CHECK(prepare());
    KW_TRY(const CpuLock lock, CpuLock::acquire(CpuLock::Mode::Alone, stop));
    const std::vector<std::string> arguments{
        m_python.string(), "-I", "-B", "time_eager.py", modelInside, std::to_string(allThreads()), blocks, blockSeconds};
    KW_TRY(const ToolRun run, runTool(*m_launcher, policy(keepMemory), arguments, mostSeconds, stop, mostOutput));
    if (stop.stop_requested())
        return error("judge.stopped");
    if (run.timedOut)
        return failed("it took longer than two minutes");
    if (run.cause.kind != ExitCause::Kind::Exited || run.cause.code != 0) {
        const std::string said = lastLine(run.errors);
        return failed(said.empty() ? debugText(describe(run.cause)) : said);
    }
    return eagerSeconds(run.output);
}

} // namespace kw
