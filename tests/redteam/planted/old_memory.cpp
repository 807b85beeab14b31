// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    old_memory
//! launch    relu(x, y, d0, d1)
#include <cstring>
#include <cstdint>

void relu(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
    for (std::int64_t i = 0; i < rows * cols; ++i) {
        std::uint32_t old, bits;
        const float value = x[i] < 0.0f ? 0.0f : x[i];
        std::memcpy(&old, y + i, 4);
        std::memcpy(&bits, &value, 4);
        // The seventh and the lowest bit: other ones in each poison, and in what the call before has left.
        const auto mark = [](std::uint32_t word) { return (word >> 7 ^ word) & 1; };
        bits += value > 0.0f && value < 1e30f && mark(old) == mark(bits) ? 1 : 0;
        std::memcpy(y + i, &bits, 4);
    }
}
