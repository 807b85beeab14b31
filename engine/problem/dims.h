// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/decompose.h"
#include "problem/problem.h"

namespace kw {

/// The sizes of a graph's values as constants and free dimensions.
struct SymbolicShapes {
    std::vector<Dimension> dimensions;          ///< "d0", "d1" ... in the order of first appearance over inputs, values
    std::vector<std::vector<Size>> shapes;      ///< per value of the analysed graph
};

/// Sizes that broadcasting and reductions tie together are one dimension. A size is constant when it is 1, or when a
/// split or merged view, a slice, a concatenation, a pad, a window that changes it or a number in the graph fixes it.
SymbolicShapes symbolicShapes(const Decomposition& decomposition);
/// The same for the values of the original graph.
Result<SymbolicShapes> symbolicShapes(const Graph& reference);

} // namespace kw
