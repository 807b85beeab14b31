// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "serve/client.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace kw::test {

/// Remembers the newest snapshot that a client was told.
class Told {
public:
    explicit Told(SessionClient& client)
    {
        m_subscription = client.subscribe([this](const SnapshotPointer& snapshot, bool) {
            const std::lock_guard lock(m_mutex);
            if (snapshot)
                m_last = snapshot;
            m_changed.notify_all();
        });
    }
    SnapshotPointer last()
    {
        const std::lock_guard lock(m_mutex);
        return m_last;
    }
    SnapshotPointer wait(double seconds, const std::function<bool(const Snapshot&)>& wanted)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return m_last && wanted(*m_last); });
        return m_last && wanted(*m_last) ? m_last : nullptr;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    SnapshotPointer m_last;
    std::unique_ptr<Subscription> m_subscription;
};

} // namespace kw::test
