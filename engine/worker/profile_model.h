// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "judge/judge.h"
#include "worker/model.h"

#include <filesystem>
#include <stop_token>

namespace kw {

/// Where the model's time goes: node times of this process (kept memory), of a fresh process with the allocator's defaults,
/// bytes and floating operations per node, and the machine's calibration with the same number of threads.
/// `typed` is the captured graph. Errors: the executor's, "judge.stopped", "profile.no_process" (why).
Result<Profile> profileModel(Model& model, const Graph& typed, const ProfileOptions& options, const ProgressCallback& progress,
    std::stop_token stop);

/// The fresh process' side: `kernelwright-worker --role profile --threads N --seconds S --model PATH` prints one JSON object
/// {"seconds", "nodes", "runs"} or {"error"} and returns an exit code. The allocator keeps its defaults.
int runProfileRole(const std::filesystem::path& model, int threads, double seconds, int output);

} // namespace kw
