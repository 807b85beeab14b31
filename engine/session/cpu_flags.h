// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kw {

/// The vector extensions of this processor that -march=native lets a compiler use, by the names of /proc/cpuinfo.
/// An exported library may run only where all of them are.
std::vector<std::string> vectorCpuFlags();

} // namespace kw
