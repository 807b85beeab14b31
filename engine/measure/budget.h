// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/dtype.h"
#include "problem/problem.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace kw {

// The error budget: how far a candidate's output may lie from the fp64 reference.
//
//     allowed(i) = max( floor x ulp(r_i),  k x min(E, R |r_i|) )
//
// r_i: fp64 reference. ulp: spacing of the output's type at r_i. E and R: absolute and relative error scale of the
// library's own operators against fp64 in the same unit (a row of the last dimension; short rows are joined to at least
// 64 elements). Beside it the unit's RMS error may be at most max(k x library's RMS, floor x RMS of the ulps).
//
// E = max(largest error, 3 x RMS error), R the same for errors divided by |r_i|. The RMS term makes the scale steady: the
// largest of few errors is often small by luck. min(E, R |r_i|): where the library is accurate relative to each element
// (no cancellation in the unit), small elements have small limits, so they cannot hide behind large neighbours. Where it
// cancels somewhere, R is huge and E decides. Outputs of more than a million elements are held to E alone.
//
// k = 4. An honest kernel sums in another order and may use functions twice as coarse: say errors like the library's with
// twice its deviation s. Then E >= 3 s within the spread of an RMS over 64 values (9 %), and a wrong refusal needs an error
// beyond 12 s = 6 deviations: 2e-9 for normal errors, 1e-7 per row of 64, 1e-3 for a million elements; the second look at
// the condition of the problem (verify/condition.h) takes those up. A smaller k would refuse honest kernels; a larger one
// gains nothing, since a real downgrade lies far outside: half precision inside an fp32 kernel errs by 2^-11 = 4096 ulp
// of fp32 and more.
//
// floor = 16 ulp. Where the library happens to be exact (a copy, one rounding, few elements) its error says nothing. A
// region chains up to about eight elementary operations or functions of at most 2 ulp each between input and output
// when errors pass through with a condition number near one.
//
// Sums of n terms: floor = max(16, min(n / 2, 64), sqrt n) ulp. Adding n terms one after the other is off by sqrt(n) u
// (u = half an ulp) when roundings are independent (Higham & Mary 2019, "A new approach to probabilistic rounding error
// analysis": at most lambda sqrt(n) u with probability 1 - 2 exp(-lambda^2 / 2); sqrt(n) ulp is lambda = 2), and by up to
// (n - 1) u when they are not, as for nearly equal terms: that worst case is granted for the first 128 terms. The library
// adds in vectors and trees and is often better; another order of summation is no mistake. Leaving out one of n average
// terms shifts a sum by 2^23 / n ulp, which is more than the floor up to n = 40,000; half precision errs by 4096 ulp.

/// Spacing of a type's numbers, made once for millions of elements.
class Spacing {
public:
    explicit Spacing(DType dtype);

    /// By IEEE 754: 2^(exponent - precision + 1), subnormals included. Zero has the smallest subnormal's spacing, like values
    /// that are not finite. 1 for integers, 0 for bools.
    double at(double magnitude) const
    {
        // The exponent as the number stores it: zeros and subnormals have the least, infinities and NaN the largest.
        constexpr int bias = 1023, special = 0x7ff;
        const int stored = static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> 52) & special;
        const int exponent = stored == special ? m_smallest : std::clamp(stored - bias, m_smallest, m_largest);
        const int spacing = exponent - m_precision + 1;
        if (m_fixed >= 0)
            return m_fixed;
        return spacing > -bias ? std::bit_cast<double>(static_cast<std::uint64_t>(spacing + bias) << 52) : std::ldexp(1.0, spacing);
    }
    /// The largest finite number; infinite for integers.
    double largestFinite() const { return m_most; }
    /// A value as the type would hold it, but for its rounding: beyond the largest number it is infinite.
    double inRange(double value) const { return std::abs(value) >= m_overflow ? std::copysign(HUGE_VAL, value) : value; }

private:
    int m_precision = 24, m_smallest = -126, m_largest = 127;
    double m_fixed = -1, m_most = HUGE_VAL, m_overflow = HUGE_VAL;
};

/// Spacing(dtype).at(magnitude)
double ulpAt(double magnitude, DType dtype);
/// The largest finite number of a floating type.
double largestFinite(DType dtype);

/// The library's own error in one unit.
struct ErrorScale {
    double absolute = 0, relative = 0, rms = 0;
    friend bool operator==(const ErrorScale&, const ErrorScale&) = default;
};
/// Over the elements where both are finite; spans of equal length.
ErrorScale errorScale(std::span<const double> reference, std::span<const double> library);
/// Errors of another draw at the same place count too: the larger scale of both.
ErrorScale widest(const ErrorScale& a, const ErrorScale& b);

/// The budget for a problem whose longest sum has that many terms.
ErrorBudget budgetForTerms(const ErrorBudget& budget, double terms);

inline double allowedError(const ErrorScale& scale, double reference, const Spacing& spacing, const ErrorBudget& budget)
{
    const double floor = budget.floorUlps * spacing.at(reference);
    const double relative = std::isinf(scale.relative) ? scale.absolute : scale.relative * std::abs(reference);
    return std::max(floor, budget.factor * std::min(scale.absolute, relative));
}
double allowedRms(const ErrorScale& scale, double rmsUlp, const ErrorBudget& budget);

} // namespace kw
