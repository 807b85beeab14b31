// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runner/context.h"

namespace kw {

struct Spawned {
    StepFailure failure;
    pid_t pid = -1;
    int pidfd = -1;
};

/// Broker: clones the init of a sandbox into its namespaces, maps its identity, lets it go. The clone never returns.
Spawned cloneInit(SandboxContext& context);

/// Init: takes the mapped identity inside a user namespace.
StepFailure enterIdentity(const SandboxContext& context);

/// Init: builds the small root of the sandbox and moves into it; the working folder is the scratch folder afterwards.
/// Stops at the first failure. Without a mount namespace it only enters the scratch folder of the request.
StepFailure enterRoot(const SandboxContext& context);

/// Paths of the system that every sandbox may read; absent ones are skipped.
inline constexpr const char* systemFolders[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
    "/etc/ld.so.cache", "/etc/alternatives", "/sys/devices/system/cpu"};
inline constexpr const char* systemDevices[] = {"/dev/null", "/dev/zero", "/dev/urandom"};
inline constexpr const char* scratchInside = "/tmp";

} // namespace kw
