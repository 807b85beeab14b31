// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/budget.h"

namespace kw {

Spacing::Spacing(DType dtype)
{
    switch (dtype) {
    case DType::Double:
    case DType::ComplexDouble:
        m_precision = 53, m_smallest = -1022, m_largest = 1023;
        break;
    case DType::Half:
    case DType::ComplexHalf:
        m_precision = 11, m_smallest = -14, m_largest = 15;
        break;
    case DType::BFloat16:
        m_precision = 8;
        break;
    default:
        break;
    }
    if (dtype == DType::Bool || isInteger(dtype)) {
        m_fixed = dtype == DType::Bool ? 0 : 1;
        return;
    }
    m_most = std::ldexp(2 - std::ldexp(1.0, 1 - m_precision), m_largest);
    m_overflow = m_most + at(m_most) / 2; // what rounds to the number after the largest
}

double ulpAt(double magnitude, DType dtype) { return Spacing(dtype).at(magnitude); }
double largestFinite(DType dtype) { return Spacing(dtype).largestFinite(); }

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

double allowedRms(const ErrorScale& scale, double rmsUlp, const ErrorBudget& budget)
{
    return std::max(budget.factor * scale.rms, budget.floorUlps * rmsUlp);
}

} // namespace kw
