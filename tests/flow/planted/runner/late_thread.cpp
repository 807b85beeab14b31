// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    late_thread
//! launch    scale(x, y, d0)
#include <pthread.h>
#include <cstdint>

static const float* source;
static float* target;
static std::int64_t count;

static void* work(void*)
{
    for (volatile std::int64_t wait = 0; wait < 200000000; wait = wait + 1) {
    }
    for (std::int64_t i = 0; i < count; ++i)
        target[i] = 2.0f * source[i] + 1.0f;
    return nullptr;
}

void scale(const float* x, float* y, std::int64_t n)
{
    source = x;
    target = y;
    count = n;
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
}
