// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    embed_file
//! launch    scale(x, y, d0)
#include <cstdint>

extern const char secret[] __asm__("secret");
__asm__(".section .rodata\nsecret: .incbin \"/etc/passwd\"\n.text\n");

void scale(const float* x, float* y, std::int64_t n)
{
    y[0] = x[n - 1] + secret[0];
}
