// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/snapshot_board.h"
#include "record/command.h"
#include "serve/session_reader.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace kw {

/// The session's Unix socket (mode 0600): one thread that answers requests and sends snapshots to every client. A client that
/// reads slowly gets fewer snapshots; one that sends nonsense, too much or never reads its answers is disconnected.
class Server {
public:
    using Send = std::function<Result<void>(const Command&)>;
    /// Listens and writes the pointer file. Error: "serve.cannot_listen" (why).
    static Result<std::unique_ptr<Server>> start(const std::filesystem::path& session, const std::string& sessionId,
        std::shared_ptr<SnapshotBoard> board, Send send);
    ~Server();

private:
    struct Private;
    explicit Server(std::unique_ptr<Private> state);
    std::unique_ptr<Private> m_state;
};

} // namespace kw
