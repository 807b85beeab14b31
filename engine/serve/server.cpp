// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/server.h"

#include "base/file.h"
#include "base/json_io.h"
#include "serve/connection.h"
#include "serve/request.h"
#include "serve/runtime_folder.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

namespace kw {

namespace {

constexpr std::size_t mostClients = 32;

Error cannotListen(const std::string& why)
{
    return Error{Message("serve.cannot_listen").with("why", why), {}};
}

Result<UniqueFd> listenAt(const std::filesystem::path& path)
{
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket)
        return cannotListen(std::strerror(errno));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    // The session's lock is ours, so whoever listened here is dead.
    ::unlink(path.c_str());
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::chmod(path.c_str(), 0600) != 0
        || ::listen(socket.get(), 16) != 0)
        return cannotListen(std::strerror(errno));
    return socket;
}

bool sameUser(int descriptor)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && (peer.uid == ::geteuid() || peer.uid == 0);
}

} // namespace

struct Server::Private {
    std::filesystem::path path, pointer;
    UniqueFd listener, wake;
    std::shared_ptr<SnapshotBoard> board;
    Send send;
    std::unique_ptr<SessionReader> reader;
    std::vector<std::unique_ptr<Connection>> connections;
    std::jthread watcher, thread;

    void signal() const
    {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = ::write(wake.get(), &one, sizeof one);
    }
    void watch(const std::stop_token& stop) const
    {
        std::int64_t seen = 0;
        while (const auto snapshot = board->waitNewer(seen, stop)) {
            seen = snapshot->sequence;
            signal();
        }
    }
    void accept()
    {
        for (;;) {
            UniqueFd client(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
            if (!client)
                return;
            if (connections.size() < mostClients && sameUser(client.get()))
                connections.push_back(std::make_unique<Connection>(std::move(client)));
        }
    }
    bool serve(Connection& connection, short happened)
    {
        if ((happened & (POLLERR | POLLNVAL)) != 0)
            return false;
        if ((happened & (POLLIN | POLLHUP)) != 0 && !connection.read())
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
    std::vector<pollfd> waited;
    while (!stop.stop_requested()) {
        waited.assign({{wake.get(), POLLIN, 0}, {listener.get(), POLLIN, 0}});
        bool busy = false;
        for (const auto& connection : connections) {
            busy = busy || connection->hasRequest();
            const int events = (connection->hasRequest() ? 0 : POLLIN) | (connection->wantsToWrite() ? POLLOUT : 0);
            waited.push_back({connection->descriptor(), static_cast<short>(events), 0});
        }
        if (::poll(waited.data(), waited.size(), busy ? 0 : -1) < 0 && errno != EINTR)
            return;
        std::uint64_t count = 0;
        if ((waited[0].revents & POLLIN) != 0)
            [[maybe_unused]] const ssize_t got = ::read(wake.get(), &count, sizeof count);
        for (std::size_t index = 0; index + 2 < waited.size(); ++index) {
            if (!serve(*connections[index], waited[index + 2].revents))
                connections[index].reset();
        }
        std::erase(connections, nullptr);
        if ((waited[1].revents & POLLIN) != 0)
            accept();
    }
}

Server::Server(std::unique_ptr<Private> state) : m_state(std::move(state)) {}

Result<std::unique_ptr<Server>> Server::start(const std::filesystem::path& session, const std::string& sessionId,
    std::shared_ptr<SnapshotBoard> board, Send send)
{
    auto state = std::make_unique<Private>();
    KW_TRY(state->path, socketPath(sessionId));
    KW_TRY(state->listener, listenAt(state->path));
    state->wake.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
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
    m_state->signal();
    m_state->watcher.join();
    m_state->thread.join();
    std::error_code failed;
    std::filesystem::remove(m_state->pointer, failed);
    std::filesystem::remove(m_state->path, failed);
}

} // namespace kw
