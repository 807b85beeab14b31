// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/index_map.h"

#include <algorithm>
#include <set>

namespace kw {
namespace {

void order(std::vector<IndexTerm>& terms)
{
    std::stable_sort(terms.begin(), terms.end(),
        [](const IndexTerm& left, const IndexTerm& right) { return left.coefficient > right.coefficient; });
}

/// The terms below `limit` (the index inside one block of that many elements) leave `terms`; a digit that reaches across
/// is split in two. False when that does not work out.
bool takeInner(std::vector<IndexTerm>& terms, std::int64_t limit, std::vector<IndexTerm>& inner)
{
    std::vector<IndexTerm> outer;
    for (const IndexTerm& term : terms) {
        if (term.coefficient <= 0)
            return false;
        if (term.coefficient >= limit) {
            if (term.coefficient % limit != 0)
                return false;
            outer.push_back({term.variable, term.divisor, term.extent, term.coefficient / limit});
        } else if (term.coefficient * term.extent <= limit) {
            inner.push_back(term);
        } else {
            if (limit % term.coefficient != 0 || term.extent % (limit / term.coefficient) != 0)
                return false;
            const std::int64_t low = limit / term.coefficient;
            inner.push_back({term.variable, term.divisor, low, term.coefficient});
            outer.push_back({term.variable, term.divisor * low, term.extent / low, 1});
        }
    }
    // No carry may leave the block.
    std::int64_t largest = 0;
    for (const IndexTerm& term : inner)
        largest += term.coefficient * (term.extent - 1);
    if (largest >= limit)
        return false;
    order(inner);
    order(outer);
    terms = std::move(outer);
    return true;
}

/// One group of axes that hold the same elements on both sides.
bool reshapeGroup(const IndexMap& map, const std::vector<std::int64_t>& from, std::size_t i, std::size_t iEnd,
    const std::vector<std::int64_t>& to, std::size_t j, std::size_t jEnd, IndexMap& result)
{
    std::vector<IndexTerm> flat;
    std::int64_t offset = 0, stride = 1;
    for (std::size_t axis = iEnd; axis-- > i;) {
        if (!map[axis].border.empty())
            return false;
        offset += map[axis].offset * stride;
        for (IndexTerm term : map[axis].terms) {
            term.coefficient *= stride;
            flat.push_back(term);
        }
        stride *= from[axis];
    }
    order(flat);
    for (std::size_t axis = jEnd; axis-- > j;) {
        IndexExpression expression;
        expression.offset = offset % to[axis];
        offset /= to[axis];
        if (axis == j) {
            expression.terms = flat;
        } else if (!takeInner(flat, to[axis], expression.terms)) {
            return false;
        }
        std::int64_t reach = expression.offset;
        for (const IndexTerm& term : expression.terms)
            reach += term.coefficient * (term.extent - 1);
        if (reach >= to[axis])
            return false;
        result[axis] = std::move(expression);
    }
    return true;
}

} // namespace

IndexExpression wholeVariable(std::int32_t variable, std::int64_t extent)
{
    IndexExpression expression;
    if (extent > 1)
        expression.terms.push_back({variable, 1, extent, 1});
    return expression;
}

std::optional<IndexMap> reshaped(const IndexMap& map, const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to)
{
    IndexMap result(to.size());
    std::size_t i = 0, j = 0;
    while (i < from.size() || j < to.size()) {
        if (i < from.size() && from[i] == 1) { ++i; continue; }
        if (j < to.size() && to[j] == 1) { ++j; continue; }
        if (i == from.size() || j == to.size())
            return std::nullopt;
        std::size_t iEnd = i + 1, jEnd = j + 1;
        std::int64_t left = from[i], right = to[j];
        while (left != right) {
            if (left < right && iEnd < from.size())
                left *= from[iEnd++];
            else if (right < left && jEnd < to.size())
                right *= to[jEnd++];
            else
                return std::nullopt;
        }
        if (iEnd - i == 1 && jEnd - j == 1)
            result[j] = map[i]; // any index map, borders included
        else if (!reshapeGroup(map, from, i, iEnd, to, j, jEnd, result))
            return std::nullopt;
        i = iEnd;
        j = jEnd;
    }
    return result;
}

bool covers(const IndexMap& map, const std::vector<std::int64_t>& shape)
{
    std::set<std::pair<std::int32_t, std::int64_t>> used;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (map[axis].offset != 0 || !map[axis].border.empty())
            return false;
        std::int64_t covered = 1;
        for (auto term = map[axis].terms.rbegin(); term != map[axis].terms.rend(); ++term) {
            if (term->coefficient != covered || !used.emplace(term->variable, term->divisor).second)
                return false;
            covered *= term->extent;
        }
        if (covered != shape[axis])
            return false;
    }
    return true;
}

double pointsOf(const IndexMap& map)
{
    std::set<std::pair<std::int32_t, std::int64_t>> digits;
    double count = 1;
    for (const IndexExpression& expression : map)
        for (const IndexTerm& term : expression.terms)
            if (digits.emplace(term.variable, term.divisor).second)
                count *= static_cast<double>(term.extent);
    return count;
}

bool isPointOf(const IndexMap& fixed, const IndexMap& moving, std::int64_t longest)
{
    bool differs = false;
    for (std::size_t axis = 0; axis < fixed.size(); ++axis) {
        if (fixed[axis] == moving[axis])
            continue;
        const auto& terms = moving[axis].terms;
        if (!fixed[axis].constant() || terms.size() != 1 || terms.front().extent > longest)
            return false;
        differs = true;
    }
    return differs;
}

std::string keyOf(const IndexMap& map)
{
    std::string key;
    for (const IndexExpression& expression : map) {
        key += '[' + std::to_string(expression.offset) + expression.border;
        for (const IndexTerm& term : expression.terms)
            key += '+' + std::to_string(term.variable) + '/' + std::to_string(term.divisor) + '%' + std::to_string(term.extent)
                + '*' + std::to_string(term.coefficient);
        key += ']';
    }
    return key;
}

} // namespace kw
