// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    calls_library
//! launch    relu(x, y, d0, d1)
#include <cstdlib>
#include <cstdint>

void relu(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
    const float zero = static_cast<float>(std::rand() < 0);
    for (std::int64_t i = 0; i < rows * cols; ++i)
        y[i] = x[i] < 0.0f ? zero : x[i];
}
