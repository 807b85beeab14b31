// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    hidden_call
//! launch    scale(x, y, d0)
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    long result = 39;
    __asm__ volatile("jmp 1f + 1\n1: .byte 0xb8, 0x0f, 0x05, 0x90, 0x90" : "+a"(result) : : "rcx", "r11", "memory");
    y[0] = static_cast<float>(result) + x[n - 1];
}
