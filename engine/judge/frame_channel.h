// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/unique_fd.h"
#include "judge/protocol.h"

#include <chrono>
#include <stop_token>

namespace kw {

/// Frames over two file descriptors (pipes, sockets). Neither sending nor receiving ever blocks beyond the stop token or
/// the deadline. One thread may send while another receives; each side is used by one thread at a time.
class FrameChannel {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr Clock::time_point never = Clock::time_point::max();

    /// Takes both descriptors and makes them non-blocking. They may be two copies of one socket.
    FrameChannel(UniqueFd input, UniqueFd output, FrameLimits limits = {});
    FrameChannel(FrameChannel&&) noexcept = default;
    FrameChannel& operator=(FrameChannel&&) noexcept = default;

    /// Errors "protocol.closed", "protocol.stopped", "protocol.timed_out", "protocol.too_large".
    Result<void> send(const Frame& frame, std::stop_token stop = {}, Clock::time_point deadline = never);
    /// Errors as send(), and "protocol.malformed".
    Result<Frame> receive(std::stop_token stop = {}, Clock::time_point deadline = never);

private:
    Result<void> waitFor(int descriptor, short events, const std::stop_token& stop, Clock::time_point deadline) const;

    UniqueFd m_input, m_output;
    FrameLimits m_limits;
    FrameDecoder m_decoder;
};

} // namespace kw
