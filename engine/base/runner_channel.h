// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/runner_client.h"
#include "base/runner_wire.h"

namespace kw {

/// Our end: descriptors and mapped pages. Only RunnerChannel and RunnerClient see it.
struct RunnerChannel::State {
    UniqueFd control, remoteControl, commandFile, replyFile;
    int inputs = -1, outputs = -1;         ///< borrowed from the arena
    wire::CommandPage* command = nullptr;
    wire::ReplyPage* reply = nullptr;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State();
};

} // namespace kw
