// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/report.h"

#include "graph/operators.h"
#include "problem/naming.h"
#include "problem/roofline.h"

#include <algorithm>
#include <map>

namespace kw {
namespace {

constexpr double faultShare = 0.05;     ///< of the default time: from here on page faults are worth a word
constexpr double productShare = 0.5;
constexpr double littleShare = 0.05;
constexpr double launchShare = 0.4;     ///< of the time in calls shorter than `shortCall`
constexpr double shortCall = 10e-6;

std::string typeKey(const Graph& graph, const Node& node)
{
    std::string key = node.target;
    for (const auto& ids : {readValues(node), writtenValues(node)})
        for (const ValueId id : ids)
            if (const auto& type = graph.values[static_cast<std::size_t>(id)].type) {
                key += '|' + std::string(dtypeName(type->dtype));
                for (const std::int64_t size : type->shape)
                    key += ',' + std::to_string(size);
            }
    return key;
}

/// Collects rows. Used once, on one thread.
class Reporter {
public:
    Reporter(const ModelView& view, const Profile& profile, const std::vector<double>& seconds)
        : m_view(view), m_profile(profile), m_seconds(seconds), m_covered(seconds.size(), false), m_times(seconds.size(), nullptr)
    {
        for (const NodeTime& time : profile.nodes)
            m_times[static_cast<std::size_t>(time.node)] = &time;
    }

    ProfileReport run(const std::vector<FoundRegion>& regions)
    {
        for (const FoundRegion& region : regions)
            addRegion(region);
        addRest();
        finish();
        advise();
        return std::move(m_report);
    }

private:
    double whole() const { return m_profile.seconds > 0 ? m_profile.seconds : m_profile.nodeSeconds; }

    void addRegion(const FoundRegion& region)
    {
        const Problem& problem = region.problem;
        HotSpot spot;
        spot.problem = region.worthwhile ? problem.id : std::string();
        spot.name = problem.name;
        spot.calls = problem.calls();
        spot.bytes = problem.compulsoryBytes * static_cast<double>(problem.calls());
        spot.flops = problem.flops * static_cast<double>(problem.calls());
        spot.floorSeconds = problem.floorSeconds * static_cast<double>(problem.calls());
        spot.headroomSeconds = region.worthwhile ? std::max(problem.predictedSaving(), 0.0) : 0;
        for (const CallSite& site : problem.sites) {
            spot.modulePath = &site == &problem.sites.front() ? site.modulePath : commonPath(spot.modulePath, site.modulePath);
            for (const std::int32_t index : site.nodes)
                if (m_view.role(index) == NodeRole::Compute) {
                    take(spot, index);
                    if (spot.moduleClass.empty())
                        spot.moduleClass = m_view.node(index).moduleClass;
                }
        }
        spot.source = problem.sites.front().source;
        spot.seconds = problem.seconds * static_cast<double>(problem.calls());
        spot.allocationSeconds = problem.allocationSeconds * static_cast<double>(problem.calls());
        m_report.hotSpots.push_back(std::move(spot));
    }

    void take(HotSpot& spot, std::int32_t index)
    {
        spot.nodes.push_back(index);
        m_covered[static_cast<std::size_t>(index)] = true;
    }

