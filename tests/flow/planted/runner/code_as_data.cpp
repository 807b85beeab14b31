// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    code_as_data
//! launch    scale(x, y, d0)
#include <cstdint>

__attribute__((section(".text.code,\"ax\",@progbits#"))) static const unsigned char code[] = {0xb8, 39, 0, 0, 0, 0x0f, 0x05, 0xc3};

void scale(const float* x, float* y, std::int64_t n)
{
    y[0] = static_cast<float>(reinterpret_cast<long (*)()>(reinterpret_cast<std::uintptr_t>(code))()) + x[n - 1];
}
