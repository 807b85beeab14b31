// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    function_table
//! launch    scale(x, y, d0)
#include <cstdint>

static float once(float value) { return value; }
static float twice(float value) { return 2.0f * value; }
static float (*const table[])(float) = {once, twice};

void scale(const float* x, float* y, std::int64_t n)
{
    y[0] = table[n & 1](x[n - 1]);
}
