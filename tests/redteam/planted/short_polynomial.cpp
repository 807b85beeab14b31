// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    short_polynomial
//! launch    softmax(x, y, d0, d1)
#include <cmath>
#include <cstdint>

void softmax(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* in = x + r * cols;
        float* out = y + r * cols;
        float highest = -INFINITY, sum = 0;
        for (std::int64_t c = 0; c < cols; ++c)
            highest = in[c] > highest ? in[c] : highest;
        for (std::int64_t c = 0; c < cols; ++c) {
            out[c] = std::exp2(std::floor((in[c] - highest) * 1.442695f)) * [](float f) { return 1.0f + f * (0.6951786f + f * (0.2261699f + f * 0.0782153f)); }((in[c] - highest) * 1.442695f - std::floor((in[c] - highest) * 1.442695f));
            sum += out[c];
        }
        for (std::int64_t c = 0; c < cols; ++c)
            out[c] /= sum;
    }
}
