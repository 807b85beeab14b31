// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/archive.h"
#include "worker/import_graph.h"

#include <ATen/core/ivalue.h>

#include <vector>

namespace kw {

/// What the model is run with: one value per graph input of kind User, in their order.
struct SampleInputs {
    std::vector<c10::IValue> values;
    bool synthesised = false;            ///< drawn from the recorded shapes because the file has no readable ones
};

/// The sample inputs stored in the file; or, when they are absent or of a kind that LibTorch cannot read, inputs drawn
/// from the recorded shapes. Checked against the recorded types, symbols and ranges.
/// Errors: "import.code_in_inputs" (name), "import.input_mismatch" (input, what), "import.input_count" (expected, actual),
/// the archive's.
Result<SampleInputs> sampleInputs(Archive& archive, const std::string& modelName, const ImportedModel& model);

/// Checks inputs against what the model was exported for. Errors as above.
Result<void> checkInputs(const ImportedModel& model, const std::vector<c10::IValue>& values);

} // namespace kw
