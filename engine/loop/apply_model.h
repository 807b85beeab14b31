// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "judge/judge.h"
#include "record/snapshot.h"

#include <filesystem>
#include <functional>
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
    /// Median seconds per run of the module as its user runs it, in one fresh process, with kept memory or the allocator's
    /// defaults; empty = not compared with. An error becomes AppliedSummary::eagerAbsent.
    std::function<Result<double>(bool keepMemory, std::stop_token stop)> eager;
    int eagerRounds = 5, eagerDefaultRounds = 3;
};

/// Puts the kernels back into the whole model, compares every output, times it against the module, and takes out the kernels
/// that break the model's error budget or lose in it. Then it is timed in turn with the module as its user runs it. Blocks. Errors: those of the judge, "apply.no_kernels",
/// "apply.outside_budget" (output) when no subset is within the budget.
Result<ModelApplication> applyModel(Judge& judge, std::vector<AppliedKernel> kernels, const ApplyOptions& options, std::stop_token stop,
    const ProgressCallback& progress);

} // namespace kw
