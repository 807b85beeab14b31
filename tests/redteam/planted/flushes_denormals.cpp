// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    flushes_denormals
//! launch    relu(x, y, d0, d1)
#include <immintrin.h>
#include <cstdint>

void relu(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
    _mm_setcsr(_mm_getcsr() | 0x8040);
    for (std::int64_t i = 0; i < rows * cols; ++i)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
