// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sandbox/launcher.h"

#include <filesystem>
#include <memory>
#include <stop_token>

namespace kw {

/// The Python that can import torch: what KERNELWRIGHT_TORCH_PYTHON names (set but empty: none), else the set-up's in the user's
/// cache folder. Errors: "eager.no_python", "eager.missing" (path).
Result<std::filesystem::path> torchPython();

/// The module as its user runs it: Python eager on the model's own example inputs, every thread, each run a fresh process. A
/// model file may hold hostile code, so the process is sandboxed. Nothing is started before the first run. Any one thread.
class PythonEager {
public:
    /// `unsafe` as everywhere: run although the sandbox' minimum is missing.
    PythonEager(std::filesystem::path model, bool unsafe) : m_model(std::move(model)), m_unsafe(unsafe) {}

    /// Median seconds per run of one fresh process; kept memory as in the worker's processes, or the allocator's defaults. Holds
    /// the machine's CPU lock. Errors: those of torchPython(), "eager.no_inputs", "eager.failed" (why), the launcher's, "judge.stopped".
    Result<double> run(bool keepMemory, std::stop_token stop);

private:
    Result<void> prepare();
    SandboxPolicy policy(bool keepMemory) const;

    std::filesystem::path m_model, m_python;
    bool m_unsafe = false;
    std::string m_script;
    std::optional<Launcher> m_launcher;
};

/// What the script printed, as seconds per run. Errors: "eager.no_inputs", "eager.failed" (why).
Result<double> eagerSeconds(const std::string& output);

} // namespace kw
