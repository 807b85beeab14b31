// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/frame_server.h"

#include <filesystem>
#include <memory>

namespace kw {

struct JudgeServiceOptions {
    bool unsafe = false;
    std::filesystem::path buildCache;    ///< folder of built candidates; empty: memory only
};

/// The worker's main role: owns model, problems and candidates, and answers the host's requests by their method names.
/// Everything runs on the thread that calls answer().
class JudgeService {
public:
    /// Starts the sandbox broker; call it before anything of LibTorch is used. A missing sandbox or compiler is no error
    /// here: the requests that need it fail and say so.
    explicit JudgeService(JudgeServiceOptions options);
    ~JudgeService();

    Result<ServedReply> answer(const std::string& method, const Json& arguments, const ProgressCallback& progress, std::stop_token stop);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace kw
