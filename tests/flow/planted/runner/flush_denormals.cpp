// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    flush_denormals
//! launch    scale(x, y, d0)
#include <immintrin.h>
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    _mm_setcsr(_mm_getcsr() | 0x8040);
    for (std::int64_t i = 0; i < n; ++i)
        y[i] = 2.0f * x[i] + 1.0f;
}
