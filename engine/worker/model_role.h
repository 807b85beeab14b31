// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/subprocess.h"
#include "judge/frame_channel.h"
#include "record/measurement.h"
#include "worker/verify/host_tensor.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace kw {

/// Which model a fresh process runs, and how.
struct ModelProcessSpec {
    std::filesystem::path model;
    std::filesystem::path library;       ///< operator library to load first; may be empty
    bool keepMemory = true;              ///< false: the allocator's defaults
    int threads = 1;
    double startSeconds = 60;            ///< until the library and the model are loaded and warm
};

/// A fresh process that runs a whole model on its sample inputs (`kernelwright-worker --role model`). Killed with the handle.
class ModelProcess {
public:
    /// Errors: "model_process.failed" (why), the file's own "import.*", "judge.stopped".
    static Result<ModelProcess> start(const ModelProcessSpec& spec, std::stop_token stop = {});

    /// Runs the model `count` times; the sample is by our clock from the request to the reply, per run.
    Result<Sample> run(int count, std::stop_token stop = {});
    /// One run's outputs that are tensors, row-major; others are absent.
    Result<std::vector<std::optional<HostTensor>>> outputs(std::stop_token stop = {});

private:
    ModelProcess(Subprocess process, FrameChannel channel) : m_process(std::move(process)), m_channel(std::move(channel)) {}
    Result<void> greet(const std::stop_token& stop, FrameChannel::Clock::time_point deadline);
    Result<Frame> ask(const char* method, std::string_view arguments, std::stop_token stop);

    Subprocess m_process;
    FrameChannel m_channel;
    std::int64_t m_lastRequest = 0;
};

/// The fresh process' side: serves frames on the given descriptors. Returns an exit code.
int runModelRole(const ModelProcessSpec& spec, UniqueFd input, UniqueFd output);

} // namespace kw
