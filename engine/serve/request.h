// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json.h"
#include "base/result.h"
#include "record/command.h"
#include "serve/session_reader.h"

#include <functional>

namespace kw {

/// Answers one request of the socket: {"id", "method", "arguments"} to {"id", "result"} or {"id", "error"}. Never throws;
/// whatever is wrong with the request is said in the answer. `send` carries out commands.
Json answerRequest(const Json& request, SessionReader& reader, const std::function<Result<void>(const Command&)>& send);

} // namespace kw
