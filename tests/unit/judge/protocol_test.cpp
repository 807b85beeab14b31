// SPDX-License-Identifier: GPL-3.0-or-later
#include "judge/protocol.h"

#include "base/json_io.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

Frame sample()
{
    return Frame{R"({"a":1})", {std::string("\0\1\2", 3), "", std::string(1000, 'x')}};
}

TEST(Protocol, LaysAFrameOutAsDocumented)
{
    const auto bytes = encodeFrame(Frame{"{}", {"abc"}});
    ASSERT_TRUE(bytes.ok());
    const std::string expected = std::string("KWF1") + std::string("\2\0\0\0", 4) + std::string("\1\0\0\0", 4) + std::string(4, '\0')
        + std::string("\3\0\0\0\0\0\0\0", 8) + "{}" + "abc";
    EXPECT_EQ(*bytes, expected);
}

TEST(Protocol, ReadsBackWhatItWroteByteByByte)
{
    const auto first = encodeFrame(sample()), second = encodeFrame(Frame{"[]", {}});
    FrameDecoder decoder;
    std::vector<Frame> frames;
    for (const char byte : *first + *second) {
        decoder.feed(std::string_view(&byte, 1));
        auto frame = decoder.next();
        ASSERT_TRUE(frame.ok());
        if (*frame)
            frames.push_back(**frame);
    }
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0], sample());
    EXPECT_EQ(frames[1].text, "[]");
}

TEST(Protocol, RefusesForeignBytesAtOnce)
{
    FrameDecoder decoder;
    decoder.feed("GET / HTTP/1.1");
    const auto frame = decoder.next();
    ASSERT_FALSE(frame.ok());
    EXPECT_EQ(frame.error().message.id, "protocol.malformed");
}

TEST(Protocol, RefusesLengthsBeyondTheLimitBeforeTheBytesArrive)
{
    FrameLimits limits;
    limits.text = 100;
    FrameDecoder decoder(limits);
    decoder.feed(std::string("KWF1") + std::string("\xff\xff\xff\xff", 4) + std::string(8, '\0'));
    EXPECT_EQ(decoder.next().error().message.id, "protocol.too_large");

    FrameDecoder blobs;
    blobs.feed(std::string("KWF1") + std::string(4, '\0') + std::string("\2\0\0\0", 4) + std::string(4, '\0')
        + std::string("\xff\xff\xff\xff\xff\xff\xff\xff", 8) + std::string("\1\0\0\0\0\0\0\0", 8));
    EXPECT_EQ(blobs.next().error().message.id, "protocol.too_large");
    EXPECT_EQ(encodeFrame(Frame{std::string(101, ' '), {}}, limits).error().message.id, "protocol.too_large");
}

TEST(Protocol, GreetingsMustAgreeInProtocolAndVersion)
{
    EXPECT_TRUE(readHello(helloFrame()).ok());
    const auto other = readHello(Frame{R"({"hello":"kernelwright","protocol":999,"version":"9.9"})", {}});
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(other.error().message, Message("protocol.version_mismatch").with("ours", std::int64_t{protocolVersion})
                                         .with("theirs", std::int64_t{999}).with("ourVersion", productVersion()).with("theirVersion", "9.9"));
    EXPECT_EQ(readHello(Frame{R"({"hello":"kernelwright"})", {}}).error().message.id, "protocol.malformed");
    EXPECT_EQ(readHello(Frame{"[1", {}}).error().message.id, "json.malformed");
}

TEST(Protocol, FramesOfAConversationAreJson)
{
    const auto request = parseJson(requestFrame({7, "load"}, R"({"path":"x"})").text);
    ASSERT_TRUE(request.ok());
    EXPECT_EQ((*request)["request"], 7);
    EXPECT_EQ((*request)["method"], "load");
    EXPECT_EQ((*request)["arguments"]["path"], "x");
    const auto failed = parseJson(errorFrame(7, error("some.reason")).text);
    EXPECT_EQ((*failed)["error"]["message"]["id"], "some.reason");
    EXPECT_EQ((*parseJson(replyFrame(7, "[1,2]").text))["result"][1], 2);
    EXPECT_EQ((*parseJson(cancelFrame(7).text))["cancel"], 7);
    EXPECT_EQ((*parseJson(progressFrame(7, Message("a.b"), 1, 2).text))["what"]["id"], "a.b");
}

} // namespace
} // namespace kw
