// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    nothing
//! launch    relu(x, y, d0, d1)
#include <cstdint>

void relu(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
    (void)x, (void)y, (void)rows, (void)cols;
}
