// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/snapshot_board.h"
#include "serve/client.h"

#include <thread>

namespace kw {

/// Hands snapshots of a board to a callback from a thread of its own, so that a slow callback only skips snapshots.
class BoardSubscription final : public Subscription {
public:
    BoardSubscription(std::shared_ptr<SnapshotBoard> board, SnapshotCallback callback)
        : m_thread([board = std::move(board), callback = std::move(callback)](const std::stop_token& stop) { run(*board, callback, stop); })
    {
    }

private:
    static void run(const SnapshotBoard& board, const SnapshotCallback& callback, const std::stop_token& stop)
    {
        std::int64_t seen = 0;
        while (const auto snapshot = board.waitNewer(seen, stop)) {
            seen = snapshot->sequence;
            callback(snapshot, true);
        }
        if (!stop.stop_requested())
            callback(board.current(), false);
    }

    std::jthread m_thread;
};

} // namespace kw
