// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/poly.h"

#include <algorithm>

namespace kw {

Poly::Poly(std::int64_t constant)
{
    if (constant != 0)
        m_terms.emplace(std::vector<std::int32_t>{}, constant);
}

Poly Poly::dimension(std::int32_t index)
{
    Poly result;
    result.m_terms.emplace(std::vector<std::int32_t>{index}, 1);
    return result;
}

std::optional<std::int64_t> Poly::constant() const
{
    if (m_terms.empty())
        return 0;
    if (m_terms.size() == 1 && m_terms.begin()->first.empty())
        return m_terms.begin()->second;
    return std::nullopt;
}

Poly& Poly::operator+=(const Poly& other)
{
    for (const auto& [factors, coefficient] : other.m_terms) {
        const auto [place, added] = m_terms.emplace(factors, coefficient);
        if (!added && (place->second += coefficient) == 0)
            m_terms.erase(place);
    }
    return *this;
}

Poly operator*(const Poly& a, const Poly& b)
{
    Poly result;
    for (const auto& [left, leftCoefficient] : a.m_terms) {
        for (const auto& [right, rightCoefficient] : b.m_terms) {
            std::vector<std::int32_t> factors = left;
            factors.insert(factors.end(), right.begin(), right.end());
            std::sort(factors.begin(), factors.end());
            Poly term;
            term.m_terms.emplace(std::move(factors), leftCoefficient * rightCoefficient);
            result += term;
        }
    }
    return result;
}

std::optional<Poly> Poly::dividedBy(const Poly& divisor) const
{
    if (divisor.m_terms.size() != 1)
        return std::nullopt;
    const auto& [factors, coefficient] = *divisor.m_terms.begin();
    Poly result;
    for (const auto& [own, ownCoefficient] : m_terms) {
        if (ownCoefficient % coefficient != 0 || !std::includes(own.begin(), own.end(), factors.begin(), factors.end()))
            return std::nullopt;
        std::vector<std::int32_t> rest;
        std::set_difference(own.begin(), own.end(), factors.begin(), factors.end(), std::back_inserter(rest));
        result.m_terms.emplace(std::move(rest), ownCoefficient / coefficient);
    }
    return result;
}

std::int64_t Poly::at(const std::vector<std::int64_t>& dimensions) const
{
    std::int64_t sum = 0;
    for (const auto& [factors, coefficient] : m_terms) {
        std::int64_t product = coefficient;
        for (const std::int32_t index : factors)
            product *= dimensions.at(static_cast<std::size_t>(index));
        sum += product;
    }
    return sum;
}

Poly Poly::fixed(const std::vector<std::int64_t>& dimensions, const std::vector<bool>& isFixed) const
{
    Poly result;
    for (const auto& [factors, coefficient] : m_terms) {
        Poly term(coefficient);
        for (const std::int32_t index : factors) {
            const auto i = static_cast<std::size_t>(index);
            term = term * (isFixed.at(i) ? Poly(dimensions.at(i)) : dimension(index));
        }
        result += term;
    }
    return result;
}

std::string Poly::text(const std::vector<std::string>& names) const
{
    if (m_terms.empty())
        return "0";
    std::string text;
    // Terms with dimensions first, the plain number last, as people write it.
    for (auto term = m_terms.rbegin(); term != m_terms.rend(); ++term) {
        const bool negative = term->second < 0;
        const std::int64_t size = negative ? -term->second : term->second;
        text += text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
        std::string factors;
        if (size != 1 || term->first.empty())
            factors = std::to_string(size);
        for (const std::int32_t index : term->first)
            factors += (factors.empty() ? "" : " * ") + names.at(static_cast<std::size_t>(index));
        text += factors;
    }
    return text;
}

} // namespace kw
