// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runner/context.h"

namespace kw {

/// The layers that a process takes on itself, in this order: Landlock, limits, capabilities, seccomp. Works on the
/// calling process, whose working folder must be the scratch folder. Stops at the first failure.
StepFailure confine(const wire::SpawnRequest& request, int& landlockVersion);

/// Gives up every capability, for good. Failure is reported by confine() where it matters.
bool dropCapabilities();

/// Tells the client that every layer stands.
void sendStarted(int statusSocket, int landlockVersion);

} // namespace kw
