// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "worker/verify/host_tensor.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace c10 {
struct IValue;
}

namespace kw {

/// One output of a whole model. Numbers, None and strings have no tensor; `text` holds them.
struct ModelOutput {
    std::string name;
    bool isTensor = false;
    HostTensor tensor;
    std::string text;
};

class Executor;

/// Runs the model here and copies its outputs.
Result<std::vector<ModelOutput>> modelOutputs(Executor& executor, const std::vector<c10::IValue>& inputs, std::stop_token stop = {});

/// The child's side: `kernelwright-worker --role outputs --model M [--library L] --threads N --out FILE` loads the operator
/// library, runs the model once on its own sample inputs, and writes every output. Returns an exit code; the reason of a
/// failure goes into FILE.
int writeModelOutputs(const std::filesystem::path& model, const std::filesystem::path& library, int threads,
    const std::filesystem::path& out);

/// The judge's side: starts that child, so that no kernel ever runs in the judge, and reads what it wrote. The file is
/// untrusted: sizes are checked. Errors: "apply.model_failed" (why), "process.*", "judge.stopped".
Result<std::vector<ModelOutput>> runModelOutputs(const std::filesystem::path& model, const std::filesystem::path& library,
    int threads, const std::filesystem::path& scratch, std::stop_token stop);

/// Loads an operator library into this process. Error: "apply.library_failed" (why).
Result<void> loadOperatorLibrary(const std::filesystem::path& library);

} // namespace kw
