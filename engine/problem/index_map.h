// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kw {

/// One digit of a loop variable, (i / divisor) % extent, times a coefficient.
struct IndexTerm {
    std::int32_t variable = 0;
    std::int64_t divisor = 1, extent = 1, coefficient = 1;
    friend bool operator==(const IndexTerm&, const IndexTerm&) = default;
};

/// An index along one axis: offset + the terms; a border (pad, window) marks it as shifted by something else.
struct IndexExpression {
    std::int64_t offset = 0;
    std::vector<IndexTerm> terms;    ///< by coefficient, descending
    std::string border;
    bool constant() const { return terms.empty() && border.empty(); }
    friend bool operator==(const IndexExpression&, const IndexExpression&) = default;
};
using IndexMap = std::vector<IndexExpression>;

/// A loop variable as an index.
IndexExpression wholeVariable(std::int32_t variable, std::int64_t extent);
/// The map of the same element under another shape (row-major); nullopt when it is not a sum of digits.
std::optional<IndexMap> reshaped(const IndexMap& map, const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to);
/// Whether the map visits every element of the shape exactly once over the loop variables in it.
bool covers(const IndexMap& map, const std::vector<std::int64_t>& shape);
/// At how many points of the loops the map differs: the product of the extents of its digits.
double pointsOf(const IndexMap& map);
/// Whether `fixed` is `moving` with some loop variables, none longer than `longest`, at one value each.
bool isPointOf(const IndexMap& fixed, const IndexMap& moving, std::int64_t longest);
/// A text that is equal for equal maps.
std::string keyOf(const IndexMap& map);

} // namespace kw
