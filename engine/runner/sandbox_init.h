// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runner/context.h"

namespace kw {

/// The first process of a sandbox (pid 1 of its namespace): puts up what needs rights, starts the program as a child
/// of its own so that the cause of death stays readable, reports it, hands back files. Ends everything inside when the
/// client hangs up or the broker dies.
[[noreturn]] void runInit(SandboxContext& context, int gate);

/// Descriptors of the exec'd call role, above those that are passed on.
inline constexpr int callStatusFd = 200, callRequestFd = 201;

} // namespace kw
