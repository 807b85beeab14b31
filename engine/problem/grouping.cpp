// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/grouping.h"

#include <algorithm>
#include <map>
#include <queue>

namespace kw {
namespace {

constexpr std::size_t noOwner = static_cast<std::size_t>(-1);
constexpr double worthwhile = 1e-7;          ///< seconds; less than this is noise of the prediction
constexpr std::int64_t sharedBytes = 1 << 14; ///< inputs smaller than this are no reason to join their readers
constexpr std::size_t maximumSiblings = 6;

} // namespace

Grouping::Grouping(const ModelView& view, const Profile& profile, const RegionOptions& options, Accepts accepts)
    : m_view(view), m_profile(profile), m_options(options), m_accepts(std::move(accepts)), m_seconds(view.graph().nodes.size(), 0.0),
      m_owner(view.graph().nodes.size(), noOwner)
{
    for (const NodeTime& time : profile.nodes)
        m_seconds[static_cast<std::size_t>(time.node)] = time.seconds;
}

double Grouping::measured(const std::set<std::int32_t>& nodes, const std::set<std::int32_t>& without) const
{
    double sum = 0;
    for (const std::int32_t index : nodes)
        if (!without.contains(index))
            sum += seconds(index);
    return sum;
}

std::shared_ptr<Group> Grouping::groupOf(std::set<std::int32_t> core, std::set<std::int32_t> recomputed, double measured) const
{
    auto cut = cutNodes(m_view, core, recomputed, m_profile.calibration, m_options);
    if (!cut)
        return nullptr;
    auto group = std::make_shared<Group>();
    group->core = std::move(core);
    group->recomputed = std::move(recomputed);
    group->current = std::min(measured, cut->predictedSeconds);
    group->cut = *std::move(cut);
    return group;
}

void Grouping::addSingles()
{
    for (std::int32_t index = 0; index < std::ssize(m_view.graph().nodes); ++index) {
        if (m_view.role(index) != NodeRole::Compute)
            continue;
        if (auto group = groupOf({index}, {}, seconds(index)); group && m_accepts(*group)) {
            m_owner[static_cast<std::size_t>(index)] = m_groups.size();
            m_groups.push_back(std::move(group));
        }
    }
    m_neighbours.resize(m_groups.size());
}

void Grouping::link(std::int32_t left, std::int32_t right)
{
    if (left < 0 || right < 0)
        return;
    const std::size_t a = m_owner[static_cast<std::size_t>(left)], b = m_owner[static_cast<std::size_t>(right)];
    if (a == noOwner || b == noOwner || a == b)
        return;
    m_neighbours[a].insert(b);
    m_neighbours[b].insert(a);
}

/// Producer and consumer, through views; and readers of the same large tensor.
void Grouping::addNeighbours()
{
    std::map<ValueId, std::vector<std::int32_t>> readers;
    for (std::int32_t index = 0; index < std::ssize(m_view.graph().nodes); ++index) {
        if (m_owner[static_cast<std::size_t>(index)] == noOwner)
            continue;
        for (const ValueId id : readValues(m_view.node(index))) {
            const ValueId base = m_view.base(id);
            link(m_view.producer(base), index);
            auto& list = readers[base];
            if (list.empty() || list.back() != index)
                list.push_back(index);
        }
    }
    for (const auto& [value, list] : readers) {
        if (list.size() > maximumSiblings || !m_view.type(value) || m_view.type(value)->bytes() < sharedBytes)
            continue;
        for (std::size_t i = 0; i < list.size(); ++i)
            for (std::size_t j = i + 1; j < list.size(); ++j)
                link(list[i], list[j]);
    }
}

std::optional<Grouping::Offer> Grouping::offer(std::size_t left, std::size_t right)
{
    std::set<std::int32_t> core = m_groups[left]->core;
    core.insert(m_groups[right]->core.begin(), m_groups[right]->core.end());
    const double time = measured(core, {});
    auto joined = groupOf(std::move(core), {}, time);
    if (!joined)
        return std::nullopt;
    const double gain = m_groups[left]->current + m_groups[right]->current - joined->cut.predictedSeconds;
    if (gain < worthwhile)
        return std::nullopt;
    return Offer{gain, left, right, m_serial++, std::move(joined)};
}

void Grouping::join()
{
    std::priority_queue<Offer> offers;
    const auto consider = [&](std::size_t left, std::size_t right) {
        if (auto found = offer(std::min(left, right), std::max(left, right)))
            offers.push(*std::move(found));
    };
    for (std::size_t left = 0; left < m_groups.size(); ++left)
        for (const std::size_t right : m_neighbours[left])
            if (left < right)
                consider(left, right);
    while (!offers.empty()) {
        const Offer best = offers.top();
        offers.pop();
        if (!m_groups[best.left]->alive || !m_groups[best.right]->alive || !m_accepts(*best.joined))
            continue;
        const std::size_t fresh = m_groups.size();
        m_groups[best.left]->alive = m_groups[best.right]->alive = false;
        m_groups.push_back(best.joined);
        m_neighbours.emplace_back();
        for (const std::size_t old : {best.left, best.right})
            for (const std::size_t neighbour : m_neighbours[old])
                if (m_groups[neighbour]->alive && m_neighbours[fresh].insert(neighbour).second)
                    m_neighbours[neighbour].insert(fresh);
        for (const std::int32_t index : best.joined->core)
            m_owner[static_cast<std::size_t>(index)] = fresh;
        for (const std::size_t neighbour : m_neighbours[fresh])
            consider(neighbour, fresh);
    }
}

/// A cheap pointwise producer whose results go to other regions only is computed in each of them when that saves time.
bool Grouping::recompute(std::size_t producer)
{
    const auto& group = *m_groups[producer];
    if (group.cut.access.kind != RegionKind::Pointwise || !group.recomputed.empty())
        return false;
    std::set<std::size_t> users;
    for (const ValueId output : group.cut.outputs) {
        std::vector<ValueId> pending{output};
        while (!pending.empty()) {
            const ValueId id = pending.back();
            pending.pop_back();
            if (m_view.isOutput(id))
                return false;
            for (const std::int32_t reader : m_view.consumers(id)) {
                if (group.cut.nodes.contains(reader) || m_view.role(reader) == NodeRole::Ignored)
                    continue;
                if (m_view.role(reader) == NodeRole::View) {
                    const auto results = writtenValues(m_view.node(reader));
                    pending.insert(pending.end(), results.begin(), results.end());
                } else if (const std::size_t owner = m_owner[static_cast<std::size_t>(reader)]; owner != noOwner) {
                    users.insert(owner);
                } else {
                    return false;
                }
            }
        }
    }
    std::vector<std::pair<std::size_t, std::shared_ptr<Group>>> replacements;
    double before = group.current, after = 0;
    for (const std::size_t user : users) {
        std::set<std::int32_t> core = m_groups[user]->core, copies = m_groups[user]->recomputed;
        core.insert(group.core.begin(), group.core.end());
        copies.insert(group.core.begin(), group.core.end());
        auto joined = groupOf(core, copies, measured(core, {}));
        if (!joined || !m_accepts(*joined))
            return false;
        before += m_groups[user]->current;
        after += joined->cut.predictedSeconds;
        replacements.emplace_back(user, std::move(joined));
    }
    if (replacements.size() < 2 || before - after < worthwhile)
        return false;
    for (auto& [user, joined] : replacements)
        m_groups[user] = std::move(joined);
    for (const std::int32_t index : group.core)
        m_seconds[static_cast<std::size_t>(index)] /= static_cast<double>(replacements.size());
    m_groups[producer]->alive = false;
    return true;
}

void Grouping::recompute()
{
    for (std::size_t index = m_groups.size(); index-- > 0;)
        if (m_groups[index]->alive)
            recompute(index);
}

std::vector<std::shared_ptr<const Group>> Grouping::run()
{
    addSingles();
    addNeighbours();
    join();
    recompute();
    std::vector<std::shared_ptr<const Group>> result;
    for (const auto& group : m_groups)
        if (group->alive)
            result.push_back(group);
    return result;
}

} // namespace kw
