// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"

#include "base/hash.h"

#include <sys/random.h>

#include <string>

namespace kw {

std::uint64_t secretSeed()
{
    std::uint64_t seed = 0;
    while (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) {
    }
    return seed;
}

std::uint64_t derivedSeed(std::uint64_t seed, std::string_view purpose)
{
    const std::string digest = sha256({std::to_string(seed), purpose});
    return std::stoull(digest.substr(0, 16), nullptr, 16);
}

} // namespace kw
