// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    tf32_products
//! launch    rms_norm(x, weight, y, d0, d1)
#include <cmath>
#include <cstdint>

void rms_norm(const float* x, const float* weight, float* y, std::int64_t rows, std::int64_t cols)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* in = x + r * cols;
        float* out = y + r * cols;
        float sum = 0;
        for (std::int64_t c = 0; c < cols; ++c)
            sum += [](float v) { unsigned b; __builtin_memcpy(&b, &v, 4); b &= 0xffffe000u; __builtin_memcpy(&v, &b, 4); return v; }(in[c]) * [](float v) { unsigned b; __builtin_memcpy(&b, &v, 4); b &= 0xffffe000u; __builtin_memcpy(&v, &b, 4); return v; }(in[c]);
        const float scale = 1.0f / std::sqrt(sum / static_cast<float>(cols) + 1e-6f);
        for (std::int64_t c = 0; c < cols; ++c)
            out[c] = [](float v) { unsigned b; __builtin_memcpy(&b, &v, 4); b &= 0xffffe000u; __builtin_memcpy(&v, &b, 4); return v; }(in[c]) * scale * weight[c];
    }
}
