// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    opens_socket
//! launch    relu(x, y, d0, d1)
#include <sys/socket.h>
#include <cstdint>

void relu(const float* x, float* y, std::int64_t rows, std::int64_t cols)
{
    y[0] = static_cast<float>(socket(AF_INET, SOCK_STREAM, 0));
    for (std::int64_t i = 0; i < rows * cols; ++i)
        y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
