// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <vector>

namespace kw {

/// Monte Carlo arithmetic (D. S. Parker 1997): a computation in which each operation's result is multiplied by
/// 1 + ulps x 2^(1 - precision) x u, u uniform in [-1, 1], and rounded to its own type (so that it overflows and underflows
/// where that type does), shows how far honest roundings in any order may carry each output.
///
/// `ulps` is 4 for pointwise operations (functions of up to 2 ulp, contraction, reciprocal instead of division), and
/// max(4, sqrt n) for sums of n terms (Higham & Mary 2019: lambda = 2); and as that bound is one of the sum of the terms' sizes,
/// which is far more than their sum where they cancel, each term moves by 4 ulp besides. Operations that are exact in any order, such as
/// maximum, comparison, selection and copies, have none. `precision` is that of the value's own type in the graph.
/// One thread.
class RoundingNoise {
public:
    /// `primitives`: the graph that is run, decomposed (graph/decompose.h).
    explicit RoundingNoise(const Graph& primitives);

    /// 0 = no noise.
    void start(std::uint64_t seed);
    /// The node's result with its noise; a tensor in fp64.
    at::Tensor disturbed(std::int32_t node, const at::Tensor& result);

private:
    struct Sum {
        std::int32_t terms = -1; ///< the node that computes them; -1 for an input, whose elements move anyway
        std::vector<std::int64_t> dims;
        bool keep = false, mean = false;
        double relative = 0;     ///< largest relative change of a term
    };
    at::Tensor noiseFor(const at::Tensor& result);
    at::Tensor changed(std::int32_t node, const at::Tensor& result);
    at::Tensor changeOfTerms(const Sum& sum, const at::Tensor& terms, const at::Tensor& result);

    std::vector<double> m_relative; ///< per node: largest relative change
    std::vector<at::ScalarType> m_types; ///< per node: what its result is rounded to
    std::map<std::int32_t, Sum> m_sums;  ///< by node
    std::map<std::int32_t, at::Tensor> m_terms; ///< by node: results that are summed later in this run
    std::vector<at::Tensor> m_pool; ///< at most one: uniform in [-1, 1], pieces of it are used again
    std::uint64_t m_state = 0;
    bool m_quiet = false;
};

} // namespace kw
