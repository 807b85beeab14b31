// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sandbox/wire.h"
#include "base/unique_fd.h"

#include <sys/types.h>

#include <vector>

namespace kw {

/// Everything that the processes of one sandbox know. Lives in the broker's memory; copied by fork.
struct SandboxContext {
    wire::SpawnRequest request;
    std::vector<UniqueFd> fixed;       ///< wire::FixedFd
    std::vector<UniqueFd> passed;
    std::vector<UniqueFd> bindSources; ///< O_PATH, one per SandboxPolicy::binds; opened by the init
    UniqueFd runner;                   ///< our own executable
    uid_t privateUid = 0;              ///< an identity that nobody else has; 0 when we are an ordinary user

    bool wants(wire::Layer layer) const { return (request.layers & wire::bit(layer)) != 0; }
    int status() const { return fixed[wire::StatusFd].get(); }
};

/// A failed step inside a sandbox that is being put up; `layer` -1 belongs to none.
struct StepFailure {
    int layer = -1;
    int error = 0;
    const char* step = "";
    bool failed() const { return error != 0; }
};
StepFailure failedStep(int layer, const char* step);          ///< with errno
void reportFailure(int statusSocket, const StepFailure& failure);

/// True when a test has switched the layer off (KW_SANDBOX_WITHOUT, test builds only).
bool switchedOff(wire::Layer layer);

} // namespace kw
