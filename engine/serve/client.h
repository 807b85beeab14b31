// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "problem/problem.h"
#include "record/command.h"
#include "record/diff.h"
#include "record/experiment.h"
#include "record/snapshot.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace kw {

using SnapshotPointer = std::shared_ptr<const Snapshot>;

/// Called from a thread of the client, never from the caller's own: hand the value over and return at once.
/// `connected` turns false once, when the host has gone; the last snapshot comes with it (may be null).
using SnapshotCallback = std::function<void(const SnapshotPointer& snapshot, bool connected)>;

/// While it lives the callback is called; destroying it waits for a running call and then none follows.
/// Not to be destroyed from inside the callback.
class Subscription {
public:
    virtual ~Subscription() = default;
};

/// A session as window, command line and tools see it, in the same process or through a socket. All calls are safe from
/// any thread and answered within milliseconds unless the host has gone. Errors: "serve.disconnected", "serve.timeout",
/// and what the host answers.
class SessionClient {
public:
    virtual ~SessionClient() = default;

    /// Success means that the wish is accepted and, for approvals and roll backs, durable.
    /// Errors: "command.refused" family, each with its reason.
    virtual Result<void> send(const Command& command) = 0;
    /// The newest snapshot; never null.
    virtual Result<SnapshotPointer> snapshot() = 0;
    virtual Result<Experiment> experiment(std::int64_t number) = 0;
    virtual Result<Problem> problem(const std::string& id) = 0;
    /// By candidate id, with source text, whether kept or rejected.
    virtual Result<Candidate> candidate(const std::string& id) = 0;
    /// From one candidate's text to another's. An empty `from` stands for the library: every line is added.
    virtual Result<TextDiff> difference(const std::string& from, const std::string& to) = 0;
    /// At most ten snapshots a second, always including the last one; the current one comes at once.
    virtual std::unique_ptr<Subscription> subscribe(SnapshotCallback callback) = 0;
};

/// Attaches to the host that runs on a session folder. Errors: "serve.no_host" (folder), "serve.version" (ours, theirs),
/// "socket.failed" (why).
Result<std::unique_ptr<SessionClient>> attach(const std::filesystem::path& session);

} // namespace kw
