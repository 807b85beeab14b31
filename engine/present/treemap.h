// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kw {

struct TreemapRect {
    double x = 0, y = 0, width = 0, height = 0;
    double area() const { return width * height; }
    friend bool operator==(const TreemapRect&, const TreemapRect&) = default;
};

/// Squarified treemap (Bruls, Huizing, van Wijk 2000): one rectangle per value, areas in proportion, no overlap, full
/// cover of `area`. Values are laid out in the given order; descending order gives the squarest cells. Values that are
/// not finite or not positive get an empty rectangle. Pure.
std::vector<TreemapRect> squarify(const std::vector<double>& values, const TreemapRect& area);

/// Indices of the values, largest first; equal values keep their order, unusable values come last.
std::vector<std::size_t> descendingOrder(const std::vector<double>& values);

/// Keeps cells where they are while values change: items that were there keep their order, new ones follow by size.
/// The person's wish to sort again is clear(). A value type.
class StickyOrder {
public:
    /// Order in which the items are laid out: indices into `keys`. Keys are unique.
    std::vector<std::size_t> order(const std::vector<std::string>& keys, const std::vector<double>& values);
    void clear() { m_known.clear(); }

private:
    std::vector<std::string> m_known;
};

/// How many of the leading values (descending) stay cells of their own; the rest is merged into "other".
/// A value stays when its cell would cover at least `smallest` of the whole, and at most `most` stay.
std::size_t keptCells(const std::vector<double>& descending, double smallest, std::size_t most);

} // namespace kw
