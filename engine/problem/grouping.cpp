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
      m_holders(view.graph().nodes.size(), 0),
      m_owner(view.graph().nodes.size(), noOwner)
{
    for (const NodeTime& time : profile.nodes)
        m_seconds[static_cast<std::size_t>(time.node)] = time.seconds;
}

double Grouping::measured(const std::set<std::int32_t>& nodes) const
{
    double sum = 0;
    for (const std::int32_t index : nodes)
        sum += m_seconds[static_cast<std::size_t>(index)];
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
    group->measured = measured;
    group->cut = *std::move(cut);
    return group;
}

double Grouping::predicted(const Group& group, double workingSet) const
{
    return predictSeconds(m_profile.calibration, group.cut.inputBytes, group.cut.outputBytes, group.cut.access.arithmetic, m_options.launchSeconds, workingSet);
}

void Grouping::addSingles()
{
    for (std::int32_t index = 0; index < std::ssize(m_view.graph().nodes); ++index) {
        if (m_view.role(index) != NodeRole::Compute)
            continue;
        if (auto group = groupOf({index}, {}, measured({index})); group && m_accepts(*group)) {
            m_owner[static_cast<std::size_t>(index)] = m_groups.size();
            m_groups.push_back(std::move(group));
        }
    }
    m_neighbours.resize(m_groups.size());
}

void Grouping::link(std::size_t left, std::size_t right)
{
    if (left == noOwner || right == noOwner || left == right)
        return;
    m_neighbours[left].insert(right);
    m_neighbours[right].insert(left);
}

void Grouping::addNeighbours()
{
    std::map<ValueId, std::set<std::size_t>> readers;
    for (std::int32_t index = 0; index < std::ssize(m_view.graph().nodes); ++index)
        if (const std::size_t owner = m_owner[static_cast<std::size_t>(index)]; owner != noOwner)
            for (const ValueId id : readValues(m_view.node(index)))
                readers[m_view.base(id)].insert(owner);
    for (const auto& [value, groups] : readers) {
        // What many regions read stays a tensor: joined with one of them it would only make that one unlike the others.
        if (groups.size() > maximumSiblings)
            continue;
        if (const std::int32_t source = m_view.producer(value); source >= 0)
            for (const std::size_t reader : groups)
                link(m_owner[static_cast<std::size_t>(source)], reader);
        if (!m_view.type(value) || m_view.type(value)->bytes() < sharedBytes)
            continue;
        for (const std::size_t left : groups)
            for (const std::size_t right : groups)
                link(left, right);
    }
}

