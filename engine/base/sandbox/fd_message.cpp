// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sandbox/fd_message.h"

#include "base/sandbox/wire.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace kw::wire {
namespace {
constexpr std::size_t mostFds = fixedFdCount + maxPassedFds;
}

bool sendMessage(int socket, const void* data, std::size_t bytes, std::span<const int> descriptors)
{
    iovec part{const_cast<void*>(data), bytes};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(mostFds * sizeof(int))] = {};
    if (descriptors.size() > mostFds) {
        errno = EINVAL;
        return false;
    }
    if (!descriptors.empty()) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
        std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
    }
    ssize_t sent = -1;
    do {
        sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(bytes);
}

FdMessage receiveMessage(int socket, void* data, std::size_t bytes, int flags)
{
    FdMessage result;
    iovec part{data, bytes};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(mostFds * sizeof(int)) + CMSG_SPACE(sizeof(ucred))] = {};
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    do {
        result.bytes = ::recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
    } while (result.bytes < 0 && errno == EINTR);
    if (result.bytes < 0)
        return result;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET)
            continue;
        if (header->cmsg_type == SCM_RIGHTS) {
            const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (std::size_t i = 0; i < count; ++i) {
                int descriptor = -1;
                std::memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
                result.descriptors.emplace_back(descriptor);
            }
        } else if (header->cmsg_type == SCM_CREDENTIALS) {
            ucred credentials{};
            std::memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
            result.sender = credentials.pid;
        }
    }
    return result;
}

bool makeSocketPair(UniqueFd& ours, UniqueFd& theirs)
{
    int pair[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    ours.reset(pair[0]);
    theirs.reset(pair[1]);
    return true;
}

UniqueFd makeMemoryFile(const char* name, const void* data, std::size_t bytes)
{
    UniqueFd file(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    const char* next = static_cast<const char*>(data);
    std::size_t left = bytes;
    while (file && left > 0) {
        const ssize_t written = ::write(file.get(), next, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            file.reset();
            break;
        }
        next += written;
        left -= static_cast<std::size_t>(written);
    }
    if (file)
        ::lseek(file.get(), 0, SEEK_SET);
    return file;
}

} // namespace kw::wire
