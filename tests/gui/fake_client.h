// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "serve/client.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace kw::test {

/// A session without worker and host that behaves as serve/client.h promises: durable answers, bindings checked, snapshots
/// from a thread of its own. The test moves it on with advance(). Safe from any thread.
class FakeSession {
public:
    FakeSession();
    ~FakeSession();

    /// The next event of a run that goes on; does nothing while it is idle or paused.
    void advance();
    /// Several experiments at once.
    void addExperiments(int count);
    void addApproval();
    void finish();
    void disconnect();
    void soilEverything();                    ///< from now on every published text is hostile: see soil.h
    void refuse(std::string id);              ///< the next command is refused with this message
    std::vector<Command> commands() const;
    Snapshot now() const;

    std::unique_ptr<SessionClient> client();

private:
    friend class FakeClient;
    friend class FakeSubscription;
    Result<void> handle(const Command& command);
    void addExperiment(Decision decision, double ratio);
    void setDecision(std::int64_t number, Decision decision);
    void publish();
    void run(const std::stop_token& stop);

    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Snapshot m_now;
    std::vector<Experiment> m_experiments;
    std::vector<Command> m_commands;
    std::string m_refusal;
    std::vector<std::pair<int, SnapshotCallback>> m_subscribers;
    int m_nextSubscriber = 0;
    bool m_dirty = false, m_connected = true, m_calling = false, m_soiled = false;
    int m_turn = 0;
    std::jthread m_thread;
};

} // namespace kw::test
