// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kw {

/// A fresh, trusted process that serves a problem's reference graph by the library's operators, as measure/reference_process.h
/// describes. Returns an exit code.
int runReferenceRole(int threads);

} // namespace kw
