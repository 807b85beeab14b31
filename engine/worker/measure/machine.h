// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <sched.h>

namespace kw {

/// CPUs that this process may use, ascending; at least one.
std::vector<int> usableCpus();
/// Time that the hypervisor took from all CPUs since the start of the machine; 0 when unknown. Resolution 10 ms.
double stolenSeconds();

/// Keeps the calling thread on one CPU while it lives; does nothing for a negative one. One thread.
class ThreadPin {
public:
    explicit ThreadPin(int cpu);
    ~ThreadPin();
    ThreadPin(const ThreadPin&) = delete;
    ThreadPin& operator=(const ThreadPin&) = delete;

private:
    cpu_set_t m_before = {};
    bool m_changed = false;
};

} // namespace kw
