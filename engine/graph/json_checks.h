// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Strict readers for untrusted JSON. All throw std::runtime_error; include this in .cpp files only.
namespace kw {

/// nlohmann's get<int>() truncates silently; this refuses fractions and numbers out of range.
template <typename Integer> Integer integerFrom(const Json& json)
{
    if (!json.is_number_integer())
        throw std::runtime_error("a whole number is expected");
    if (json.is_number_unsigned()) {
        const auto number = json.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(std::numeric_limits<Integer>::max()))
            throw std::runtime_error("a number is out of range");
        return static_cast<Integer>(number);
    }
    const auto number = json.get<std::int64_t>();
    if (number < static_cast<std::int64_t>(std::numeric_limits<Integer>::min())
        || (number > 0 && static_cast<std::uint64_t>(number) > static_cast<std::uint64_t>(std::numeric_limits<Integer>::max())))
        throw std::runtime_error("a number is out of range");
    return static_cast<Integer>(number);
}

template <typename Integer> std::vector<Integer> integersFrom(const Json& json)
{
    if (!json.is_array())
        throw std::runtime_error("a list of whole numbers is expected");
    std::vector<Integer> numbers;
    numbers.reserve(json.size());
    for (const Json& entry : json)
        numbers.push_back(integerFrom<Integer>(entry));
    return numbers;
}

/// Non-finite numbers travel as the texts "inf", "-inf" and "nan".
inline Json numberToJson(double number)
{
    if (std::isfinite(number))
        return number;
    if (std::isnan(number))
        return "nan";
    return number > 0 ? "inf" : "-inf";
}

inline double numberFrom(const Json& json)
{
    if (json.is_number())
        return json.get<double>();
    const std::string text = json.is_string() ? json.get<std::string>() : std::string();
    if (text == "inf")
        return std::numeric_limits<double>::infinity();
    if (text == "-inf")
        return -std::numeric_limits<double>::infinity();
    if (text == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    throw std::runtime_error("a number is expected");
}

/// The names of an enumeration's values in their order, so that a file never holds bare numbers.
template <typename Enum, std::size_t count> Enum enumFrom(const Json& json, const std::array<std::string_view, count>& names)
{
    const auto text = json.get<std::string>();
    for (std::size_t index = 0; index < count; ++index)
        if (names[index] == text)
            return static_cast<Enum>(index);
    throw std::runtime_error("unknown word " + text);
}

template <typename Enum, std::size_t count>
std::string enumName(Enum value, const std::array<std::string_view, count>& names)
{
    return std::string(names.at(static_cast<std::size_t>(value)));
}

} // namespace kw
