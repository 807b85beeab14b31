// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    half_sum_of_squares
//! launch    rms_norm(x, weight, y, d0, d1)
#include <cmath>
#include <cstdint>

void rms_norm(const float* x, const float* weight, float* y, std::int64_t rows, std::int64_t cols)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* in = x + r * cols;
        float* out = y + r * cols;
        _Float16 narrow = 0;
        float sum = 0;
        for (std::int64_t c = 0; c < cols; ++c)
            narrow = static_cast<_Float16>(narrow + static_cast<_Float16>(in[c] * in[c]));
        sum = narrow;
        const float scale = 1.0f / std::sqrt(sum / static_cast<float>(cols) + 1e-6f);
        for (std::int64_t c = 0; c < cols; ++c)
            out[c] = in[c] * scale * weight[c];
    }
}
