// SPDX-License-Identifier: GPL-3.0-or-later
#include "judge/frame_channel.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

namespace kw {
namespace {

struct Ends {
    FrameChannel ours, theirs;
};

FrameChannel channelOf(int descriptor)
{
    UniqueFd input(descriptor);
    UniqueFd output(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    return FrameChannel(std::move(input), std::move(output));
}

Ends pairOfChannels()
{
    int ends[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    return {channelOf(ends[0]), channelOf(ends[1])};
}

TEST(FrameChannel, CarriesAFrameLargerThanAnyBuffer)
{
    auto ends = pairOfChannels();
    const Frame large{std::string(5'000'000, 'a'), {std::string(3'000'000, 'b')}};
    std::jthread sender([&] { EXPECT_TRUE(ends.ours.send(large).ok()); });
    const auto received = ends.theirs.receive();
    ASSERT_TRUE(received.ok());
    EXPECT_EQ(*received, large);
}

TEST(FrameChannel, ReceivingEndsWithTheStopToken)
{
    auto ends = pairOfChannels();
    std::stop_source source;
    std::jthread stopper([&] { source.request_stop(); });
    EXPECT_EQ(ends.ours.receive(source.get_token()).error().message.id, "protocol.stopped");
}

TEST(FrameChannel, ReceivingEndsAtTheDeadline)
{
    auto ends = pairOfChannels();
    const auto received = ends.ours.receive({}, FrameChannel::Clock::now() + std::chrono::milliseconds(20));
    EXPECT_EQ(received.error().message.id, "protocol.timed_out");
}

TEST(FrameChannel, SendingToAPeerThatNeverReadsEndsWithTheDeadline)
{
    auto ends = pairOfChannels();
    const Frame large{std::string(50'000'000, 'a'), {}};
    EXPECT_EQ(ends.ours.send(large, {}, FrameChannel::Clock::now() + std::chrono::milliseconds(50)).error().message.id, "protocol.timed_out");
}

TEST(FrameChannel, AClosedPeerIsAnErrorAndNoSignal)
{
    auto ends = pairOfChannels();
    { const FrameChannel gone = std::move(ends.theirs); }
    EXPECT_EQ(ends.ours.receive().error().message.id, "protocol.closed");
    EXPECT_EQ(ends.ours.send(Frame{std::string(1'000'000, 'a'), {}}).error().message.id, "protocol.closed");
}

} // namespace
} // namespace kw
