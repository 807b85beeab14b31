// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    huge_array
//! launch    scale(x, y, d0)
#include <cstddef>
#include <cstdint>

const volatile char huge[std::size_t{1} << 30] = {1};

void scale(const float* x, float* y, std::int64_t n)
{
    y[0] = x[n - 1] + static_cast<float>(huge[n]);
}
