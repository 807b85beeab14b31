// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace kw {

/// Seconds of the monotonic clock, from some moment in the past: for differences only.
inline double steadySeconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace kw
