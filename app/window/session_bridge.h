// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "serve/client.h"

#include <QObject>
#include <QString>
#include <QThread>

#include <functional>
#include <memory>
#include <mutex>

namespace kw {

class SessionHost;

/// A session as the window holds it: a host of its own, or only a client of somebody else's.
struct OpenedSession {
    std::unique_ptr<SessionHost> host;      ///< null when attached
    std::unique_ptr<SessionClient> client;  ///< destroyed before the host
    QString folder;

    OpenedSession();
    OpenedSession(OpenedSession&&) noexcept;
    OpenedSession& operator=(OpenedSession&& other) noexcept;
    ~OpenedSession();
};

/// Between the window's thread and one session: opening, commands and questions run one after another in a thread of
/// its own; snapshots and answers come back as events. Late answers of an earlier session are dropped. Window thread.
class SessionBridge : public QObject {
    Q_OBJECT
public:
    using Opener = std::function<Result<OpenedSession>()>;
    template <typename Value> using Answer = std::function<void(const Result<Value>&)>;

    explicit SessionBridge(QObject* parent = nullptr);
    ~SessionBridge() override;

    /// Closes what is open, then opens; opened() or openFailed() follows.
    void open(const Opener& opener);
    /// Ends the connection, and the host when it is ours; closed() follows. Everything finished is already durable.
    void close();
    /// Runs in the bridge's thread as soon as what is open now has been closed, whatever closes it.
    void whenClosed(std::function<void()> afterwards) { m_afterwards = std::move(afterwards); }
    bool isOpen() const { return m_open; }
    bool ownsHost() const { return m_ownsHost; }
    QString folder() const { return m_folder; }

    /// Refusals come as commandRefused().
    void send(const Command& command);
    void send(const Command& command, Answer<void> answer);
    void experiment(std::int64_t number, Answer<Experiment> answer);
    void candidate(const std::string& id, Answer<Candidate> answer);
    void difference(const std::string& from, const std::string& to, Answer<TextDiff> answer);

signals:
    void opened(const QString& folder);
    void openFailed(const kw::Error& error);
    void closed();
    void snapshotArrived(const kw::SnapshotPointer& snapshot);
    void connectionLost();
    void commandRefused(const kw::Command& command, const kw::Error& error);

private:
    struct Link;
    void inThread(std::function<void(Link&)> work);
    template <typename Value> void ask(std::function<Result<Value>(SessionClient&)> question, Answer<Value> answer);
    void noteSnapshot(int generation, const SnapshotPointer& snapshot, bool connected);
    void deliver();

    void reset();

    QThread m_thread;
    QObject* m_context;
    std::shared_ptr<Link> m_link;
    int m_generation = 0;
    bool m_open = false, m_ownsHost = false;
    QString m_folder;
    std::function<void()> m_afterwards;

    struct Arrived {
        int generation = 0;
        SnapshotPointer snapshot;
        bool connected = true, posted = false;
    };
    std::mutex m_mutex;
    Arrived m_arrived;
};

} // namespace kw
