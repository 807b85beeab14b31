// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    load_library
//! launch    scale(x, y, d0)
#include <dlfcn.h>
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    y[0] = dlopen("libresolv.so.2", RTLD_NOW) ? 1.0f : 2.0f;
    y[1] = x[n - 1];
}
