// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "measure/budget.h"
#include "record/verdict.h"
#include "worker/verify/host_tensor.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kw {

/// What the judge expects of one call; one tensor per output, contiguous.
struct Expected {
    std::vector<HostTensor> library;     ///< by the library's operators
    std::vector<HostTensor> precise;     ///< in fp64 (floating outputs) or the output's type
};

/// How far rounding may carry each element of the fp64 reference (condition.h): per output and element, in row-major order.
/// An element that becomes non-finite, stops being so, or changes between Inf, -Inf and NaN has an infinite entry.
using Condition = std::vector<std::vector<double>>;

/// One output as the candidate left it.
struct ActualOutput {
    std::string name;
    TensorType type;                     ///< with the strides of the signature
    const std::byte* storage = nullptr;
    const std::byte* before = nullptr;   ///< the poisoned storage as it was before the call
};

struct OutputResult {
    bool passed = true;
    FailureKind failure = FailureKind::None;
    Message reason;
    std::optional<WorstElement> worst;   ///< largest share of the budget
    double budgetUsed = 0;
    bool withinKernelBenchTolerance = true;
    bool usedCondition = false;          ///< some element passed only thanks to the problem's condition
};

/// Compares output number `index` with what is expected: error budget (measure/budget.h), non-finite values by position,
/// equality for integers and bools, gaps between strides untouched.
///
/// Elements beyond the budget get a second look: an error no larger than what rounding of inputs and intermediate
/// results makes of the exact result is the problem's, not the kernel's (`condition` is computed then, once). Discontinuous outputs
/// (comparisons, rounding) pass so within their tie margin.
/// `other`: error scale of further draws at the same place, for outputs of fewer than 64 elements; may be null.
OutputResult compareOutput(const ActualOutput& actual, std::size_t index, const Expected& expected, const ErrorBudget& budget,
    const ErrorScale* other, const std::function<const Condition*()>& condition);

/// Error scale of a whole output, for pooling over draws.
ErrorScale wholeScale(const Expected& expected, std::size_t index);

/// Larger outputs are held to the absolute error scale of their rows only: among millions of elements some always lie beside
/// a threshold or cancel, and the second look that they would need takes tens of seconds.
inline constexpr std::int64_t mostStrictElements = std::int64_t{1} << 20;
/// Rows are joined to units of at least this many elements.
inline constexpr std::int64_t unitElements = 64;

} // namespace kw
