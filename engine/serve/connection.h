// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/unique_fd.h"
#include "serve/frame.h"
#include "serve/snapshot_delta.h"

#include <functional>
#include <memory>
#include <string>

namespace kw {

/// One client of the server: buffers in both directions with limits. Server thread only.
class Connection {
public:
    explicit Connection(UniqueFd descriptor);

    int descriptor() const { return m_descriptor.get(); }
    bool wantsToWrite() const { return m_sent < m_outgoing.size(); }
    /// False when the connection is to be closed.
    bool read();
    bool write();
    /// Answers at most one request, so that no client keeps the others waiting. False when the connection is to be closed.
    bool answerOne(const std::function<Json(const Json&)>& answer);
    bool hasRequest() const { return m_hasRequest; }
    /// Sends it when earlier bytes are gone; else the client gets a newer one later.
    void offer(const std::shared_ptr<const Snapshot>& snapshot);

private:
    void queue(const Json& json);
    bool findRequest();

    UniqueFd m_descriptor;
    FrameReader m_incoming{largestRequest};
    std::string m_outgoing;
    std::size_t m_sent = 0;
    SnapshotEncoder m_encoder;
    std::int64_t m_seen = 0;
    std::string m_request;
    bool m_hasRequest = false, m_greeted = false, m_broken = false;
};

} // namespace kw
