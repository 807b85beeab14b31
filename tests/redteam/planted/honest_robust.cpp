// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    honest_robust
//! launch    rms_norm(x, weight, y, d0, d1)
#include <cmath>
#include <cstdint>

void rms_norm(const float* x, const float* weight, float* y, std::int64_t rows, std::int64_t cols)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* in = x + r * cols;
        float* out = y + r * cols;
        double sum = 0;
        for (std::int64_t c = 0; c < cols; ++c)
            sum += static_cast<double>(in[c]) * in[c];
        const double scale = 1.0 / std::sqrt(sum / static_cast<double>(cols) + 1e-6);
        for (std::int64_t c = 0; c < cols; ++c)
            out[c] = static_cast<float>(in[c] * scale * weight[c]);
    }
}
