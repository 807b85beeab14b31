// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

namespace kw {

/// A graph in primitives, and where the values of the original graph went.
struct Decomposition {
    Graph graph;                  ///< same inputs and outputs in the same order; every value is a typed tensor
    std::vector<ValueId> valueOf; ///< per original value: its value in `graph`; noValue when it has none
    std::vector<std::int32_t> nodeOf; ///< per node of `graph`: the original node that it implements
    /// Axes whose size is baked into a number (unbiased variance): (value of `graph`, axis). They may not be resized.
    std::vector<std::pair<ValueId, std::int32_t>> pinnedAxes;
};

/// Rewrites a typed graph (every value a tensor, sizes constant) into the primitives below. Every node of the result is
/// a legal ATen call, so torch can run it; numbers may stand where the schema wants a tensor (`add.Tensor(x, 1.5)`).
///
/// Pointwise, operands broadcast; integer and bool operands are converted to the common type first. Result types are
/// on the values.
///   add.Tensor sub.Tensor mul.Tensor div.Tensor (self, other; never alpha; either may be a number)
///   pow.Tensor_Scalar (self, exponent number) pow.Tensor_Tensor (self, exponent) pow.Scalar (self number, exponent);
///   exponents 0, +-0.5, +-1, +-2, 3 have become mul, sqrt, rsqrt, reciprocal
///   maximum minimum (self, other; a NaN on either side wins; either may be a number)
///   neg abs sgn exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan tanh sinh cosh asin acos atan
///   erf erfc sigmoid floor ceil round trunc (self); atan2 (self, other)
///   eq.Tensor ne.Tensor lt.Tensor le.Tensor gt.Tensor ge.Tensor (self, other; result bool)
///   logical_and logical_or logical_xor (self, other) logical_not isnan isinf isfinite (self)
///   where.self (condition bool, self, other; self and other may be numbers)
///   _to_copy (self, dtype)
/// Reductions (self, dim: ascending, non-negative; keepdim)
///   sum.dim_IntList mean.dim amax amin
/// Index maps
///   reshape (self, shape: row-major) permute (self, dims) expand (self, size) flip (self, dims)
///   slice.Tensor (self, dim, start, end, step; 0 <= start <= end <= size) select.int (self, dim, index >= 0)
///   cat (tensors, dim >= 0)
///   constant_pad_nd (self, pad >= 0, value) reflection_pad1d|2d|3d replication_pad1d|2d|3d (self, padding >= 0)
/// Windows
///   avg_pool2d (self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override: all given, two
///   numbers each, ceil_mode false)
/// Creation
///   full (size, fill_value number, dtype) arange.start_step (start, end, step: integers, dtype)
///
/// Copies, aliases and bookkeeping disappear; list results become single slices or selects. Reflecting and replicating
/// borders stand behind the pointwise operators that used them, in front of windows.
/// Error "graph.cannot_decompose" (target, why).
Result<Decomposition> decompose(const Graph& graph);

/// Whether decompose() handles this one call with these arguments and types.
bool canDecompose(const Graph& graph, const Node& node);

} // namespace kw
