// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/cut.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

namespace kw {

/// A set of nodes that will be one kernel, and how it came about.
struct Group {
    std::set<std::int32_t> core;             ///< nodes with work of their own
    std::set<std::int32_t> recomputed;       ///< of these, copies of another region's nodes
    Cut cut;
    double measured = 0;                     ///< time of the library's calls; no bound where the nodes are copies
    double bytes() const { return cut.inputBytes + cut.outputBytes; }
    bool alive = true;
};

/// Joins nodes greedily, the pair with the largest predicted saving first. Used once, on one thread.
class Grouping {
public:
    using Accepts = std::function<bool(const Group&)>;
    Grouping(const ModelView& view, const Profile& profile, const RegionOptions& options, Accepts accepts);

    /// The groups after all joins that pay; nodes that are in none stay the library's.
    std::vector<std::shared_ptr<const Group>> run();

    /// Measured time of a node divided by the number of regions that compute it.
    double seconds(std::int32_t node) const { return m_seconds[static_cast<std::size_t>(node)] / std::max(m_holders[static_cast<std::size_t>(node)], 1); }

private:
    struct Offer {
        double gain = 0;
        std::size_t left = 0, right = 0, serial = 0;
        std::shared_ptr<Group> joined;
        bool operator<(const Offer& other) const
        {
            return gain != other.gain ? gain < other.gain : serial > other.serial;
        }
    };

    std::shared_ptr<Group> groupOf(std::set<std::int32_t> core, std::set<std::int32_t> recomputed, double measured) const;
    /// As one kernel, and the better of that and the library's calls. Kernels that are weighed against each other are
    /// predicted for the same working set: a join does not make memory slower.
    double predicted(const Group& group, double workingSet) const;
    double current(const Group& group, double workingSet) const { return std::min(group.measured, predicted(group, workingSet)); }
    void addSingles();
    /// Producer and consumer, through views; and readers of the same large tensor.
    void addNeighbours();
    void link(std::size_t left, std::size_t right);
    std::optional<Offer> offer(std::size_t left, std::size_t right);
    void join();
    void recompute();
    bool recompute(std::size_t producer, ValueId output);
    bool addHolders(std::int32_t node, std::set<std::size_t>& holders) const;
    std::optional<std::set<std::size_t>> usersOf(std::size_t producer, ValueId output) const;
    std::set<std::int32_t> sourcesOf(const Group& group, ValueId output) const;
    std::set<std::int32_t> neededOf(const std::set<std::int32_t>& core, const std::set<std::int32_t>& recomputed) const;
    double measured(const std::set<std::int32_t>& nodes) const;

    const ModelView& m_view;
    const Profile& m_profile;
    const RegionOptions& m_options;
    Accepts m_accepts;
    std::vector<double> m_seconds;
    std::vector<int> m_holders;
    std::vector<std::shared_ptr<Group>> m_groups;
    std::vector<std::set<std::size_t>> m_neighbours;
    std::vector<std::size_t> m_owner;  ///< per node; noOwner
    std::size_t m_serial = 0;
};

} // namespace kw
