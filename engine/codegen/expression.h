// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/axes.h"
#include "graph/dtype.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kw {

/// A sum of loop variables times polynomials: where an element stands.
struct Affine {
    std::map<AxisId, Poly> terms; ///< by leaf axis, never zero
    Poly constant;

    Affine& operator+=(const Affine& other);
    friend Affine operator+(Affine a, const Affine& b) { return a += b; }
    friend Affine operator*(const Affine& a, const Poly& factor);
    Poly coefficient(AxisId leaf) const;
    friend bool operator==(const Affine&, const Affine&) = default;
    friend auto operator<=>(const Affine&, const Affine&) = default;
};
Affine variable(AxisId leaf);

/// Half-open interval of a loop variable, in captured sizes; `whole` means the full size of the leaf.
struct Range {
    std::int64_t low = 0, high = 0;
    bool whole = true;
    friend bool operator==(const Range&, const Range&) = default;
    friend auto operator<=>(const Range&, const Range&) = default;
};
using Ranges = std::map<AxisId, Range>;

enum class ExprKind : std::uint8_t {
    Load,     ///< element `index` of tensor argument `input`
    Number,   ///< `number`
    Size,     ///< `size` as a number
    Position, ///< number + index
    Call,     ///< `function` of the arguments
    Reduce,   ///< `function` of arguments[0] over the leaves `over`
    Window,   ///< sum of arguments[0] over `window` = {height, width, top, left} of the leaves `over` = {rows, columns}
};

/// A value at the current point of the loops, after all index maps were applied. Equal expressions are one.
struct Expr {
    ExprKind kind = ExprKind::Number;
    std::string function;
    std::vector<std::int32_t> arguments; ///< indices into the pool, smaller than the own one
    DType dtype = DType::Float;
    std::int32_t input = -1;
    Affine index;
    double number = 0;
    Poly size;
    std::vector<AxisId> over;
    Ranges ranges;                       ///< of `over`
    std::vector<std::int64_t> window;
    int pad = 0;                         ///< PadMode of a window
    std::string name;                    ///< what the graph calls it
    std::set<AxisId> variables;          ///< loop variables that it depends on, reduced ones left out
    int depth = 0;                       ///< reductions and windows on the longest way down
};

/// Hash-consed expressions of one emitted text.
class ExprPool {
public:
    std::int32_t add(Expr expr);
    const Expr& operator[](std::int32_t id) const { return m_exprs[static_cast<std::size_t>(id)]; }
    Expr& at(std::int32_t id) { return m_exprs.at(static_cast<std::size_t>(id)); }
    std::size_t size() const { return m_exprs.size(); }
    /// Every expression below the roots, the roots included, ascending; stops below reductions and windows when told.
    std::vector<std::int32_t> reachable(const std::vector<std::int32_t>& roots, bool throughReductions) const;

private:
    std::string key(const Expr& expr) const;
    std::vector<Expr> m_exprs;
    std::map<std::string, std::int32_t> m_known;
};

} // namespace kw
