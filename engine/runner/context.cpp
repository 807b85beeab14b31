// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner/context.h"

#include "base/sandbox/fd_message.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace kw {

StepFailure failedStep(int layer, const char* step) { return {layer, errno == 0 ? EINVAL : errno, step}; }

void reportFailure(int statusSocket, const StepFailure& failure)
{
    wire::StatusMessage message;
    message.kind = wire::StatusMessage::Failed;
    message.layer = failure.layer;
    message.error = failure.error;
    std::strncpy(message.step, failure.step, sizeof message.step - 1);
    wire::sendMessage(statusSocket, &message, sizeof message);
}

bool switchedOff([[maybe_unused]] wire::Layer layer)
{
#ifdef KW_TEST_HOOKS
    const char* list = std::getenv("KW_SANDBOX_WITHOUT");
    std::string all(",");
    all.append(list ? list : "").append(",");
    return all.find(std::string(",").append(wire::layerNames[layer]).append(",")) != std::string::npos;
#else
    return false;
#endif
}

} // namespace kw
