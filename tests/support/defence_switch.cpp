// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the place of engine/base/defence_standing.cpp in programs that are linked with this object.
#include "base/defence.h"

#include <array>
#include <cstdlib>
#include <string>

namespace kw {
namespace {

/// KW_STANDING_DEFENCES: names with commas between them. Unset: all stand.
std::array<bool, defenceCount> readSwitches()
{
    std::array<bool, defenceCount> stands;
    stands.fill(true);
    if (const char* list = std::getenv("KW_STANDING_DEFENCES")) {
        const std::string all = std::string(",") + list + ",";
        for (int i = 0; i < defenceCount; ++i)
            stands[static_cast<std::size_t>(i)] = all.find("," + std::string(nameOf(static_cast<Defence>(i))) + ",") != std::string::npos;
    }
    return stands;
}

} // namespace

bool standing(Defence defence)
{
    static const std::array<bool, defenceCount> stands = readSwitches();
    return stands[static_cast<std::size_t>(defence)];
}

} // namespace kw
