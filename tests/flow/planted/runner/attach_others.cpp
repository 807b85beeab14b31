// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    attach_others
//! launch    scale(x, y, d0)
#include <sys/ptrace.h>
#include <unistd.h>
#include <cstdint>

void scale(const float* x, float* y, std::int64_t n)
{
    y[0] = ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0 ? 1.0f : 2.0f;
    y[1] = x[n - 1];
}
