// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    memory_hog
//! launch    scale(x, y, d0)
#include <cstdlib>
#include <cstring>
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    for (;;) {
        char* block = static_cast<char*>(std::malloc(1 << 20));
        std::memset(block, 1, 1 << 20);
        y[0] = x[n - 1];
    }
}
