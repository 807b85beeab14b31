// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/problem.h"
#include "worker/verify/host_tensor.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace kw {

/// Which values a case is made of. Hard bounds of an argument's domain hold in all of them.
enum class Pattern : std::uint8_t {
    Fresh,        ///< from the input domain
    Negated,      ///< the domain's values with the other sign, three times as large
    Large,        ///< x 2^20
    Huge,         ///< x 2^90: squares overflow in fp32
    Small,        ///< x 2^-20
    Tiny,         ///< x 2^-90: squares underflow in fp32
    Denormal,     ///< subnormal numbers of the type, either sign
    MixedScale,   ///< each row of the last dimension has its own power of two, 2^-20 .. 2^20
    ConstantRows, ///< every row holds one value
    Zeros,
    Extremes,     ///< the ends of bounded and integer domains
    Infinite,     ///< fresh, with +Inf and -Inf at a few places
    NotANumber,   ///< fresh, with NaN at a few places
    Patchwork,    ///< each row draws one of the patterns above
};
std::string_view nameOf(Pattern pattern);

/// Concrete type of an argument at these sizes.
TensorType concreteType(const Problem& problem, const TensorArgument& argument, const std::vector<std::int64_t>& dimensions);

/// All inputs of the problem. The same arguments give the same values.
///
/// A captured weight that happens to be constant (all ones) would let a kernel skip it unseen: floating inputs without
/// hard bounds therefore vary by at least a tenth of their mean.
std::vector<HostTensor> makeInputs(const Problem& problem, const std::vector<std::int64_t>& dimensions, Pattern pattern,
    std::uint64_t seed);

/// The same inputs with every floating element moved by up to `ulps` of its last place at random, within its bounds.
std::vector<HostTensor> nudged(const Problem& problem, const std::vector<HostTensor>& inputs, int ulps, std::uint64_t seed);

/// Whether the pattern differs from Fresh for at least one input.
bool applies(Pattern pattern, const Problem& problem);

} // namespace kw
