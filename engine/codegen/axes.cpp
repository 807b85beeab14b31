// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/axes.h"

#include <algorithm>

namespace kw {

AxisId AxisTable::make(std::int64_t size, std::int32_t dimension)
{
    Axis axis;
    axis.size = size;
    if (dimension >= 0)
        axis.dimensions.push_back(dimension);
    m_axes.push_back(std::move(axis));
    return static_cast<AxisId>(m_axes.size()) - 1;
}

AxisId AxisTable::root(AxisId axis) const
{
    while (m_axes.at(static_cast<std::size_t>(axis)).parent != noAxis)
        axis = m_axes[static_cast<std::size_t>(axis)].parent;
    return axis;
}

std::int64_t AxisTable::size(AxisId axis) const { return m_axes.at(static_cast<std::size_t>(root(axis))).size; }

std::vector<AxisId> AxisTable::leaves(AxisId axis) const
{
    const AxisId top = root(axis);
    const std::vector<AxisId>& parts = m_axes.at(static_cast<std::size_t>(top)).parts;
    if (parts.empty())
        return {top};
    std::vector<AxisId> all;
    for (const AxisId part : parts) {
        const auto below = leaves(part);
        all.insert(all.end(), below.begin(), below.end());
    }
    return all;
}

void AxisTable::split(AxisId axis, std::int64_t inner)
{
    const std::int64_t outer = size(axis) / inner;
    const AxisId first = make(outer);
    const AxisId second = make(inner);
    m_axes.at(static_cast<std::size_t>(root(axis))).parts = {first, second};
}

bool AxisTable::unify(AxisId a, AxisId b)
{
    a = root(a);
    b = root(b);
    if (a == b)
        return true;
    Axis& left = m_axes[static_cast<std::size_t>(a)];
    Axis& right = m_axes[static_cast<std::size_t>(b)];
    if (left.size != right.size)
        return false;
    if (!left.parts.empty() && !right.parts.empty()) {
        const auto leftParts = left.parts;
        const auto rightParts = right.parts;
        if (!match(leftParts, rightParts))
            return false;
    }
    // match() may have added axes: take fresh references.
    Axis& kept = m_axes[static_cast<std::size_t>(m_axes[static_cast<std::size_t>(a)].parts.empty() ? b : a)];
    const AxisId keptId = m_axes[static_cast<std::size_t>(a)].parts.empty() ? b : a;
    Axis& gone = m_axes[static_cast<std::size_t>(keptId == a ? b : a)];
    if (root(keptId) != keptId || gone.parent != noAxis)
        return root(a) == root(b);
    kept.dimensions.insert(kept.dimensions.end(), gone.dimensions.begin(), gone.dimensions.end());
    kept.fixedSize = kept.fixedSize || gone.fixedSize;
    gone.parent = keptId;
    return true;
}

bool AxisTable::match(std::vector<AxisId> a, std::vector<AxisId> b)
{
    std::reverse(a.begin(), a.end());
    std::reverse(b.begin(), b.end());
    while (!a.empty() && !b.empty()) {
        const AxisId left = root(a.back());
        const AxisId right = root(b.back());
        const std::int64_t leftSize = size(left);
        const std::int64_t rightSize = size(right);
        if (leftSize == rightSize) {
            if (!unify(left, right))
                return false;
            a.pop_back();
            b.pop_back();
            continue;
        }
        // The larger one is opened: into its parts, or into the smaller size and the rest.
        std::vector<AxisId>& list = leftSize > rightSize ? a : b;
        const AxisId large = leftSize > rightSize ? left : right;
        const std::int64_t largeSize = std::max(leftSize, rightSize);
        const std::int64_t smallSize = std::min(leftSize, rightSize);
        if (m_axes[static_cast<std::size_t>(large)].parts.empty()) {
            if (smallSize <= 0 || largeSize % smallSize != 0)
                return false;
            split(large, largeSize / smallSize);
        }
        const auto parts = m_axes[static_cast<std::size_t>(large)].parts;
        list.pop_back();
        list.insert(list.end(), parts.rbegin(), parts.rend());
    }
    return a.empty() && b.empty();
}

void AxisTable::pin(AxisId axis)
{
    for (const AxisId leaf : leaves(axis))
        m_axes[static_cast<std::size_t>(leaf)].fixedSize = true;
}

void AxisTable::settle()
{
    const auto pinAll = [&](const std::vector<std::int32_t>& dimensions) {
        m_pinned.insert(m_pinned.end(), dimensions.begin(), dimensions.end());
    };
    for (const Axis& axis : m_axes) {
        if (axis.parent != noAxis)
            continue;
        const bool several = std::any_of(axis.dimensions.begin(), axis.dimensions.end(),
            [&](std::int32_t dimension) { return dimension != axis.dimensions.front(); });
        if (!axis.parts.empty() || several || axis.fixedSize || axis.size <= 1)
            pinAll(axis.dimensions);
    }
    std::sort(m_pinned.begin(), m_pinned.end());
    m_pinned.erase(std::unique(m_pinned.begin(), m_pinned.end()), m_pinned.end());
}

Poly AxisTable::leafSize(AxisId leaf) const
{
    const Axis& axis = m_axes.at(static_cast<std::size_t>(root(leaf)));
    if (axis.dimensions.empty() || std::binary_search(m_pinned.begin(), m_pinned.end(), axis.dimensions.front()))
        return Poly(axis.size);
    return Poly::dimension(axis.dimensions.front());
}

} // namespace kw
