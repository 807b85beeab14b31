// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    read_past_end
//! launch    scale(x, y, d0)
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    float sum = 0;
    for (std::int64_t i = 0; i <= n; ++i)
        sum += x[i];
    y[0] = sum;
}
