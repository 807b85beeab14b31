// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/local_socket.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace kw {

namespace {

Error failed(int code)
{
    return Error{Message("socket.failed").with("why", std::string(std::strerror(code))), {}};
}

std::optional<sockaddr_un> addressOf(const std::filesystem::path& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.string().size() >= sizeof address.sun_path)
        return std::nullopt;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

bool peerIs(int descriptor, bool rootToo)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
        && (peer.uid == ::geteuid() || (rootToo && peer.uid == 0));
}

std::optional<std::size_t> moved(ssize_t count)
{
    if (count >= 0)
        return static_cast<std::size_t>(count);
    return errno == EAGAIN || errno == EINTR ? std::optional<std::size_t>(0) : std::nullopt;
}

} // namespace

Result<UniqueFd> listenLocal(const std::filesystem::path& path)
{
    const auto address = addressOf(path);
    if (!address)
        return failed(ENAMETOOLONG);
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket)
        return failed(errno);
    ::unlink(path.c_str());
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0 || ::chmod(path.c_str(), 0600) != 0
        || ::listen(socket.get(), 16) != 0)
        return failed(errno);
    return socket;
}

Result<UniqueFd> connectLocal(const std::filesystem::path& path)
{
    const auto address = addressOf(path);
    if (!address)
        return failed(ENAMETOOLONG);
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket)
        return failed(errno);
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) {
        if (errno == ECONNREFUSED || errno == ENOENT)
            return Error{Message("socket.nobody").with("path", path.string()), {}};
        return failed(errno);
    }
    if (!peerIs(socket.get(), false))
        return failed(EPERM);
    return socket;
}

UniqueFd acceptLocal(const UniqueFd& listener)
{
    for (;;) {
        UniqueFd client(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!client || peerIs(client.get(), true))
            return client;
    }
}

std::optional<std::size_t> receiveNow(const UniqueFd& socket, char* bytes, std::size_t size)
{
    const ssize_t count = ::recv(socket.get(), bytes, size, MSG_DONTWAIT);
    return count == 0 ? std::nullopt : moved(count);
}

std::optional<std::size_t> sendNow(const UniqueFd& socket, std::string_view bytes)
{
    return moved(::send(socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
}

std::optional<std::size_t> receiveSome(const UniqueFd& socket, char* bytes, std::size_t size, int milliseconds)
{
    for (;;) {
        pollfd waited{socket.get(), POLLIN, 0};
        const int ready = ::poll(&waited, 1, milliseconds);
        if (ready == 0)
            return std::size_t{0};
        if (ready < 0 && errno != EINTR)
            return std::nullopt;
        const ssize_t count = ready < 0 ? -1 : ::recv(socket.get(), bytes, size, MSG_DONTWAIT);
        if (count > 0)
            return static_cast<std::size_t>(count);
        if (count == 0 || (errno != EINTR && errno != EAGAIN))
            return std::nullopt;
    }
}

bool sendAll(const UniqueFd& socket, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

void endSocket(const UniqueFd& socket)
{
    ::shutdown(socket.get(), SHUT_RDWR);
}

Wakeup::Wakeup() : m_event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void Wakeup::signal() const
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_event.get(), &one, sizeof one);
}

void Wakeup::clear() const
{
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = ::read(m_event.get(), &count, sizeof count);
}

bool waitForAny(std::vector<Waited>& list, int milliseconds)
{
    std::vector<pollfd> polled;
    polled.reserve(list.size());
    for (const Waited& waited : list) {
        const int events = (waited.wantsToRead ? POLLIN : 0) | (waited.wantsToWrite ? POLLOUT : 0);
        polled.push_back({waited.descriptor, static_cast<short>(events), 0});
    }
    if (::poll(polled.data(), polled.size(), milliseconds) < 0)
        return errno == EINTR;
    for (std::size_t index = 0; index < list.size(); ++index) {
        list[index].readable = (polled[index].revents & (POLLIN | POLLHUP)) != 0;
        list[index].writable = (polled[index].revents & POLLOUT) != 0;
        list[index].broken = (polled[index].revents & (POLLERR | POLLNVAL)) != 0;
    }
    return true;
}

} // namespace kw
