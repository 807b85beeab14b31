// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

// Honest kernels for the problems of kernel_problems.h, as a person would write them.
namespace kw::test {

inline const std::string rmsNormText = R"(//! kernel    rms_norm
//! launch    rms_norm(x, weight, y, d0, d1)
#include <cmath>
#include <cstdint>

void rms_norm(const float* x, const float* weight, float* y, std::int64_t rows, std::int64_t cols)
{
#pragma omp parallel for
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* in = x + r * cols;
        float* out = y + r * cols;
        float sums[8] = {};
        std::int64_t c = 0;
        for (; c + 8 <= cols; c += 8)
            for (int lane = 0; lane < 8; ++lane)
                sums[lane] += in[c + lane] * in[c + lane];
        float sum = 0;
        for (int lane = 0; lane < 8; ++lane)
            sum += sums[lane];
        for (; c < cols; ++c)
            sum += in[c] * in[c];
        const float scale = 1.0f / std::sqrt(sum / static_cast<float>(cols) + 1e-6f);
        for (c = 0; c < cols; ++c)
            out[c] = in[c] * scale * weight[c];
    }
}
)";

inline const std::string softmaxText = R"(//! kernel    softmax
//! launch    softmax(x, y, d0, d1)
#include <cmath>
#include <cstdint>

void softmax(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
#pragma omp parallel for
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* in = x + r * cols;
        float* out = y + r * cols;
        float highest = -INFINITY;
        for (std::int64_t c = 0; c < cols; ++c)
            highest = in[c] > highest ? in[c] : highest;
        float sum = 0;
        for (std::int64_t c = 0; c < cols; ++c) {
            out[c] = std::exp(in[c] - highest);
            sum += out[c];
        }
        const float scale = 1.0f / sum;
        for (std::int64_t c = 0; c < cols; ++c)
            out[c] *= scale;
    }
}
)";

inline const std::string geluText = R"(//! kernel    gelu_gate
//! launch    gelu_gate(x, bias, gate, y, d0, d1)
#include <cmath>
#include <cstdint>

void gelu_gate(const float* x, const float* bias, const float* gate, float* y, std::int64_t rows, std::int64_t cols)
{
#pragma omp parallel for
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < cols; ++c) {
            const std::int64_t i = r * cols + c;
            const float v = x[i] + bias[c];
            const float gelu = 0.5f * v * (1.0f + std::erf(v * 0.70710678118654752f));
            y[i] = gelu * gate[i];
        }
}
)";

} // namespace kw::test
