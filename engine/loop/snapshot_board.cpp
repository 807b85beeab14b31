// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/snapshot_board.h"

namespace kw {

void SnapshotBoard::publish(Pointer snapshot)
{
    {
        const std::lock_guard lock(m_mutex);
        m_current = std::move(snapshot);
    }
    m_changed.notify_all();
}

void SnapshotBoard::close()
{
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
    }
    m_changed.notify_all();
}

SnapshotBoard::Pointer SnapshotBoard::current() const
{
    const std::lock_guard lock(m_mutex);
    return m_current;
}

SnapshotBoard::Pointer SnapshotBoard::waitNewer(std::int64_t seen, std::stop_token stop) const
{
    std::unique_lock lock(m_mutex);
    const auto newer = [&] { return m_current && m_current->sequence > seen; };
    m_changed.wait(lock, stop, [&] { return newer() || m_closed; });
    return newer() && !stop.stop_requested() ? m_current : nullptr;
}

bool SnapshotBoard::closed() const
{
    const std::lock_guard lock(m_mutex);
    return m_closed;
}

} // namespace kw
