// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/problem.h"

#include <algorithm>
#include <string>

namespace kw::test {

/// What a person would write for rms_norm.pt2, claimed for the captured sizes only: one pass instead of five operators.
/// `remark` makes another text of it.
inline std::string rmsNormByHand(const Problem& problem, const std::string& remark = {})
{
    const auto sizes = capturedDimensions(problem);
    const auto elements = [&](const TensorArgument& argument) {
        std::int64_t count = 1;
        for (const std::int64_t size : concreteShape(argument.shape, sizes))
            count *= size;
        return count;
    };
    const auto smaller = [&](const TensorArgument& a, const TensorArgument& b) { return elements(a) < elements(b); };
    const TensorArgument& matrix = *std::max_element(problem.inputs.begin(), problem.inputs.end(), smaller);
    const TensorArgument& weight = *std::min_element(problem.inputs.begin(), problem.inputs.end(), smaller);
    std::string domain;
    for (std::size_t index = 0; index < problem.dimensions.size(); ++index)
        domain += (domain.empty() ? "" : ", ") + problem.dimensions[index].name + " == " + std::to_string(sizes[index]);
    const std::int64_t columns = elements(weight), rows = elements(matrix) / columns;
    return "//! kernel    rms_by_hand\n" + (domain.empty() ? std::string() : "//! domain    " + domain + "\n") + "//! launch    rms_by_hand("
        + matrix.name + ", " + weight.name + ", " + problem.outputs.front().name + ", " + std::to_string(rows) + ", "
        + std::to_string(columns) + ")\n// " + remark + R"(
#include <cmath>
#include <cstdint>

void rms_by_hand(const float* x, const float* weight, float* y, std::int64_t rows, std::int64_t columns)
{
#pragma omp parallel for
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* in = x + r * columns;
        float* out = y + r * columns;
        float sums[16] = {};
        for (std::int64_t c = 0; c < columns; c += 16)
            for (int lane = 0; lane < 16; ++lane)
                sums[lane] += in[c + lane] * in[c + lane];
        float sum = 0;
        for (int lane = 0; lane < 16; ++lane)
            sum += sums[lane];
        const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + 1e-6f);
        for (std::int64_t c = 0; c < columns; ++c)
            out[c] = weight[c] * (in[c] * scale);
    }
}
)";
}

} // namespace kw::test
