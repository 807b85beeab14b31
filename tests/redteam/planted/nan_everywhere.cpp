// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    nan_everywhere
//! launch    relu(x, y, d0, d1)
#include <cmath>
#include <cstdint>

void relu(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
    for (std::int64_t i = 0; i < rows * cols; ++i)
        y[i] = NAN;
}
