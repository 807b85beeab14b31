// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "judge/judge.h"
#include "record/snapshot.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace kw {

struct ModelApplication {
    AppliedFiles files;
    AppliedSummary summary;
    std::vector<OutputComparison> outputs;
    std::vector<AppliedKernel> kernels;    ///< that are in it
    std::vector<std::string> takenOut;     ///< problem ids of those that were not worth it or broke the model's budget
};

struct ApplyOptions {
    std::filesystem::path folder;          ///< emptied first
    double expectedSpeedup = 1;            ///< from the kernels' own gains
    int mostTrials = 6;                    ///< leave-one-out measurements at most
};

/// Puts the kernels back into the whole model, compares every output, times it against the module, and takes out the kernels
/// that break the model's error budget or lose in it. Blocks. Errors: those of the judge, "apply.no_kernels",
/// "apply.outside_budget" (output) when no subset is within the budget.
Result<ModelApplication> applyModel(Judge& judge, std::vector<AppliedKernel> kernels, const ApplyOptions& options, std::stop_token stop,
    const ProgressCallback& progress);

} // namespace kw
