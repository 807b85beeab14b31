// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/expression.h"
#include "codegen/loop_ir.h"

#include <map>

namespace kw {

/// Thrown when a value has different forms inside the current ranges: a concatenation or a border runs through them.
struct NeedSplit {
    AxisId leaf = noAxis;
    std::int64_t at = 0;
};

/// Follows the index maps from an output's element down to loads. Used by one plan on one thread.
class Resolver {
public:
    /// `fixed`: dimensions of the problem that are replaced by their captured sizes.
    Resolver(const ProgramData& data, std::vector<bool> fixed, ExprPool& pool);

    Poly leafSize(AxisId leaf) const;
    std::int64_t capturedSize(AxisId leaf) const { return m_data.axes.size(leaf); }
    Poly fixedPoly(const Poly& poly) const { return poly.fixed(m_data.captured, m_fixed); }
    /// The index of a dimension in terms of its leaves.
    Affine identity(AxisId axis) const;
    /// The expression of the node's element at `index` while the loop variables stay inside `ranges`.
    std::int32_t resolve(std::int32_t node, const std::vector<Affine>& index, const Ranges& ranges);
    /// Reductions over these leaves are written out instead of looped.
    void unrollReductions(std::int64_t most) { m_mostUnrolled = most; }

private:
    struct Bounds {
        std::int64_t low, high; ///< inclusive
    };
    Bounds bounds(const Affine& affine, const Ranges& ranges) const;
    NeedSplit splitAt(const Affine& affine, std::int64_t boundary, const std::string& name) const;

    std::int32_t compute(std::int32_t node, const std::vector<Affine>& index, const Ranges& ranges);
    std::int32_t call(const IrNode& node, const std::vector<Affine>& index, const Ranges& ranges);
    std::int32_t load(const IrNode& node, const std::vector<Affine>& index);
    std::int32_t reshape(const IrNode& node, const std::vector<Affine>& index, const Ranges& ranges);
    std::int32_t concatenation(const IrNode& node, std::vector<Affine> index, const Ranges& ranges);
    std::int32_t padding(const IrNode& node, std::vector<Affine> index, const Ranges& ranges);
    std::int32_t reduction(const IrNode& node, const std::vector<Affine>& index, const Ranges& ranges);
    std::int32_t reduceLoop(const IrNode& node, const std::vector<Affine>& index, const Ranges& ranges, Ranges own);
    std::int32_t reduceUnrolled(const IrNode& node, const std::vector<Affine>& index, const Ranges& ranges, const std::vector<AxisId>& leaves);
    std::int32_t window(const IrNode& node, const std::vector<Affine>& index, const Ranges& ranges);
    std::int32_t combine(const std::string& function, std::int32_t a, std::int32_t b, const std::string& name);
    std::int32_t numberExpr(double value, DType dtype);
    std::vector<AxisId> reducedLeaves(const IrNode& node) const;

    const ProgramData& m_data;
    std::vector<bool> m_fixed;
    ExprPool& m_pool;
    std::int64_t m_mostUnrolled = 0;
    using Memo = std::map<std::pair<std::int32_t, std::vector<Affine>>, std::int32_t>;
    std::map<Ranges, Memo> m_memo;
    int m_depth = 0;
};

} // namespace kw
