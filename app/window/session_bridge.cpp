// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/session_bridge.h"

#include "serve/host.h"

#include <utility>

namespace kw {

OpenedSession::OpenedSession() = default;
OpenedSession::OpenedSession(OpenedSession&&) noexcept = default;
OpenedSession& OpenedSession::operator=(OpenedSession&& other) noexcept
{
    client = std::move(other.client);
    host = std::move(other.host);
    folder = std::move(other.folder);
    return *this;
}
OpenedSession::~OpenedSession()
{
    client.reset();
}

/// Lives in the bridge's thread only.
struct SessionBridge::Link {
    OpenedSession session;
    std::unique_ptr<Subscription> subscription;

    void reset()
    {
        subscription.reset();
        session.client.reset();
        session.host.reset();
    }
};

SessionBridge::SessionBridge(QObject* parent) : QObject(parent), m_context(new QObject), m_link(std::make_shared<Link>())
{
    m_context->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_context, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("session"));
    m_thread.start();
}

SessionBridge::~SessionBridge()
{
    reset();
    m_thread.quit(); // after the reset: the thread's events are handled in order
    m_thread.wait();
}

void SessionBridge::inThread(std::function<void(Link&)> work)
{
    QMetaObject::invokeMethod(m_context, [link = m_link, work = std::move(work)] { work(*link); }, Qt::QueuedConnection);
}

void SessionBridge::open(const Opener& opener)
{
    if (m_open)
        close();
    const int generation = ++m_generation;
    inThread([this, opener, generation](Link& link) {
        Result<OpenedSession> result = opener();
        if (!result) {
            QMetaObject::invokeMethod(this, [this, generation, error = result.error()] {
                if (generation == m_generation)
                    emit openFailed(error);
            }, Qt::QueuedConnection);
            return;
        }
        link.session = std::move(*result);
        const bool owns = link.session.host != nullptr;
        QMetaObject::invokeMethod(this, [this, generation, owns, folder = link.session.folder] {
            if (generation != m_generation)
                return;
            m_open = true;
            m_ownsHost = owns;
            m_folder = folder;
            emit opened(folder);
        }, Qt::QueuedConnection);
        link.subscription = link.session.client->subscribe([this, generation](const SnapshotPointer& snapshot, bool connected) {
            noteSnapshot(generation, snapshot, connected);
        });
    });
}

void SessionBridge::close()
{
    const int generation = ++m_generation;
    m_open = m_ownsHost = false;
    reset();
    inThread([this, generation](Link&) {
        QMetaObject::invokeMethod(this, [this, generation] {
            if (generation == m_generation)
                emit closed();
        }, Qt::QueuedConnection);
    });
}

void SessionBridge::reset()
{
    inThread([afterwards = std::exchange(m_afterwards, {})](Link& link) {
        link.reset();
        if (afterwards)
            afterwards();
    });
}

void SessionBridge::noteSnapshot(int generation, const SnapshotPointer& snapshot, bool connected)
{
    const std::lock_guard lock(m_mutex);
    // A window that is busy gets the newest one only.
    m_arrived.generation = generation;
    m_arrived.connected = connected;
    if (snapshot)
        m_arrived.snapshot = snapshot;
    if (m_arrived.posted)
        return;
    m_arrived.posted = true;
    QMetaObject::invokeMethod(this, &SessionBridge::deliver, Qt::QueuedConnection);
}

void SessionBridge::deliver()
{
    Arrived arrived;
    {
        const std::lock_guard lock(m_mutex);
        arrived = m_arrived;
        m_arrived = {};
    }
    if (arrived.generation != m_generation)
        return;
    if (arrived.snapshot)
        emit snapshotArrived(arrived.snapshot);
    if (!arrived.connected)
        emit connectionLost();
}

template <typename Value> void SessionBridge::ask(std::function<Result<Value>(SessionClient&)> question, Answer<Value> answer)
{
    const int generation = m_generation;
    inThread([this, generation, question = std::move(question), answer = std::move(answer)](Link& link) {
        Result<Value> result = link.session.client ? question(*link.session.client) : Result<Value>(error("serve.disconnected"));
        QMetaObject::invokeMethod(this, [this, generation, answer, result = std::move(result)] {
            if (generation == m_generation)
                answer(result);
        }, Qt::QueuedConnection);
    });
}

void SessionBridge::send(const Command& command)
{
    send(command, {});
}

void SessionBridge::send(const Command& command, Answer<void> answer)
{
    ask<void>([command](SessionClient& client) { return client.send(command); }, [this, command, answer](const Result<void>& result) {
        if (!result)
            emit commandRefused(command, result.error());
        if (answer)
            answer(result);
    });
}

void SessionBridge::experiment(std::int64_t number, Answer<Experiment> answer)
{
    ask<Experiment>([number](SessionClient& client) { return client.experiment(number); }, std::move(answer));
}

void SessionBridge::candidate(const std::string& id, Answer<Candidate> answer)
{
    ask<Candidate>([id](SessionClient& client) { return client.candidate(id); }, std::move(answer));
}

void SessionBridge::difference(const std::string& from, const std::string& to, Answer<TextDiff> answer)
{
    ask<TextDiff>([from, to](SessionClient& client) { return client.difference(from, to); }, std::move(answer));
}

} // namespace kw
