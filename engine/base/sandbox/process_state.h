// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/file.h"
#include "base/sandbox/broker.h"

#include <atomic>
#include <optional>

namespace kw {

/// What a handle on a sandboxed process knows. Used by Launcher (fills it) and SandboxedProcess.
struct SandboxedProcess::State {
    SpawnResult spawned;
    SandboxReport report;
    SandboxLimits limits;
    std::size_t collectCount = 0;
    bool pidNamespace = false;
    std::optional<TemporaryFolder> scratch; ///< only without a mount namespace
    std::atomic<bool> killed = false;
    double cpuAtKill = 0;
    ExitCause cause;
    std::vector<std::string> collected;
};

} // namespace kw
