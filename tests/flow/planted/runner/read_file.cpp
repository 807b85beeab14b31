// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    read_file
//! launch    scale(x, y, d0)
#include <fcntl.h>
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    const int file = open("/usr/include/stdio.h", O_RDONLY);
    y[0] = file >= 0 ? 1.0f : 2.0f;
    y[1] = x[n - 1];
}
