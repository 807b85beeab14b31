// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/treemap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace kw {
namespace {

bool usable(double value)
{
    return std::isfinite(value) && value > 0;
}

/// The worst aspect ratio of a row of the given total whose cells lie between least and most, laid along `side`.
double worstAspect(double total, double least, double most, double side)
{
    const double square = total * total;
    return std::max(side * side * most / square, square / (side * side * least));
}

/// Lays cells [first, last) along the shorter side of `free` and takes their strip away from it.
void placeRow(const std::vector<double>& areas, const std::vector<std::size_t>& cells, std::size_t first,
    std::size_t last, TreemapRect& free, std::vector<TreemapRect>& out)
{
    double total = 0;
    for (std::size_t at = first; at < last; ++at)
        total += areas[cells[at]];
    const bool column = free.width >= free.height; // the strip stands at the left
    const double side = column ? free.height : free.width;
    const bool rest = last == cells.size();        // the last strip takes all that is left: rounding leaves no gap
    const double depth = rest ? (column ? free.width : free.height) : (side > 0 ? total / side : 0);
    double offset = 0;
    for (std::size_t at = first; at < last; ++at) {
        const double end = at + 1 == last ? side : std::min(side, offset + side * areas[cells[at]] / total);
        out[cells[at]] = column ? TreemapRect{free.x, free.y + offset, depth, end - offset}
                                : TreemapRect{free.x + offset, free.y, end - offset, depth};
        offset = end;
    }
    if (column) {
        free.x += depth;
        free.width = std::max(0.0, free.width - depth);
    } else {
        free.y += depth;
        free.height = std::max(0.0, free.height - depth);
    }
}

} // namespace

std::vector<TreemapRect> squarify(const std::vector<double>& values, const TreemapRect& area)
{
    std::vector<TreemapRect> out(values.size(), TreemapRect{area.x, area.y, 0, 0});
    std::vector<std::size_t> cells;
    double largest = 0;
    for (std::size_t index = 0; index < values.size(); ++index)
        if (usable(values[index])) {
            cells.push_back(index);
            largest = std::max(largest, values[index]);
        }
    if (cells.empty() || !usable(area.width) || !usable(area.height))
        return out;
    // Divided by the largest first: a sum of huge values must not overflow.
    std::vector<double> areas(values.size(), 0);
    double sum = 0;
    for (const std::size_t cell : cells)
        sum += values[cell] / largest;
    for (const std::size_t cell : cells)
        areas[cell] = values[cell] / largest / sum * area.area();

    TreemapRect free = area;
    for (std::size_t first = 0; first < cells.size();) {
        const double side = std::min(free.width, free.height);
        std::size_t last = first;
        double total = 0, least = std::numeric_limits<double>::infinity(), most = 0;
        double worst = std::numeric_limits<double>::infinity();
        while (last < cells.size()) {
            const double next = areas[cells[last]];
            const double aspect = worstAspect(total + next, std::min(least, next), std::max(most, next), side);
            if (last > first && !(aspect <= worst))
                break;
            worst = aspect;
            total += next;
            least = std::min(least, next);
            most = std::max(most, next);
            ++last;
        }
        placeRow(areas, cells, first, last, free, out);
        first = last;
    }
    return out;
}

std::vector<std::size_t> descendingOrder(const std::vector<double>& values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t first, std::size_t second) {
        const bool left = usable(values[first]), right = usable(values[second]);
        return left != right ? left : left && values[first] > values[second];
    });
    return order;
}

std::vector<std::size_t> StickyOrder::order(const std::vector<std::string>& keys, const std::vector<double>& values)
{
    std::unordered_map<std::string, std::size_t> present;
    for (std::size_t index = 0; index < keys.size(); ++index)
        present.emplace(keys[index], index);
    std::vector<std::size_t> result;
    std::unordered_set<std::string> placed;
    for (const std::string& key : m_known)
        if (const auto found = present.find(key); found != present.end() && placed.insert(key).second)
            result.push_back(found->second);
    for (const std::size_t index : descendingOrder(values))
        if (placed.insert(keys[index]).second)
            result.push_back(index);
    m_known.clear();
    for (const std::size_t index : result)
        m_known.push_back(keys[index]);
    return result;
}

std::size_t keptCells(const std::vector<double>& descending, double smallest, std::size_t most)
{
    double sum = 0;
    for (const double value : descending)
        sum += usable(value) ? value : 0;
    std::size_t kept = 0;
    while (kept < descending.size() && kept < most && usable(descending[kept]) && descending[kept] >= smallest * sum)
        ++kept;
    // "Other" for a single item would hide its name for nothing.
    return kept + 1 == descending.size() && kept < most && usable(descending[kept]) ? kept + 1 : kept;
}

} // namespace kw
