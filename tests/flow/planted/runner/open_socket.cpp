// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    open_socket
//! launch    scale(x, y, d0)
#include <sys/socket.h>
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    y[0] = socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 1.0f : 2.0f;
    y[1] = x[n - 1];
}
