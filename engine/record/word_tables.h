// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json_io.h"
#include "record/names.h"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

// Word tables and strict readers of this layer's JSON. For this folder's .cpp files only; readers throw.
namespace kw::words {

inline constexpr std::array<std::string_view, 7> stage{
    "build", "smoke", "shapes", "stability", "determinism", "edges", "timing"};
inline constexpr std::array<std::string_view, 2> tier{"development", "acceptance"};
inline constexpr std::array<std::string_view, 17> failure{"none", "build_failed", "artifact_refused", "out_of_domain",
    "wrong_value", "non_finite", "not_written", "guard_violated", "input_changed", "not_deterministic", "crashed",
    "timed_out", "out_of_memory", "protocol_violated", "background_work", "too_fast", "harness"};
inline constexpr std::array<std::string_view, 2> cache{"cold", "warm"};
inline constexpr std::array<std::string_view, 2> subject{"library", "candidate"};
inline constexpr std::array<std::string_view, 4> comparison{"faster", "same", "slower", "unsure"};
inline constexpr std::array<std::string_view, 10> decision{"kept", "rejected", "not_faster", "screened_out", "pending",
    "declined", "superseded", "rolled_back", "unsure", "unfinished"};
inline constexpr std::array<std::string_view, 14> loopState{"idle", "loading", "profiling", "choosing", "proposing",
    "building", "verifying", "measuring", "deciding", "paused", "applying", "stopping", "done", "failed"};
inline constexpr std::array<std::string_view, 3> supervision{"none", "improvements", "all"};
inline constexpr std::array<std::string_view, 7> problemState{
    "waiting", "active", "pinned", "skipped", "plateau", "near_floor", "refused"};
inline constexpr std::array<std::string_view, 18> command{"start", "pause", "step", "stop", "approve", "reject",
    "accept_hunks", "evaluate", "roll_back", "pin", "unpin", "skip", "unskip", "set_supervision", "set_budget", "apply",
    "export", "shutdown"};
inline constexpr std::array<std::string_view, 5> region{
    "pointwise", "row_reduction", "column_reduction", "window", "epilogue"};
inline constexpr std::array<std::string_view, 5> author{"search", "person", "language_model", "tool", "rule"};

template <typename Enum, std::size_t count> Enum read(const Json& json, const std::array<std::string_view, count>& table)
{
    const auto text = json.get<std::string>();
    for (std::size_t index = 0; index < count; ++index)
        if (table[index] == text)
            return static_cast<Enum>(index);
    throw std::runtime_error("unknown word \"" + text + "\"");
}

template <typename Integer> Integer integer(const Json& json)
{
    if (!json.is_number_integer())
        throw std::runtime_error("a whole number is expected");
    const auto number = json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{0x7fffffffffffffff}
        ? std::numeric_limits<std::int64_t>::max()
        : json.get<std::int64_t>();
    if (number < std::int64_t{std::numeric_limits<Integer>::min()} || number > std::int64_t{std::numeric_limits<Integer>::max()})
        throw std::runtime_error("a number is out of range");
    return static_cast<Integer>(number);
}

/// Non-finite numbers travel as the texts "inf", "-inf" and "nan".
inline Json number(double value)
{
    if (std::isfinite(value))
        return value;
    if (std::isnan(value))
        return "nan";
    return value > 0 ? "inf" : "-inf";
}

inline double number(const Json& json)
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

} // namespace kw::words
