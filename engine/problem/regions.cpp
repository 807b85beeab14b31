// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/regions.h"

#include "problem/grouping.h"
#include "problem/naming.h"
#include "problem/problem_file.h"
#include "problem/report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace kw {
namespace {

/// Nodes timed one by one can take longer than the run that holds them all. A part that is more than the whole would promise,
/// once it is fast, a model in no time or less: the whole is the truth.
Profile withinTheModel(Profile profile)
{
    double sum = 0;
    for (const NodeTime& time : profile.nodes)
        sum += time.seconds;
    if (!(profile.seconds > 0) || sum <= profile.seconds)
        return profile;
    for (NodeTime& time : profile.nodes) {
        time.seconds *= profile.seconds / sum;
        time.allocationSeconds *= profile.seconds / sum;
    }
    profile.nodeSeconds = profile.seconds;
    return profile;
}

Result<void> checkProfile(const Graph& graph, const Profile& profile)
{
    for (const NodeTime& time : profile.nodes)
        if (time.node < 0 || time.node >= std::ssize(graph.nodes) || !(time.seconds >= 0))
            return error("problem.profile_mismatch");
    return {};
}

/// Widest of both: a test input of either site must be possible.
void widen(InputDomain& domain, const InputDomain& other)
{
    const double low = std::min(domain.low, other.low), high = std::max(domain.high, other.high);
    const double gap = std::abs(domain.mean - other.mean) / 2;
    domain.mean = (domain.mean + other.mean) / 2;
    domain.deviation = std::max(domain.deviation, other.deviation) + gap;
    domain.low = low;
    domain.high = high;
    domain.bounded = domain.bounded && other.bounded;
}

/// Equal for regions that differ in proven bounds only: together they promise what both promise.
std::string mergeKey(Problem problem)
{
    for (TensorArgument& input : problem.inputs)
        input.domain.bounded = false;
    return problemId(problem);
}

/// Turns groups into problems, identical ones into one. Used once, on one thread.
class Collector {
public:
    Collector(const ModelView& view, const Profile& profile, const RegionOptions& options, const Grouping& grouping)
        : m_view(view), m_profile(profile), m_options(options), m_grouping(grouping), m_allocation(view.graph().nodes.size(), 0.0)
    {
        for (const NodeTime& time : profile.nodes)
            m_allocation[static_cast<std::size_t>(time.node)] = time.seconds > 0
                ? time.allocationSeconds * grouping.seconds(time.node) / time.seconds : 0;
    }

    void add(const Group& group)
    {
        double seconds = 0, allocation = 0;
        for (const std::int32_t index : group.cut.nodes) {
            if (m_view.role(index) != NodeRole::Compute)
                continue;
            seconds += m_grouping.seconds(index);
            allocation += m_allocation[static_cast<std::size_t>(index)];
        }
        if (auto problem = problemOf(m_view, group.cut, seconds, allocation, m_profile.calibration, m_options))
            merge(*std::move(problem));
    }

    std::vector<FoundRegion> take()
    {
        std::vector<FoundRegion> regions;
        for (Problem& problem : m_problems) {
            const auto calls = static_cast<double>(problem.calls());
            problem.seconds /= calls;
            problem.allocationSeconds /= calls;
            problem.shapes.front().calls = problem.calls();
            problem.id = problemId(problem);
            const double least = std::max(m_options.minimumSaving, m_options.minimumShare * m_profile.seconds);
            const bool worthwhile = problem.predictedSaving() >= least;
            regions.push_back({std::move(problem), worthwhile});
        }
        std::stable_sort(regions.begin(), regions.end(), [](const FoundRegion& left, const FoundRegion& right) {
            return left.problem.predictedSaving() > right.problem.predictedSaving();
        });
        return regions;
    }

private:
    /// seconds are sums over the sites until take().
    void merge(Problem problem)
    {
        const auto [entry, fresh] = m_index.emplace(mergeKey(problem), m_problems.size());
        if (fresh) {
            m_problems.push_back(std::move(problem));
            return;
        }
        Problem& known = m_problems[entry->second];
        known.seconds += problem.seconds;
        known.allocationSeconds += problem.allocationSeconds;
        known.sites.push_back(std::move(problem.sites.front()));
        for (std::size_t index = 0; index < known.inputs.size(); ++index) {
            widen(known.inputs[index].domain, problem.inputs[index].domain);
            known.inputs[index].sharedAcrossCalls = known.inputs[index].sharedAcrossCalls && problem.inputs[index].sharedAcrossCalls;
        }
    }

