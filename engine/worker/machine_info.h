// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/measurement.h"

namespace kw {

/// CPU, kernel, host and frequency of this machine, and the library's version. The rest is the caller's.
Environment machineEnvironment();

} // namespace kw
