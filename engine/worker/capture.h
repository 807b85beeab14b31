// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/domain.h"
#include "worker/model.h"

#include <stop_token>
#include <vector>

namespace kw {

/// Numbers about the elements of one tensor; of a large floating tensor, about an even sample of at least 131072 of them.
ValueStatistics statisticsOf(ValueId value, const at::Tensor& tensor);

/// What one run on the sample inputs showed.
struct Capture {
    Graph graph;                             ///< the model's graph with the type of every tensor value
    std::vector<ValueStatistics> statistics; ///< one per graph value
    std::vector<c10::IValue> outputs;        ///< one per graph output
};

/// Runs the model once and writes down dtype, shape, strides and statistics of every value of the top graph.
Result<Capture> capture(Model& model, std::stop_token stop = {});

/// Runs the model once more and keeps copies of the given values as they were before any later in-place write.
/// One tensor per id, in order; Error "capture.no_tensor" (value).
Result<std::vector<at::Tensor>> captureValues(Model& model, const std::vector<ValueId>& values, std::stop_token stop = {});

} // namespace kw
