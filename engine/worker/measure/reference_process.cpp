// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/measure/reference_process.h"

#include "base/file.h"
#include "base/json_io.h"
#include "base/subprocess.h"
#include "graph/graph.h"
#include "worker/verify/inputs.h"

#include <cerrno>
#include <cstring>

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kw {
namespace {

constexpr int problemFd = 8;

Result<UniqueFd> memoryFile(const std::string& text)
{
    UniqueFd file(::memfd_create("kw-reference", MFD_CLOEXEC));
    for (std::size_t done = 0; file && done < text.size();) {
        const ssize_t count = ::write(file.get(), text.data() + done, text.size() - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            file.reset();
        else
            done += static_cast<std::size_t>(count);
    }
    if (!file || ::lseek(file.get(), 0, SEEK_SET) != 0)
        return Error{Message("process.cannot_start").with("program", "memfd").with("why", std::strerror(errno)), {}};
    return file;
}

/// The affinity of the calling thread while it lives: a child inherits it at its start.
class AffinityGuard {
public:
    explicit AffinityGuard(const std::vector<int>& cpus)
    {
        m_changed = !cpus.empty() && sched_getaffinity(0, sizeof m_before, &m_before) == 0;
        cpu_set_t set;
        CPU_ZERO(&set);
        for (const int cpu : cpus)
            CPU_SET(cpu, &set);
        if (m_changed)
            m_changed = sched_setaffinity(0, sizeof set, &set) == 0;
    }
    ~AffinityGuard()
    {
        if (m_changed)
            sched_setaffinity(0, sizeof m_before, &m_before);
    }
    AffinityGuard(const AffinityGuard&) = delete;
    AffinityGuard& operator=(const AffinityGuard&) = delete;

private:
    cpu_set_t m_before = {};
    bool m_changed = false;
};

} // namespace

Result<RunnerClient> startReference(const Problem& problem, const std::vector<std::int64_t>& dimensions, Arena& arena,
    const ReferenceProcessSpec& spec, std::stop_token stop)
{
    KW_TRY(const Graph graph, referenceAt(problem, dimensions));
    Json json{{"graph", graph}, {"inputs", Json::array()}};
    for (const TensorArgument& argument : problem.inputs)
        json["inputs"].push_back(concreteType(problem, argument, dimensions));
    KW_TRY(const UniqueFd description, memoryFile(dump(json)));
    KW_TRY(RunnerChannel channel, RunnerChannel::create(arena, dimensions));
    SubprocessOptions options;
    options.program = spec.worker.empty() ? std::filesystem::path("/proc/self/exe") : spec.worker;
    options.arguments = {"--role", "reference", "--threads", std::to_string(spec.threads)};
    options.environment = poolEnvironment(spec.threads);
    options.environment.push_back("MKL_NUM_THREADS=" + std::to_string(spec.threads));
    options.streams.error = STDERR_FILENO;
    options.descriptors = channel.remoteFds();
    options.descriptors.push_back(PassedFd{description.get(), problemFd});
    const AffinityGuard affinity(spec.cpus);
    KW_TRY(Subprocess process, Subprocess::start(options));
    return RunnerClient::attach(arena, std::move(channel), std::make_unique<Subprocess>(std::move(process)), true,
        spec.startSeconds, stop);
}

} // namespace kw