    const ModelView& m_view;
    const Profile& m_profile;
    const RegionOptions& m_options;
    const Grouping& m_grouping;
    std::vector<double> m_allocation;
    std::vector<Problem> m_problems;
    std::unordered_map<std::string, std::size_t> m_index;
};

/// Asks the options' predicate once per distinct problem.
class Acceptance {
public:
    Acceptance(const ModelView& view, const Profile& profile, const RegionOptions& options)
        : m_view(view), m_profile(profile), m_options(options)
    {
    }

    bool operator()(const Group& group)
    {
        if (!m_options.accepts)
            return true;
        const auto problem = problemOf(m_view, group.cut, 0, 0, m_profile.calibration, m_options);
        if (!problem)
            return false;
        const auto [entry, fresh] = m_known.emplace(problem->id, false);
        if (fresh)
            entry->second = m_options.accepts(*problem);
        return entry->second;
    }

private:
    const ModelView& m_view;
    const Profile& m_profile;
    const RegionOptions& m_options;
    std::unordered_map<std::string, bool> m_known;
};

/// Different problems get different names.
void makeNamesUnique(std::vector<FoundRegion>& regions)
{
    std::map<std::string, int> used;
    for (FoundRegion& region : regions)
        if (const int number = ++used[region.problem.name]; number > 1)
            region.problem.name += "_" + std::to_string(number);
}

} // namespace

Result<Partition> findRegions(const Graph& typed, const Profile& measured, const RegionOptions& options)
{
    KW_CHECK(validate(typed));
    KW_CHECK(checkProfile(typed, measured));
    const Profile profile = withinTheModel(measured);
    const ModelView view(typed);
    Acceptance acceptance(view, profile, options);
    Grouping grouping(view, profile, options, [&](const Group& group) { return acceptance(group); });
    const auto groups = grouping.run();
    Collector collector(view, profile, options, grouping);
    for (const auto& group : groups)
        collector.add(*group);
    std::vector<FoundRegion> regions = collector.take();
    makeNamesUnique(regions);

    std::vector<double> seconds;
    for (std::int32_t index = 0; index < std::ssize(typed.nodes); ++index)
        seconds.push_back(grouping.seconds(index));
    Partition partition;
    partition.report = makeReport(view, profile, regions, seconds);
    for (FoundRegion& region : regions)
        if (region.worthwhile)
            partition.problems.push_back(std::move(region.problem));
    return partition;
}

Result<Problem> cutProblem(const Graph& typed, const std::vector<std::int32_t>& nodes, const Profile& measured,
    const RegionOptions& options)
{
    KW_CHECK(validate(typed));
    KW_CHECK(checkProfile(typed, measured));
    const Profile profile = withinTheModel(measured);
    const auto cannot = [](const char* what) { return Error{Message("problem.cannot_cut").with("what", what), {}}; };
    const ModelView view(typed);
    for (const std::int32_t index : nodes) {
        if (index < 0 || index >= std::ssize(typed.nodes))
            return cannot("a node does not exist");
        if (view.role(index) == NodeRole::Opaque || view.role(index) == NodeRole::Ignored)
            return cannot("an operator cannot be written as a kernel");
    }
    KW_TRY(const Cut cut, cutNodes(view, {nodes.begin(), nodes.end()}, {}, profile.calibration, options));
    double seconds = 0, allocation = 0;
    for (const NodeTime& time : profile.nodes)
        if (cut.nodes.contains(time.node)) {
            seconds += time.seconds;
            allocation += time.allocationSeconds;
        }
    return problemOf(view, cut, seconds, allocation, profile.calibration, options);
}

} // namespace kw
