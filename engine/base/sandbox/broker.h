// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sandbox/launcher.h"
#include "base/sandbox/wire.h"

#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>

namespace kw {

/// What a request led to: a sandbox whose program is running, or why not.
struct SpawnResult {
    wire::StatusMessage status;            ///< kind Started or Failed
    UniqueFd pidfd, statusSocket, collectFile;
    pid_t init = -1, program = -1;
    bool brokerGone = false;
};

/// The client's end of the broker process. Thread-safe. Starts the broker anew when it has died.
class BrokerConnection {
public:
    explicit BrokerConnection(std::filesystem::path runner) : m_runner(std::move(runner)) {}
    ~BrokerConnection();
    BrokerConnection(const BrokerConnection&) = delete;
    BrokerConnection& operator=(const BrokerConnection&) = delete;

    Result<void> ensureRunning();
    /// Returns when the program is about to run, or has failed to.
    SpawnResult spawn(const wire::SpawnRequest& request, const std::string& bundle, std::span<const PassedFd> descriptors,
        const StandardStreams& streams);

private:
    Result<void> startLocked();

    std::filesystem::path m_runner;
    std::mutex m_mutex;
    UniqueFd m_socket;
    pid_t m_pid = -1;
};

} // namespace kw
