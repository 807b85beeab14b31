// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    constant_bomb
//! launch    scale(x, y, d0)
#include <cstdint>

constexpr int spin(int turns)
{
    int sum = 0;
    for (int i = 0; i < turns; ++i)
        sum ^= i;
    return sum;
}

void scale(const float* x, float* y, std::int64_t n)
{
    constexpr int result = spin(1000000000);
    y[0] = x[n - 1] + static_cast<float>(result);
}
