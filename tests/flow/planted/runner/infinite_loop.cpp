// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    infinite_loop
//! launch    scale(x, y, d0)
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    volatile std::int64_t turns = 0;
    while (turns >= 0)
        turns = (turns + 1) & 1023;
    y[0] = x[n - 1];
}
