// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json.h"
#include "judge/frame_channel.h"
#include "judge/judge.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace kw {

/// A reply: JSON text, and attachments where a method has them.
struct ServedReply {
    std::string json = "null";
    std::vector<std::string> blobs;
};
using ServedMethod = std::function<Result<ServedReply>(const std::string& method, const Json& arguments,
    const ProgressCallback& progress, std::stop_token stop)>;

/// The worker's end of the protocol: greets, then answers one request after the other on the calling thread, while a reader
/// thread takes frames from the channel and turns a cancel into the running request's stop token.
/// When the peer hangs up or breaks the protocol the process ends at once: nothing that it does matters to anybody then.
/// Returns only when the greeting fails, with an exit code.
int serveFrames(FrameChannel channel, const ServedMethod& method);

} // namespace kw
