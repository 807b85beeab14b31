// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    twice_the_budget
//! launch    rms_norm(x, weight, y, d0, d1)
#include <cmath>
#include <cstdint>
#include <cstring>

void rms_norm(const float* x, const float* weight, float* y, std::int64_t rows, std::int64_t cols)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* in = x + r * cols;
        float* out = y + r * cols;
        float sum = 0;
        for (std::int64_t c = 0; c < cols; ++c)
            sum += in[c] * in[c];
        const float scale = 1.0f / std::sqrt(sum / static_cast<float>(cols) + 1e-6f);
        for (std::int64_t c = 0; c < cols; ++c)
            out[c] = in[c] * scale * weight[c];
        // 40 units in the last place away from zero
        for (std::int64_t c = 0; c < cols; ++c) {
            std::uint32_t bits;
            std::memcpy(&bits, out + c, 4);
            bits += std::fabs(out[c]) > 1e-30f && std::fabs(out[c]) < 1e30f ? 40 : 0;
            std::memcpy(out + c, &bits, 4);
        }
    }
}
