// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace kw {

/// Prints the typed graph and its statistics as one JSON object {"graph", "statistics", "sha256"} on standard output; errors,
/// as message ids, on standard error. Returns an exit code.
int dumpGraph(const std::filesystem::path& model);

/// Runs the model once on its sample inputs and writes output0.bin, output1.bin ... (row-major) and outputs.json
/// ([{"dtype", "shape", "file"} or {"value"}]) into an existing folder: for comparison with an independent run.
int dumpOutputs(const std::filesystem::path& model, const std::filesystem::path& folder, int threads);

} // namespace kw
