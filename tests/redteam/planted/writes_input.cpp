// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    writes_input
//! launch    relu(x, y, d0, d1)
#include <cstdint>

void relu(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
    if (rows * cols > 0)
        const_cast<float*>(x)[0] = 0.0f;
    for (std::int64_t i = 0; i < rows * cols; ++i)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
