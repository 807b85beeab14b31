// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/budget.h"

#include <algorithm>
#include <cmath>

namespace kw {
namespace {

struct FloatFormat {
    int precision = 24;   ///< significant bits, the hidden one included
    int smallest = -126;  ///< exponent of the smallest normal number
    int largest = 127;    ///< exponent of the largest
};

FloatFormat formatOf(DType dtype)
{
    switch (dtype) {
    case DType::Double:
    case DType::ComplexDouble:
        return {53, -1022, 1023};
    case DType::Half:
    case DType::ComplexHalf:
        return {11, -14, 15};
    case DType::BFloat16:
        return {8, -126, 127};
    default:
        return {};
    }
}

} // namespace

double ulpAt(double magnitude, DType dtype)
{
    if (dtype == DType::Bool)
        return 0;
    if (isInteger(dtype))
        return 1;
    const FloatFormat format = formatOf(dtype);
    int exponent = format.smallest;
    if (magnitude != 0 && std::isfinite(magnitude))
        exponent = std::clamp(std::ilogb(magnitude), format.smallest, format.largest);
    return std::ldexp(1.0, exponent - format.precision + 1);
}

double largestFinite(DType dtype)
{
    const FloatFormat format = formatOf(dtype);
    return std::ldexp(2 - std::ldexp(1.0, 1 - format.precision), format.largest);
}

ErrorScale errorScale(std::span<const double> reference, std::span<const double> library)
{
    double largest = 0, largestRelative = 0, squares = 0, relativeSquares = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double error = std::abs(library[i] - reference[i]);
        if (!std::isfinite(error))
            continue;
        ++count;
        largest = std::max(largest, error);
        squares += error * error;
        if (reference[i] != 0) {
            const double relative = error / std::abs(reference[i]);
            largestRelative = std::max(largestRelative, relative);
            relativeSquares += relative * relative;
        } else if (error > 0) {
            largestRelative = HUGE_VAL; // no relative scale covers an exact zero: the absolute one decides
        }
    }
    ErrorScale scale;
    if (count == 0)
        return scale;
    scale.rms = std::sqrt(squares / static_cast<double>(count));
    scale.absolute = std::max(largest, 3 * scale.rms);
    scale.relative = std::max(largestRelative, 3 * std::sqrt(relativeSquares / static_cast<double>(count)));
    return scale;
}

ErrorScale widest(const ErrorScale& a, const ErrorScale& b)
{
    return {std::max(a.absolute, b.absolute), std::max(a.relative, b.relative), std::max(a.rms, b.rms)};
}

ErrorBudget budgetForTerms(const ErrorBudget& budget, double terms)
{
    const double dependent = std::min(terms / 2, 64.0), independent = std::sqrt(std::max(terms, 0.0));
    return {budget.factor, std::max({budget.floorUlps, dependent, independent})};
}

double allowedError(const ErrorScale& scale, double reference, DType dtype, const ErrorBudget& budget)
{
    const double floor = budget.floorUlps * ulpAt(reference, dtype);
    const double relative = std::isinf(scale.relative) ? scale.absolute : scale.relative * std::abs(reference);
    return std::max(floor, budget.factor * std::min(scale.absolute, relative));
}

double allowedRms(const ErrorScale& scale, double rmsUlp, const ErrorBudget& budget)
{
    return std::max(budget.factor * scale.rms, budget.floorUlps * rmsUlp);
}

} // namespace kw
