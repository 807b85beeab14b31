// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kw {

/// Becomes the given program, which the kernel kills when the thread that started it ends. Returns only on failure.
int runGuard(char** arguments);

} // namespace kw
