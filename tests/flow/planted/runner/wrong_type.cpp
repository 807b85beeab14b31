// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    wrong_type
//! launch    scale(x, y, d0)
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    y[0] = x[n];
    undeclared(y);
}
