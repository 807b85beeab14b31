// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

#include <string>

namespace kw::cli {

/// The whole model's result in lines that end with a line break: against itself, and against Python eager or why not.
std::string appliedText(const Options& options, const AppliedSummary& applied);

} // namespace kw::cli
