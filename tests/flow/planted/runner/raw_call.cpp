// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    raw_call
//! launch    scale(x, y, d0)
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    long result = 39;
    __asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
    y[0] = static_cast<float>(result) + x[n - 1];
}
