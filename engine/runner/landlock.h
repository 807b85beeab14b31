// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runner/context.h"

namespace kw {

/// Restricts the calling process to the system's read-only paths, the binds and the scratch folder (the working folder),
/// and, as far as the kernel's version knows them, refuses TCP, abstract sockets and signals to the outside.
StepFailure applyLandlock(const wire::SpawnRequest& request, int& version);

} // namespace kw
