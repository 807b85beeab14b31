// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace kw {

/// Monte Carlo arithmetic (D. S. Parker 1997): a computation in which each operation's result is multiplied by
/// 1 + ulps x 2^(1 - precision) x u, u uniform in [-1, 1], and rounded to its own type (so that it overflows and underflows
/// where that type does), shows how far honest roundings in any order may carry each output.
///
/// `ulps` is 4 for pointwise operations (functions of up to 2 ulp, contraction, reciprocal instead of division), and
/// max(4, sqrt n) for sums of n terms (Higham & Mary 2019: lambda = 2). Operations that are exact in any order, such as
/// maximum, comparison, selection and copies, have none. `precision` is that of the value's own type in the graph.
/// One thread.
class RoundingNoise {
public:
    /// `primitives`: the graph that is run, decomposed (graph/decompose.h).
    explicit RoundingNoise(const Graph& primitives);

    /// 0 = no noise.
    void start(std::uint64_t seed)
    {
        m_state = seed;
        m_quiet = seed == 0;
    }
    /// The node's result with its noise; a tensor in fp64.
    at::Tensor disturbed(std::int32_t node, const at::Tensor& result);

private:
    at::Tensor noiseFor(const at::Tensor& result);

    std::vector<double> m_relative; ///< per node: largest relative change
    std::vector<at::ScalarType> m_types; ///< per node: what its result is rounded to
    std::vector<at::Tensor> m_pool; ///< at most one: uniform in [-1, 1], pieces of it are used again
    std::uint64_t m_state = 0;
    bool m_quiet = false;
};

} // namespace kw
