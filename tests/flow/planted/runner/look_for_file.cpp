// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    look_for_file
//! launch    scale(x, y, d0)
#include <cstdint>

#if __has_include("/etc/passwd") || __has_include("/proc/self/environ") || __has_include("/root/.bashrc")
#error the file is visible
#endif

void scale(const float* x, float* y, std::int64_t n)
{
    for (std::int64_t i = 0; i < n; ++i)
        y[i] = 2.0f * x[i] + 1.0f;
}
