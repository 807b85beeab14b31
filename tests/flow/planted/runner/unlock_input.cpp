// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    unlock_input
//! launch    scale(x, y, d0)
#include <sys/mman.h>
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    const auto page = reinterpret_cast<std::uintptr_t>(x) & ~std::uintptr_t{4095};
    y[0] = mprotect(reinterpret_cast<void*>(page), 4096, PROT_READ | PROT_WRITE) == 0 ? 1.0f : 2.0f;
    y[1] = x[n - 1];
}
