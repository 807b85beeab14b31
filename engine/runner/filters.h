// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runner/context.h"

namespace kw {

/// Loads the system-call filter of the role into the calling process.
StepFailure applyFilter(SandboxPolicy::Role role);

/// The second filter of the call role, once the candidate is loaded: no more opening of files, no new executable memory,
/// no other limits. For every thread of the process.
StepFailure tightenFilter();

} // namespace kw
