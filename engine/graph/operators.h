// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <string_view>

namespace kw {

/// What the region finder and the code generator need to know of an operator.
enum class OperatorKind : std::uint8_t {
    Pointwise,   ///< each output element from the same (broadcast) element of the inputs
    Reduction,   ///< over named axes
    Composite,   ///< decompose() writes it as pointwise operators and reductions: layer_norm, softmax, gelu ...
    View,        ///< another index map over the same elements; shares memory with its input when torch can
    ListView,    ///< split, chunk, unbind: several views as one list
    Copy,        ///< clone, contiguous, _to_copy: the same elements (possibly converted) in new memory
    Concat,      ///< cat, stack
    Pad,         ///< an index map with a border: constant, reflection, replication
    Window,      ///< avg_pool2d: a sum over a sliding window
    Creation,    ///< full, ones_like, arange, scalar_tensor: no tensor is read
    Product,     ///< matrix products, convolutions, attention: the library's
    Bookkeeping, ///< no effect at run time: assertions, detach, dropout in evaluation mode
    Opaque,      ///< everything else; never inside a region
};

/// One row of the table.
struct OperatorInfo {
    std::string_view target;
    OperatorKind kind = OperatorKind::Opaque;
    /// Arithmetic per element (of the output; of the input for reductions) in fp32 vector instructions, an add is 1.
    double cost = 1;
};

/// The table's row, or nullptr for an operator that it does not list (Opaque).
const OperatorInfo* findOperator(std::string_view target);
/// The kind of a call; arguments count (dropout in training mode is Opaque, `to` without effect is Bookkeeping when
/// the types of both values are known and equal).
OperatorKind operatorKind(const Graph& graph, const Node& node);
/// Vector instructions per element, see OperatorInfo::cost; 1 when unknown.
double operatorCost(std::string_view target);

/// "aten::add_.Tensor", "aten::copy_" ... : writes its first argument. ("aten::__and__.Tensor" does not.)
bool isInPlace(std::string_view target);
/// "aten::add_.Tensor" -> "aten::add.Tensor".
std::string functionalTarget(std::string_view target);
/// The tensor that the node's results may share memory with, or noValue: the source of a view, of a Bookkeeping
/// operator, of an in-place operator, of reshape, contiguous and `to`.
ValueId aliasedInput(const Graph& graph, const Node& node);

} // namespace kw
