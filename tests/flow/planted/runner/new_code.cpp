// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    new_code
//! launch    scale(x, y, d0)
#include <sys/mman.h>
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    void* code = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    y[0] = code != MAP_FAILED ? 1.0f : 2.0f;
    y[1] = x[n - 1];
}
