// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session.h"

namespace kw {

/// A name for this machine that tells nothing about it.
std::string thisMachine();

/// Replaces session.json.
Result<void> writeSessionInfo(const SessionInfo& info);

} // namespace kw
