// SPDX-License-Identifier: GPL-3.0-or-later
#include "judge/frame_channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

namespace kw {
namespace {

void makeNonBlocking(int descriptor)
{
    const int flags = ::fcntl(descriptor, F_GETFL);
    if (flags >= 0)
        ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

/// Without SIGPIPE where the descriptor is a socket; processes that use pipes ignore the signal themselves.
ssize_t writeSome(int descriptor, std::string_view bytes)
{
    const ssize_t count = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return count < 0 && errno == ENOTSOCK ? ::write(descriptor, bytes.data(), bytes.size()) : count;
}

int pollTimeout(FrameChannel::Clock::time_point deadline)
{
    if (deadline == FrameChannel::never)
        return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - FrameChannel::Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, INT_MAX));
}

} // namespace

FrameChannel::FrameChannel(UniqueFd input, UniqueFd output, FrameLimits limits)
    : m_input(std::move(input)), m_output(std::move(output)), m_limits(limits), m_decoder(limits)
{
    makeNonBlocking(m_input.get());
    makeNonBlocking(m_output.get());
}

Result<void> FrameChannel::waitFor(int descriptor, short events, const std::stop_token& stop, Clock::time_point deadline) const
{
    const UniqueFd woken(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    const std::stop_callback wake(stop, [&woken] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(woken.get(), &one, sizeof one);
    });
    for (;;) {
        std::array<pollfd, 2> polled{pollfd{descriptor, events, 0}, pollfd{woken.get(), POLLIN, 0}};
        const int ready = ::poll(polled.data(), polled.size(), pollTimeout(deadline));
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready < 0)
            return error("protocol.closed");
        if (polled[1].revents != 0)
            return error("protocol.stopped");
        if (polled[0].revents != 0)
            return {};
        if (deadline != never && Clock::now() >= deadline)
            return error("protocol.timed_out");
    }
}

Result<void> FrameChannel::send(const Frame& frame, std::stop_token stop, Clock::time_point deadline)
{
    KW_TRY(const std::string bytes, encodeFrame(frame, m_limits));
    std::string_view left = bytes;
    while (!left.empty()) {
        const ssize_t count = writeSome(m_output.get(), left);
        if (count > 0) {
            left.remove_prefix(static_cast<std::size_t>(count));
        } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            KW_CHECK(waitFor(m_output.get(), POLLOUT, stop, deadline));
        } else if (count < 0 && errno == EINTR) {
            continue;
        } else {
            return error("protocol.closed");
        }
    }
    return {};
}

Result<Frame> FrameChannel::receive(std::stop_token stop, Clock::time_point deadline)
{
    std::string buffer(std::size_t{1} << 18, '\0');
    for (;;) {
        KW_TRY(std::optional<Frame> frame, m_decoder.next());
        if (frame)
            return *std::move(frame);
        const ssize_t count = ::read(m_input.get(), buffer.data(), buffer.size());
        if (count > 0) {
            m_decoder.feed(std::string_view(buffer).substr(0, static_cast<std::size_t>(count)));
        } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            KW_CHECK(waitFor(m_input.get(), POLLIN, stop, deadline));
        } else if (count < 0 && errno == EINTR) {
            continue;
        } else {
            return error("protocol.closed");
        }
    }
}

} // namespace kw
