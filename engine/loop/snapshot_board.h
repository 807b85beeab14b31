// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/snapshot.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>

namespace kw {

/// Where the loop puts its newest snapshot and others wait for it. Nobody who reads can hold up who writes: older snapshots are
/// simply never seen by slow readers. Any thread.
class SnapshotBoard {
public:
    using Pointer = std::shared_ptr<const Snapshot>;

    void publish(Pointer snapshot);
    /// No more snapshots will come.
    void close();
    Pointer current() const;
    /// Waits for a snapshot whose sequence is above `seen`. Null when the board was closed or the wait was stopped; the last
    /// snapshot is handed out before the board counts as closed.
    Pointer waitNewer(std::int64_t seen, std::stop_token stop) const;
    bool closed() const;

private:
    mutable std::mutex m_mutex;
    mutable std::condition_variable_any m_changed;
    Pointer m_current;
    bool m_closed = false;
};

} // namespace kw
