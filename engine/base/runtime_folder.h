// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

namespace kw {

/// The folder for sockets, made with mode 0700 and refused when it belongs to somebody else: XDG_RUNTIME_DIR/kernelwright, else
/// /tmp/kernelwright-UID. Error: "serve.cannot_listen" (why).
Result<std::filesystem::path> runtimeFolder();

/// Where the host of a session listens. Session folders hold a file "socket" with this path, since a socket's path may have
/// 107 bytes only.
Result<std::filesystem::path> socketPath(const std::string& sessionId);

} // namespace kw
