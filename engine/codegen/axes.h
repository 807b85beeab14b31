// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/poly.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kw {

/// Index into AxisTable; noAxis marks a dimension of size 1, whose index does not matter.
using AxisId = std::int32_t;
inline constexpr AxisId noAxis = -1;

/// Which dimensions of which values run together. Dimensions that meet in an operator become one axis; a reshape splits
/// an axis into parts. Loops run over leaves: axes that were not split.
class AxisTable {
public:
    /// `dimension` is the problem's dimension that names the size, or -1.
    AxisId make(std::int64_t size, std::int32_t dimension = -1);
    /// The two run together from now on; false when their sizes cannot be matched.
    bool unify(AxisId a, AxisId b);
    /// Row-major sequences of axes cover the same elements; splits what has to be split.
    bool match(std::vector<AxisId> a, std::vector<AxisId> b);

    std::vector<AxisId> leaves(AxisId axis) const; ///< most significant first
    std::int64_t size(AxisId axis) const;          ///< captured
    /// The size of a leaf: its problem dimension when it has one that is not pinned, else the number.
    Poly leafSize(AxisId leaf) const;
    AxisId root(AxisId axis) const;
    /// Dimensions of the problem that must keep their captured size because of splits and conflicts.
    const std::vector<std::int32_t>& pinned() const { return m_pinned; }
    void pin(AxisId axis);                         ///< its leaves keep their captured sizes
    void settle();                                 ///< after the last unify: works out what is pinned

private:
    struct Axis {
        std::int64_t size = 0;
        std::vector<std::int32_t> dimensions; ///< problem dimensions that name this size
        bool fixedSize = false;
        AxisId parent = noAxis;
        std::vector<AxisId> parts;            ///< empty for a leaf
    };
    void split(AxisId axis, std::int64_t inner);

    std::vector<Axis> m_axes;
    std::vector<std::int32_t> m_pinned;
};

} // namespace kw
