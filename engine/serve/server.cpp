// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/server.h"

#include "base/file.h"
#include "base/json_io.h"
#include "base/local_socket.h"
#include "base/runtime_folder.h"
#include "serve/connection.h"
#include "serve/request.h"

#include <thread>
#include <vector>

namespace kw {

namespace {

constexpr std::size_t mostClients = 32;

} // namespace

struct Server::Private {
    std::filesystem::path path, pointer;
    UniqueFd listener;
    Wakeup wake;
    std::shared_ptr<SnapshotBoard> board;
    Send send;
    std::unique_ptr<SessionReader> reader;
    std::vector<std::unique_ptr<Connection>> connections;
    std::jthread watcher, thread;

    void watch(const std::stop_token& stop) const
    {
        std::int64_t seen = 0;
        while (const auto snapshot = board->waitNewer(seen, stop)) {
            seen = snapshot->sequence;
            wake.signal();
        }
    }
    void accept()
    {
        while (UniqueFd client = acceptLocal(listener)) {
            if (connections.size() < mostClients)
                connections.push_back(std::make_unique<Connection>(std::move(client)));
        }
    }
    bool serve(Connection& connection, const Waited& happened)
    {
        if (happened.broken || (happened.readable && !connection.read()))
            return false;
        if (!connection.answerOne([this](const Json& request) { return answerRequest(request, *reader, send); }))
            return false;
        connection.offer(board->current());
        return connection.write();
    }
    void run(const std::stop_token& stop);
};

void Server::Private::run(const std::stop_token& stop)
{
    std::vector<Waited> waited;
    while (!stop.stop_requested()) {
        waited.assign({Waited{wake.descriptor().get()}, Waited{listener.get()}});
        bool busy = false;
        for (const auto& connection : connections) {
            busy = busy || connection->hasRequest();
            waited.push_back({connection->descriptor(), !connection->hasRequest(), connection->wantsToWrite()});
        }
        if (!waitForAny(waited, busy ? 0 : -1))
            return;
        if (waited[0].readable)
            wake.clear();
        for (std::size_t index = 0; index + 2 < waited.size(); ++index) {
            if (!serve(*connections[index], waited[index + 2]))
                connections[index].reset();
        }
        std::erase(connections, nullptr);
        if (waited[1].readable)
            accept();
    }
}

Server::Server(std::unique_ptr<Private> state) : m_state(std::move(state)) {}

Result<std::unique_ptr<Server>> Server::start(const std::filesystem::path& session, const std::string& sessionId,
    std::shared_ptr<SnapshotBoard> board, Send send)
{
    auto state = std::make_unique<Private>();
    KW_TRY(state->path, socketPath(sessionId));
    // The session's lock is ours, so whoever listened here before is dead.
    KW_TRY(state->listener, listenLocal(state->path));
    state->pointer = session / "socket";
    KW_CHECK(writeFileAtomically(state->pointer, state->path.string()));
    state->board = std::move(board);
    state->send = std::move(send);
    state->reader = std::make_unique<SessionReader>(session / "journal.sqlite");
    Private* inside = state.get();
    state->watcher = std::jthread([inside](const std::stop_token& stop) { inside->watch(stop); });
    state->thread = std::jthread([inside](const std::stop_token& stop) { inside->run(stop); });
    return std::unique_ptr<Server>(new Server(std::move(state)));
}

Server::~Server()
{
    m_state->watcher.request_stop();
    m_state->thread.request_stop();
    m_state->wake.signal();
    m_state->watcher.join();
    m_state->thread.join();
    std::error_code failed;
    std::filesystem::remove(m_state->pointer, failed);
    std::filesystem::remove(m_state->path, failed);
}

} // namespace kw
