// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/model_compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kw {
namespace {

constexpr std::int64_t tokenAxis = 1000;     ///< a last dimension this long is a choice among tokens or classes

double unitRoundoff(DType type)
{
    switch (type) {
    case DType::Half: return std::ldexp(1.0, -10);
    case DType::BFloat16: return std::ldexp(1.0, -7);
    case DType::Double: return std::ldexp(1.0, -52);
    case DType::Float8E4M3: return std::ldexp(1.0, -3);
    case DType::Float8E5M2: return std::ldexp(1.0, -2);
    default: return std::ldexp(1.0, -23);
    }
}

/// Row-major tensors: element number = offset.
double element(const HostTensor& tensor, std::int64_t index)
{
    return elementAt(tensor.storage.data(), tensor.type.dtype, index);
}

std::int64_t bestInRow(const HostTensor& tensor, std::int64_t row, std::int64_t length)
{
    std::int64_t best = 0;
    for (std::int64_t index = 1; index < length; ++index)
        if (element(tensor, row * length + index) > element(tensor, row * length + best))
            best = index;
    return best;
}

double topOneAgreement(const HostTensor& library, const HostTensor& applied)
{
    if (library.type.shape.empty() || library.type.shape.back() < tokenAxis || library.type.elements() == 0)
        return -1;
    const std::int64_t length = library.type.shape.back(), rows = library.type.elements() / length;
    std::int64_t equal = 0;
    for (std::int64_t row = 0; row < rows; ++row)
        equal += bestInRow(library, row, length) == bestInRow(applied, row, length);
    return static_cast<double>(equal) / static_cast<double>(rows);
}

bool sameKind(double a, double b)
{
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && std::isnan(b);
    return std::isinf(a) || std::isinf(b) ? a == b : true;
}

struct Sums {
    double libraryError = 0, largest = 0, dot = 0, normA = 0, normB = 0;
};

void compareElement(double library, double exact, double applied, OutputComparison& comparison, Sums& sums)
{
    // Where the library overflows, an Inf or a finite value both pass; where it does not, kinds must agree.
    if (!sameKind(library, applied) && !(std::isinf(library) && std::isfinite(exact) && std::isfinite(applied)))
        comparison.sameNonFinite = false;
    if (!std::isfinite(library) || !std::isfinite(exact) || !std::isfinite(applied))
        return;
    sums.libraryError = std::max(sums.libraryError, std::fabs(library - exact));
    sums.largest = std::max(sums.largest, std::fabs(exact));
    comparison.maxError = std::max(comparison.maxError, std::fabs(applied - exact));
    sums.dot += library * applied;
    sums.normA += library * library;
    sums.normB += applied * applied;
}

} // namespace

OutputComparison compareOutput(const std::string& name, const HostTensor& library, const HostTensor& exact,
    const std::optional<HostTensor>& applied, const ErrorBudget& budget)
{
    OutputComparison comparison;
    comparison.name = name;
    comparison.sameType = applied && applied->type.dtype == library.type.dtype && applied->type.shape == library.type.shape;
    if (!comparison.sameType)
        return comparison;
    if (!isFloating(library.type.dtype)) {
        comparison.passed = library.storage == applied->storage;
        comparison.maxError = comparison.passed ? 0 : std::numeric_limits<double>::infinity();
        return comparison;
    }
    Sums sums;
    for (std::int64_t index = 0; index < library.type.elements(); ++index)
        compareElement(element(library, index), element(exact, index), element(*applied, index), comparison, sums);
    comparison.allowedError = std::max(budget.factor * sums.libraryError, budget.floorUlps * unitRoundoff(library.type.dtype) * sums.largest);
    comparison.cosine = sums.normA > 0 && sums.normB > 0 ? sums.dot / std::sqrt(sums.normA * sums.normB) : 1;
    comparison.top1 = topOneAgreement(library, *applied);
    comparison.passed = comparison.sameNonFinite && comparison.maxError <= comparison.allowedError;
    return comparison;
}

} // namespace kw
