// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace kw {

/// A seed that nobody can predict (getrandom).
std::uint64_t secretSeed();

/// A seed derived from another and a purpose, so that every draw of a run can be repeated from one number.
std::uint64_t derivedSeed(std::uint64_t seed, std::string_view purpose);

} // namespace kw