    /// What no region covers: by operator and types; views and bookkeeping are one row.
    void addRest()
    {
        std::map<std::string, HotSpot> rows;
        for (std::int32_t index = 0; index < std::ssize(m_covered); ++index) {
            if (m_covered[static_cast<std::size_t>(index)])
                continue;
            const Node& node = m_view.node(index);
            const bool free = m_view.role(index) == NodeRole::View || m_view.role(index) == NodeRole::Ignored;
            HotSpot& spot = rows[free ? std::string() : typeKey(m_view.graph(), node)];
            const bool first = spot.nodes.empty();
            spot.name = free ? "views" : shortTarget(node.target);
            spot.modulePath = first ? node.modulePath : commonPath(spot.modulePath, node.modulePath);
            spot.moduleClass = first || spot.moduleClass == node.moduleClass ? node.moduleClass : std::string();
            if (first && !free)
                spot.source = node.source;
            take(spot, index);
            ++spot.calls;
            spot.seconds += m_seconds[static_cast<std::size_t>(index)];
            if (const NodeTime* time = m_times[static_cast<std::size_t>(index)]; time && !free) {
                spot.bytes += time->bytes;
                spot.flops += time->flops;
                spot.floorSeconds += std::min(time->seconds, floorSeconds(m_profile.calibration, time->bytes, 0, time->flops));
                spot.allocationSeconds += time->allocationSeconds;
            }
        }
        for (auto& [key, spot] : rows)
            m_report.hotSpots.push_back(std::move(spot));
    }

    void finish()
    {
        m_report.model = m_view.graph().name;
        m_report.seconds = whole();
        double saving = 0;
        for (HotSpot& spot : m_report.hotSpots) {
            spot.share = whole() > 0 ? spot.seconds / whole() : 0;
            saving += spot.headroomSeconds;
        }
        m_report.predictedSeconds = std::max(whole() - saving, 0.0);
        std::stable_sort(m_report.hotSpots.begin(), m_report.hotSpots.end(), [](const HotSpot& left, const HotSpot& right) {
            return left.headroomSeconds != right.headroomSeconds ? left.headroomSeconds > right.headroomSeconds
                                                                 : left.seconds > right.seconds;
        });
    }

    double shortCallSeconds() const
    {
        double sum = 0;
        for (std::size_t index = 0; index < m_seconds.size(); ++index)
            sum += m_times[index] && m_times[index]->seconds < shortCall ? m_seconds[index] : 0;
        return sum;
    }

    double productRate() const
    {
        double flops = 0, seconds = 0;
        for (std::int32_t index = 0; index < std::ssize(m_covered); ++index)
            if (const NodeTime* time = m_times[static_cast<std::size_t>(index)];
                time && operatorKind(m_view.graph(), m_view.node(index)) == OperatorKind::Product) {
                flops += time->flops;
                seconds += time->seconds;
            }
        return seconds > 0 ? flops / seconds : 0;
    }

    void advise()
    {
        const double lost = m_profile.defaultSeconds - m_profile.seconds;
        if (m_profile.defaultSeconds > 0 && lost / m_profile.defaultSeconds >= faultShare)
            m_report.advice.push_back(Message("profile.advice.page_faults").with("share", lost / m_profile.defaultSeconds).with("seconds", lost));
        if (whole() <= 0)
            return;
        if (shortCallSeconds() / whole() >= launchShare)
            m_report.advice.push_back(Message("profile.advice.short_calls").with("share", shortCallSeconds() / whole()));
        if (m_profile.productSeconds / whole() >= productShare) {
            const double peak = m_profile.calibration.flops;
            m_report.advice.push_back(Message("profile.advice.products").with("share", m_profile.productSeconds / whole())
                .with("peak", peak > 0 ? std::min(productRate() / peak, 1.0) : 0.0));
        }
        const double saving = (whole() - m_report.predictedSeconds) / whole();
        m_report.advice.push_back(Message(saving < littleShare ? "profile.advice.little_to_win" : "profile.advice.headroom")
            .with("share", saving).with("before", whole()).with("after", m_report.predictedSeconds));
    }

    const ModelView& m_view;
    const Profile& m_profile;
    const std::vector<double>& m_seconds;
    std::vector<bool> m_covered;
    std::vector<const NodeTime*> m_times;
    ProfileReport m_report;
};

} // namespace

ProfileReport makeReport(const ModelView& view, const Profile& profile, const std::vector<FoundRegion>& regions,
    const std::vector<double>& seconds)
{
    return Reporter(view, profile, seconds).run(regions);
}

} // namespace kw
