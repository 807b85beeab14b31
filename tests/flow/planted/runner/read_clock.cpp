// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    read_clock
//! launch    scale(x, y, d0)
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    y[0] = static_cast<float>(__builtin_ia32_rdtsc()) + x[n - 1];
}
