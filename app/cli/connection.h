// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"
#include "serve/client.h"
#include "serve/host.h"

#include <memory>

namespace kw::cli {

/// A session to talk to: attached to the host that runs on it, or one of our own.
struct Connection {
    std::unique_ptr<SessionHost> host;     ///< null when another process runs the session
    std::unique_ptr<SessionClient> client;
};

enum class Want { Look, Steer };

/// Attaches when a host runs on options.session; else opens the session here: for Look without judge and lock, for Steer with
/// both. `model` creates the session when the folder holds none.
Result<Connection> connect(const Options& options, Want want);

/// After interrupted(): stops a session of our own, says that it is kept, and gives the exit code.
int stopInterrupted(const Options& options, Connection& connection);

/// True once SIGINT or SIGTERM came; installs the handlers on first use. A second signal ends the program at once.
bool interrupted();

} // namespace kw::cli
