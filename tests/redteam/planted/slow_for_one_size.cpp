// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    slow_for_one_size
//! launch    relu(x, y, d0, d1)
#include <cstdint>

/// Some seconds: each division waits for the one before.
static float wait(float value)
{
    for (std::int64_t turns = 0; turns < 1000000000; ++turns)
        value = 1.0f / (value + 1.0f);
    return value;
}

void relu(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
    const float zero = rows == 1 && cols == 1 ? 0.0f * wait(x[0] * 0.0f) : 0.0f;
    for (std::int64_t i = 0; i < rows * cols; ++i)
        y[i] = x[i] < 0.0f ? zero : x[i];
}
