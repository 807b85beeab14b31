// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/archive.h"
#include "worker/executor.h"
#include "worker/import_graph.h"

#include <string>

namespace kw {

/// Reads weights, buffers and constants that the model's inputs name. Names that share a file share a storage.
/// Errors: "import.missing_weight" (weight), "import.short_weight" (weight, bytes, needed), "import.pickled_weight" (weight),
/// "import.unsupported_weight" (weight, what), the archive's, "import.out_of_memory" (weight, bytes).
Result<WeightMap> loadWeights(Archive& archive, const std::string& modelName, const ImportedModel& model);

} // namespace kw
