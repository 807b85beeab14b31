// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    works_ahead
//! launch    scale(x, y, d0)
// A second thread never stops counting; every call writes where the count stood at its start and at its end.
#include <pthread.h>
#include <atomic>
#include <cstdint>

static std::atomic<std::int64_t> count{0};
static bool running = false;

static void* work(void*)
{
    for (;;)
        count.fetch_add(1, std::memory_order_relaxed);
}

static void put(float* y, std::int64_t value)
{
    for (int part = 0; part < 3; ++part)
        y[part] = static_cast<float>((value >> (16 * part)) & 0xFFFF);
}

void scale(const float*, float* y, std::int64_t)
{
    const std::int64_t before = count.load();
    if (!running) {
        running = true;
        pthread_t thread;
        pthread_create(&thread, nullptr, work, nullptr);
    }
    for (volatile std::int64_t wait = 0; wait < 60000000; wait = wait + 1) {
    }
    put(y, before);
    put(y + 3, count.load());
}
