// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/agent.h"
#include "judge/judge.h"
#include "serve/client.h"
#include "session/session.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace kw {

struct HostOptions {
    std::filesystem::path folder;             ///< the session folder
    std::filesystem::path model;              ///< creates the session when the folder holds none; else must match when given
    bool readOnly = false;                    ///< only look: no judge, no lock, no writing
    bool listen = true;                       ///< offer the Unix socket
    bool profileAtOnce = true;                ///< load and profile without waiting for Start; experiments never start by themselves
    bool unsafe = false;                      ///< run although a required sandbox layer is missing; stamped on every record
    std::uint64_t seed = 0;                   ///< of the agent and of all draws; 0 = drawn once per session
    double targetSpeedup = 0;                 ///< of the whole model: the search ends there; 0 = none
    std::function<Result<std::unique_ptr<Judge>>()> makeJudge; ///< empty = the worker beside this executable
    std::function<std::unique_ptr<Agent>(std::uint64_t seed)> makeAgent; ///< empty = the built-in search
    std::function<Result<double>(bool keepMemory, std::stop_token stop)> eagerSeconds; ///< empty = Python, sandboxed
};

/// Owns one session: its journal, history, loop thread and socket. Lives in the window's or a headless process.
/// start() and the destructor may block (opening, ending the worker): call them off the event loop.
class SessionHost {
public:
    virtual ~SessionHost() = default;

    /// Errors: those of Session, "serve.cannot_listen" (why).
    static Result<std::unique_ptr<SessionHost>> start(HostOptions options);

    /// A client in this process; valid as long as the host lives. Several may be used at once.
    virtual std::unique_ptr<SessionClient> client() = 0;
    /// True once a Shutdown command was carried out.
    virtual bool finished() const = 0;
    /// Blocks until finished() or until the time is over; tells which.
    virtual bool waitUntilFinished(double seconds) = 0;
};

} // namespace kw
