// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/driver.h"
#include "session/session.h"

namespace kw {

/// Gathers what an export needs from the session and writes it (session/export.h). Errors: those of writeExport().
Result<void> exportSession(const SessionInfo& info, const ExportWish& wish, bool unsafe, const Snapshot& snapshot);

} // namespace kw