std::optional<Grouping::Offer> Grouping::offer(std::size_t left, std::size_t right)
{
    std::set<std::int32_t> core = m_groups[left]->core;
    core.insert(m_groups[right]->core.begin(), m_groups[right]->core.end());
    const double time = measured(core);
    auto joined = groupOf(std::move(core), {}, time);
    if (!joined)
        return std::nullopt;
    const double together = m_groups[left]->bytes() + m_groups[right]->bytes();
    const double gain = current(*m_groups[left], together) + current(*m_groups[right], together) - predicted(*joined, together);
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
            if (left < right && m_groups[left]->alive && m_groups[right]->alive)
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

/// Every group that computes the node; false when none does.
bool Grouping::addHolders(std::int32_t node, std::set<std::size_t>& holders) const
{
    bool any = false;
    for (std::size_t index = 0; index < m_groups.size(); ++index)
        if (m_groups[index]->alive && m_groups[index]->core.contains(node)) {
            holders.insert(index);
            any = true;
        }
    return any;
}

/// The other groups that read a result; nothing when something else than a group reads it.
std::optional<std::set<std::size_t>> Grouping::usersOf(std::size_t producer, ValueId output) const
{
    std::set<std::size_t> users;
    std::vector<ValueId> pending{output};
    while (!pending.empty()) {
        const ValueId id = pending.back();
        pending.pop_back();
        if (m_view.isOutput(id))
            return std::nullopt;
        for (const std::int32_t reader : m_view.consumers(id)) {
            if (m_view.role(reader) == NodeRole::View) {
                const auto results = writtenValues(m_view.node(reader));
                pending.insert(pending.end(), results.begin(), results.end());
            } else if (m_view.role(reader) != NodeRole::Ignored && !addHolders(reader, users)) {
                return std::nullopt;
            }
        }
    }
    users.erase(producer);
    return users;
}

/// The group's own nodes that a result is made from.
std::set<std::int32_t> Grouping::sourcesOf(const Group& group, ValueId output) const
{
    std::set<std::int32_t> sources;
    std::vector<ValueId> pending{output};
    while (!pending.empty()) {
        const std::int32_t index = m_view.producer(pending.back());
        pending.pop_back();
        if (!group.cut.nodes.contains(index) || !sources.insert(index).second)
            continue;
        const auto read = readValues(m_view.node(index));
        pending.insert(pending.end(), read.begin(), read.end());
    }
    std::set<std::int32_t> core;
    for (const std::int32_t index : sources)
        if (group.core.contains(index))
            core.insert(index);
    return core;
}

/// What is left of a group when the results of `recomputed` nodes need not come out.
std::set<std::int32_t> Grouping::neededOf(const std::set<std::int32_t>& core, const std::set<std::int32_t>& recomputed) const
{
    Group rest;
    rest.core = core;
    rest.cut.nodes = m_view.closed(core);
    std::set<std::int32_t> needed;
    for (const ValueId output : m_view.outputs(rest.cut.nodes, recomputed))
        needed.merge(sourcesOf(rest, output));
    return needed;
}

/// A cheap pointwise result that goes to other regions only is computed in each of them when that saves time.
bool Grouping::recompute(std::size_t producer, ValueId output)
{
    const Group& group = *m_groups[producer];
    const auto users = usersOf(producer, output);
    if (!users || users->empty() || users->size() > maximumSiblings)
        return false;
    const std::set<std::int32_t> sources = sourcesOf(group, output);
    const auto alone = groupOf(sources, {}, 0);
    if (!alone || alone->cut.access.kind != RegionKind::Pointwise)
        return false;
    std::vector<std::pair<std::size_t, std::shared_ptr<Group>>> replacements;
    double together = group.bytes();
    for (const std::size_t user : *users)
        together += m_groups[user]->bytes();
    double before = current(group, together), after = 0;
    const auto replace = [&](std::size_t old, std::set<std::int32_t> core, std::set<std::int32_t> copies) {
        const double time = measured(core);
        auto fresh = groupOf(std::move(core), std::move(copies), time);
        if (!fresh || !m_accepts(*fresh))
            return false;
        after += predicted(*fresh, together);
        replacements.emplace_back(old, std::move(fresh));
        return true;
    };
    std::set<std::int32_t> copies = group.recomputed;
    copies.insert(m_view.producer(output));
    if (auto rest = neededOf(group.core, copies); !rest.empty() && !replace(producer, std::move(rest), std::move(copies)))
        return false;
    const bool gone = replacements.empty();
    if (gone && users->size() < 2)
        return false; // a plain join, which did not pay
    for (const std::size_t user : *users) {
        std::set<std::int32_t> core = m_groups[user]->core, held = m_groups[user]->recomputed;
        core.insert(sources.begin(), sources.end());
        held.insert(sources.begin(), sources.end());
        before += current(*m_groups[user], together);
        if (!replace(user, std::move(core), std::move(held)))
            return false;
    }
    if (before - after < worthwhile)
        return false;
    for (auto& [old, fresh] : replacements)
        m_groups[old] = std::move(fresh);
    m_groups[producer]->alive = !gone;
    return true;
}

void Grouping::recompute()
{
    for (std::size_t index = m_groups.size(); index-- > 0;)
        for (bool again = m_groups[index]->alive; again && m_groups[index]->alive;) {
            again = false;
            for (const ValueId output : m_groups[index]->cut.outputs)
                if (recompute(index, output)) {
                    again = true;
                    break;
                }
        }
}

std::vector<std::shared_ptr<const Group>> Grouping::run()
{
    addSingles();
    // The second round sees values whose many readers have become few regions.
    for (int round = 0; round < 2; ++round) {
        addNeighbours();
        join();
    }
    recompute();
    std::vector<std::shared_ptr<const Group>> result;
    for (const auto& group : m_groups)
        if (group->alive) {
            result.push_back(group);
            for (const std::int32_t index : group->core)
                ++m_holders[static_cast<std::size_t>(index)];
        }
    return result;
}

} // namespace kw
