// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "judge/judge.h"
#include "worker/model.h"
#include "worker/verify/host_tensor.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace kw {

/// What the model itself gives, by the library and in fp64. Computed once per model.
struct ModelOutputs {
    std::vector<std::string> names;                       ///< of the graph's outputs
    std::vector<std::optional<HostTensor>> library;       ///< row-major; absent where an output is no tensor
    std::vector<std::optional<HostTensor>> exact;         ///< fp64 for floating outputs, else the output's own type
};
Result<ModelOutputs> modelOutputs(Model& model, std::stop_token stop);

/// Compares one output with the model's own. Budget: `factor` x the library's largest error against fp64, at least
/// `floorUlps` units in the last place of the output's largest value. Pure; free of LibTorch.
OutputComparison compareOutput(const std::string& name, const HostTensor& library, const HostTensor& exact,
    const std::optional<HostTensor>& applied, const ErrorBudget& budget);

/// Runs the rewritten model in a fresh process and compares every output that is a tensor.
Result<std::vector<OutputComparison>> compareModel(const ModelOutputs& expected, const AppliedFiles& files, int threads,
    std::stop_token stop);

/// Times two variants of the model in pairs of fresh processes, blocks in random order, all given threads on both sides.
Result<std::vector<PairBlock>> measureModel(const std::filesystem::path& original, const ModelMeasureRequest& request, int threads,
    std::stop_token stop);

} // namespace kw
