// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kw {

/// A polynomial with integer coefficients over the problem's dimensions: sizes, strides and offsets as text can hold
/// them. Canonical, so equal polynomials compare equal. A value type.
class Poly {
public:
    Poly() = default;
    Poly(std::int64_t constant);
    static Poly dimension(std::int32_t index);

    bool isZero() const { return m_terms.empty(); }
    std::optional<std::int64_t> constant() const; ///< when no dimension occurs
    /// Exact quotient; nullopt when the divisor is not a single term or does not divide every term.
    std::optional<Poly> dividedBy(const Poly& divisor) const;
    std::int64_t at(const std::vector<std::int64_t>& dimensions) const;
    /// With the chosen dimensions replaced by numbers.
    Poly fixed(const std::vector<std::int64_t>& dimensions, const std::vector<bool>& isFixed) const;
    /// Text such as "512 * d0 + 3"; names by dimension index.
    std::string text(const std::vector<std::string>& names) const;
    bool isSum() const { return m_terms.size() > 1; }

    Poly& operator+=(const Poly& other);
    friend Poly operator+(Poly a, const Poly& b) { return a += b; }
    friend Poly operator*(const Poly& a, const Poly& b);
    friend Poly operator-(const Poly& a, const Poly& b) { return a + b * Poly(-1); }
    friend bool operator==(const Poly&, const Poly&) = default;
    friend auto operator<=>(const Poly&, const Poly&) = default;

private:
    std::map<std::vector<std::int32_t>, std::int64_t> m_terms; ///< sorted dimension indices -> coefficient, never 0
};

} // namespace kw
