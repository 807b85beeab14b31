// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/executor.h"
#include "worker/import_graph.h"
#include "worker/inputs.h"

#include <filesystem>
#include <optional>

namespace kw {

/// A model file that is ready to run: graph, weights, sample inputs, executor. Owned by the worker's main thread.
struct Model {
    std::filesystem::path path;
    std::string sha256;
    ImportedModel imported;
    WeightMap weights;
    SampleInputs inputs;
    std::optional<Executor> executor;
    double loadSeconds = 0;
};

/// Opens, checks, reads and prepares a .pt2 file. `hash` = false leaves sha256 empty (0.1 s per 100 MB).
/// Errors: "import.*", with everything that one can know without running it.
Result<Model> loadModel(const std::filesystem::path& path, bool hash = true);

} // namespace kw
