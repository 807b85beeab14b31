// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    honest_fast_exp
//! launch    softmax(x, y, d0, d1)
#include <cmath>
#include <cstdint>
#include <initializer_list>

/// 2^n e^r with a polynomial of degree 7 in |r| <= ln 2 / 2: within 2 ulp.
static float fast_exp(float v)
{
    if (!(v > -87.0f))
        return std::exp(v);
    const float n = std::nearbyint(v * 1.44269504f);
    const float r = std::fma(n, -1.42860677e-6f, std::fma(n, -0.693145752f, v));
    float p = 1.0f / 5040;
    for (const float c : {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f})
        p = std::fma(p, r, c);
    return std::ldexp(p, static_cast<int>(n));
}

void softmax(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* in = x + r * cols;
        float* out = y + r * cols;
        float highest = -INFINITY, sum = 0;
        for (std::int64_t c = 0; c < cols; ++c)
            highest = in[c] > highest ? in[c] : highest;
        for (std::int64_t c = 0; c < cols; ++c) {
            out[c] = fast_exp(in[c] - highest);
            sum += out[c];
        }
        for (std::int64_t c = 0; c < cols; ++c)
            out[c] /= sum;
    }
}
