// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    include_file
//! launch    scale(x, y, d0)
#include "/etc/passwd"
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    for (std::int64_t i = 0; i < n; ++i)
        y[i] = 2.0f * x[i] + 1.0f;
}
