// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    writes_file
//! launch    relu(x, y, d0, d1)
#include <fcntl.h>
#include <unistd.h>
#include <cstdint>

void relu(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
    const int file = open("results.json", O_WRONLY | O_CREAT, 0600);
    if (file >= 0)
        y[0] = static_cast<float>(write(file, "{}", 2));
    for (std::int64_t i = 0; i < rows * cols; ++i)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
