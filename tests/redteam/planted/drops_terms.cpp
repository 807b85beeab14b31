// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    drops_terms
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
            out[c] = std::exp(in[c] - highest);
            sum += c % 32 == 31 ? 0.0f : out[c];
        }
        for (std::int64_t c = 0; c < cols; ++c)
            out[c] /= sum;
    }
}
