// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    reads_beyond
//! launch    relu(x, y, d0, d1)
#include <cstdint>

void relu(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
    float stale = 0.0f;
    for (int i = 0; i < 4096; ++i)
        stale += x[rows * cols + i];
    for (std::int64_t i = 0; i < rows * cols; ++i)
        y[i] = (x[i] < 0.0f ? 0.0f : x[i]) + stale * 0.0f;
}
