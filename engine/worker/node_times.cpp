// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/node_times.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>

namespace kw {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int fewestRuns = 5, mostRuns = 200, warmUps = 2;

double secondsBetween(Clock::time_point start, Clock::time_point end)
{
    return std::chrono::duration<double>(end - start).count();
}

double median(std::vector<double> samples)
{
    if (samples.empty())
        return 0;
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
}

/// A node's time runs from its start to the next node's start: freeing dead values belongs to it.
class StopWatch final : public RunObserver {
public:
    explicit StopWatch(std::size_t nodes) : m_samples(nodes) {}

    void nodeStarts(std::int32_t node) override
    {
        const auto now = Clock::now();
        finish(now);
        m_current = node;
        m_start = now;
    }
    void runEnds() { finish(Clock::now()); }
    std::vector<double> medians() const
    {
        std::vector<double> result;
        for (const auto& samples : m_samples)
            result.push_back(median(samples));
        return result;
    }

private:
    void finish(Clock::time_point now)
    {
        if (m_current >= 0)
            m_samples[static_cast<std::size_t>(m_current)].push_back(secondsBetween(m_start, now));
        m_current = -1;
    }

    std::vector<std::vector<double>> m_samples;
    std::int32_t m_current = -1;
    Clock::time_point m_start;
};

Result<double> runOnce(Model& model, RunObserver* observer, const std::stop_token& stop)
{
    const auto start = Clock::now();
    const auto outputs = model.executor->run(model.inputs.values, observer, stop);
    const auto end = Clock::now();
    if (!outputs)
        return outputs.error().message.id == "execute.stopped" ? error("judge.stopped") : outputs.error();
    return secondsBetween(start, end);
}

} // namespace

Result<NodeTimes> timeNodes(Model& model, double seconds, const std::function<void(double)>& progress, std::stop_token stop)
{
    StopWatch watch(model.executor->graph().nodes.size());
    for (int run = 0; run < warmUps; ++run) {
        KW_TRY([[maybe_unused]] const double ignored, runOnce(model, nullptr, stop));
    }
    std::vector<double> whole;
    const auto start = Clock::now();
    for (int run = 0; run < mostRuns; ++run) {
        const double spent = secondsBetween(start, Clock::now());
        if (run >= fewestRuns && spent >= seconds)
            break;
        if (progress)
            progress(std::min(1.0, std::max(spent / seconds, static_cast<double>(run) / mostRuns)));
        KW_TRY(const double plain, runOnce(model, nullptr, stop));
        whole.push_back(plain);
        KW_TRY([[maybe_unused]] const double observed, runOnce(model, &watch, stop));
        watch.runEnds();
    }
    return NodeTimes{median(whole), watch.medians(), static_cast<std::int32_t>(whole.size())};
}

void setLibraryThreads(int threads)
{
    at::set_num_threads(std::max(1, threads));
}

int libraryThreads()
{
    return at::get_num_threads();
}

} // namespace kw
