// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the place of engine/base/defence_standing.cpp in programs that are linked with this object.
#include "base/defence.h"
#include "base/unique_fd.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cstdlib>

namespace kw {
namespace {

/// KW_DEFENCE_SWITCHES: a file with one byte for each defence, 0 where it is left out. The test changes it while we run.
const volatile char* mapSwitches()
{
    const char* path = std::getenv("KW_DEFENCE_SWITCHES");
    const UniqueFd file(path ? ::open(path, O_RDONLY | O_CLOEXEC) : -1);
    void* address = file ? ::mmap(nullptr, defenceCount, PROT_READ, MAP_SHARED, file.get(), 0) : MAP_FAILED;
    return address == MAP_FAILED ? nullptr : static_cast<const volatile char*>(address);
}

// Before main: a sandbox may forbid it later.
const volatile char* const switches = mapSwitches();

} // namespace

bool standing(Defence defence) { return !switches || switches[static_cast<int>(defence)] != 0; }

} // namespace kw
