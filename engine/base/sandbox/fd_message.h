// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/unique_fd.h"

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <vector>

namespace kw::wire {

/// One packet of a SOCK_SEQPACKET socket with what came along.
struct FdMessage {
    ssize_t bytes = -1;            ///< -1: error (errno), 0: the other side hung up
    std::vector<UniqueFd> descriptors;
    pid_t sender = 0;              ///< by the kernel, in our pid namespace; 0 when SO_PASSCRED is off
};

/// Sends one packet with descriptors. False on error (errno).
bool sendMessage(int socket, const void* data, std::size_t bytes, std::span<const int> descriptors = {});
/// Receives one packet of at most `bytes` bytes. Received descriptors are close-on-exec.
FdMessage receiveMessage(int socket, void* data, std::size_t bytes, int flags = 0);
/// A connected pair of SOCK_SEQPACKET sockets, close-on-exec. False on error (errno).
bool makeSocketPair(UniqueFd& ours, UniqueFd& theirs);
/// An anonymous file with this content, at offset 0. Empty on error (errno).
UniqueFd makeMemoryFile(const char* name, const void* data, std::size_t bytes);

} // namespace kw::wire
