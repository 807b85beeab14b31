// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "build/backend.h"

#include <string>
#include <vector>

namespace kw {

/// Reads what g++ -fdiagnostics-format=json wrote. Whatever is not its JSON becomes one diagnostic without a place.
/// At most 200 are kept; positions outside the candidate's own text are 0.
std::vector<Diagnostic> parseDiagnostics(const std::string& compilerOutput);

} // namespace kw
