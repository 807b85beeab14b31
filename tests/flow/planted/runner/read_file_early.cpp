// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    read_file_early
//! launch    scale(x, y, d0)
#include <fcntl.h>
#include <cstdint>

static bool found = false;

__attribute__((constructor)) static void look()
{
    static const char* const paths[] = {"/etc/passwd", "/etc/hostname", "/proc/self/maps", "/root", "/home", "/dev/shm", "/var/log"};
    for (const char* path : paths)
        found = found || open(path, O_RDONLY) >= 0;
    found = found || open("/tmp/mark", O_WRONLY | O_CREAT, 0600) >= 0;
}

void scale(const float* x, float* y, std::int64_t n)
{
    y[0] = found ? 1.0f : 2.0f;
    y[1] = x[n - 1];
}
