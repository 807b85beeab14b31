// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/calibrate.h"

#include "worker/bandwidth_loops.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>

namespace kw {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Freed {
    void operator()(float* memory) const { std::free(memory); }
};
using Buffer = std::unique_ptr<float, Freed>;

Buffer allocate(std::size_t floats)
{
    return Buffer(static_cast<float*>(std::aligned_alloc(64, std::max<std::size_t>(floats, 64) * sizeof(float))));
}

void pinTo(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    ::pthread_setaffinity_np(::pthread_self(), sizeof set, &set);
}

/// Runs the same work on every CPU at once, over and over, and reports the best time of a pass.
class Team {
public:
    explicit Team(std::vector<int> cpus) : m_cpus(std::move(cpus)) {}
    std::size_t size() const { return m_cpus.size(); }

    /// `prepare(thread)` once (first touch), then `passes` timed calls of `work(thread)`, all threads between barriers.
    double best(int passes, const std::function<void(std::size_t)>& prepare, const std::function<void(std::size_t)>& work) const
    {
        std::barrier barrier(static_cast<std::ptrdiff_t>(size()));
        double best = 0;
        std::vector<std::jthread> threads;
        for (std::size_t thread = 0; thread < size(); ++thread)
            threads.emplace_back([&, thread] {
                pinTo(m_cpus[thread]);
                prepare(thread);
                work(thread);
                for (int pass = 0; pass < passes; ++pass) {
                    barrier.arrive_and_wait();
                    const auto start = Clock::now();
                    work(thread);
                    barrier.arrive_and_wait();
                    if (thread != 0)
                        continue;
                    const double seconds = secondsSince(start);
                    best = best == 0 ? seconds : std::min(best, seconds);
                }
            });
        threads.clear();
        return best;
    }

private:
    std::vector<int> m_cpus;
};

constexpr double passSeconds = 0.001;        ///< a pass is long against the barriers and short against a time slice

/// Bandwidths at one working set, shared out evenly between the threads.
Calibration::Point measurePoint(const Team& team, const BandwidthLoops& loops, double bytes)
{
    const std::size_t share = std::max<std::size_t>(static_cast<std::size_t>(bytes / static_cast<double>(team.size()) / sizeof(float)) / 128 * 128, 128);
    std::vector<Buffer> memory(team.size());
    std::vector<float> sinks(team.size() * 16);
    const auto prepare = [&](std::size_t thread) {
        memory[thread] = allocate(share);
        std::fill_n(memory[thread].get(), share, 1.0F);
    };
    const double total = static_cast<double>(share * sizeof(float) * team.size());
    const auto repeats = static_cast<std::size_t>(std::max(1.0, passSeconds * 20e9 * static_cast<double>(team.size()) / total));
    const int passes = bytes > 64e6 ? 4 : 15;
    const auto rate = [&](const std::function<void(std::size_t)>& once) {
        const double seconds = team.best(passes, prepare, [&](std::size_t thread) {
            for (std::size_t repeat = 0; repeat < repeats; ++repeat)
                once(thread);
        });
        return seconds > 0 ? total * static_cast<double>(repeats) / seconds : 0;
    };
    Calibration::Point point;
    point.bytes = total;
    point.read = rate([&](std::size_t thread) { sinks[thread * 16] += loops.read(memory[thread].get(), share); });
    point.write = rate([&](std::size_t thread) { loops.write(memory[thread].get(), share, 2.0F); });
    point.copy = rate([&](std::size_t thread) { loops.copy(memory[thread].get(), memory[thread].get() + share / 2, share / 2); });
    return point;
}

double measureFlops(const Team& team, const BandwidthLoops& loops)
{
    constexpr std::size_t rounds = 200'000;
    std::vector<float> sinks(team.size() * 16);
    const double seconds = team.best(9, [](std::size_t) { }, [&](std::size_t thread) {
        sinks[thread * 16] += loops.multiplyAdd(rounds, static_cast<float>(thread) * 0.01F);
    });
    const std::atomic<float> used = sinks.front();
    static_cast<void>(used.load());
    return seconds > 0 ? loops.flopsPerRound * static_cast<double>(rounds * team.size()) / seconds : 0;
}

} // namespace

Result<Calibration> calibrate(const std::vector<int>& cpus, double lastLevelCacheBytes, std::stop_token stop)
{
    const Team team(cpus);
    const BandwidthLoops loops = bandwidthLoops();
    Calibration calibration;
    calibration.threads = static_cast<std::int32_t>(cpus.size());
    calibration.lastLevelCacheBytes = lastLevelCacheBytes;
    calibration.flops = measureFlops(team, loops);
    const double most = std::clamp(4 * lastLevelCacheBytes, 64e6, 256e6);
    for (double bytes = 32768; ; bytes = std::min(bytes * 4, most)) {
        if (stop.stop_requested())
            return error("judge.stopped");
        calibration.bandwidth.push_back(measurePoint(team, loops, bytes));
        if (bytes >= most)
            return calibration;
    }
}

} // namespace kw
