// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <vector>

namespace kw {

/// Whether a thread of the process may run on another CPU than these. False for an empty list: every CPU is allowed.
bool leavesCpus(pid_t pid, const std::vector<int>& cpus);

} // namespace kw
