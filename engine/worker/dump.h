// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace kw {

/// Prints the typed graph and its statistics as one JSON object {"graph", "statistics"} on standard output; errors, as
/// message ids, on standard error. Returns an exit code.
int dumpGraph(const std::filesystem::path& model);

} // namespace kw
