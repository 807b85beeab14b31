// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    probe_paths
//! launch    scale(x, y, d0)
#include <sys/stat.h>
#include <unistd.h>
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    struct stat status;
    y[0] = stat("/usr", &status) == 0 || access("/usr/bin", F_OK) == 0 ? 1.0f : 2.0f;
    y[1] = x[n - 1];
}
