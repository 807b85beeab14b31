// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/expression.h"

#include <limits>
#include <map>

namespace kw {

/// What a value can be where it is not not-a-number; infinities belong to it.
struct ValueBounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// Bounds that follow from the expression alone, whatever the inputs hold. A value type for one thread.
class BoundsFinder {
public:
    explicit BoundsFinder(const ExprPool& pool) : m_pool(pool) {}
    /// Bounds of `id` where `assumed` lies within `bounds`.
    BoundsFinder(const ExprPool& pool, std::int32_t assumed, ValueBounds bounds) : m_pool(pool) { m_known.emplace(assumed, bounds); }

    ValueBounds of(std::int32_t id);

private:
    ValueBounds find(const Expr& expr);
    ValueBounds call(const Expr& expr);
    ValueBounds product(const Expr& expr);
    bool isOwnMaximum(std::int32_t value, std::int32_t reduction) const;

    const ExprPool& m_pool;
    std::map<std::int32_t, ValueBounds> m_known;
};

} // namespace kw
