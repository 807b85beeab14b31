// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "problem/problem.h"
#include "worker/verify/host_tensor.h"

#include <memory>
#include <vector>

namespace kw {

enum class Precision : std::uint8_t {
    Library, ///< the library's own operators in the problem's types
    Double,  ///< the same graph in fp64: floating casts inside it are identities
};

/// Computes what a problem's reference gives. Free of LibTorch in this header, so that cases, comparison and verifier
/// are too. Used from the worker's thread.
class Reference {
public:
    virtual ~Reference() = default;

    /// One tensor per output of the problem, contiguous: Library in the output's type; Double in fp64 for floating outputs
    /// and in the output's own type for the others.
    /// Errors: "problem.cannot_resize" (node), "reference.failed" (what) when an operator refuses these sizes or values.
    virtual Result<std::vector<HostTensor>> run(const Problem& problem, const std::vector<std::int64_t>& dimensions,
        const std::vector<HostTensor>& inputs, Precision precision) = 0;

    /// The fp64 result when every operation inside rounds at random, like arithmetic in the problem's own types does (see
    /// rounding_noise.h); by the same computation without any noise where `seed` is 0. Same outputs and errors as run() in fp64.
    virtual Result<std::vector<HostTensor>> runNoisy(const Problem& problem, const std::vector<std::int64_t>& dimensions,
        const std::vector<HostTensor>& inputs, std::uint64_t seed) = 0;
};

/// By LibTorch, through the worker's executor.
std::unique_ptr<Reference> makeTorchReference();

} // namespace kw
