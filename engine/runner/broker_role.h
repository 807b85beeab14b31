// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kw {

/// The broker: a small single-threaded process that starts sandboxes for the process at the other end of descriptor 3
/// and ends when that hangs up.
int runBroker();

} // namespace kw
