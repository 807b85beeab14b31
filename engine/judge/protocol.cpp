// SPDX-License-Identifier: GPL-3.0-or-later
#include "judge/protocol.h"

#include "base/json_io.h"

#include <algorithm>

namespace kw {
namespace {

constexpr std::string_view magic = "KWF1";
constexpr std::size_t headerBytes = 16;

void appendNumber(std::string& bytes, std::uint64_t number, int width)
{
    for (int index = 0; index < width; ++index)
        bytes.push_back(static_cast<char>((number >> (8 * index)) & 0xff));
}

std::uint64_t readNumber(std::string_view bytes, std::size_t at, int width)
{
    std::uint64_t number = 0;
    for (int index = 0; index < width; ++index)
        number |= std::uint64_t{static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(index)])} << (8 * index);
    return number;
}

Error tooLarge(std::uint64_t bytes, std::uint64_t limit)
{
    return Error{Message("protocol.too_large").with("bytes", static_cast<std::int64_t>(std::min(bytes, std::uint64_t{1} << 62)))
                     .with("limit", static_cast<std::int64_t>(limit)), {}};
}

Error malformed(const char* what)
{
    return Error{Message("protocol.malformed").with("what", what), {}};
}

} // namespace

Result<std::string> encodeFrame(const Frame& frame, const FrameLimits& limits)
{
    std::uint64_t blobBytes = 0;
    for (const auto& blob : frame.blobs)
        blobBytes += blob.size();
    if (frame.text.size() > limits.text)
        return tooLarge(frame.text.size(), limits.text);
    if (blobBytes > limits.blobBytes)
        return tooLarge(blobBytes, limits.blobBytes);
    if (frame.blobs.size() > limits.blobs)
        return tooLarge(frame.blobs.size(), limits.blobs);
    std::string bytes;
    bytes.reserve(headerBytes + 8 * frame.blobs.size() + frame.text.size() + blobBytes);
    bytes.append(magic);
    appendNumber(bytes, frame.text.size(), 4);
    appendNumber(bytes, frame.blobs.size(), 4);
    appendNumber(bytes, 0, 4);
    for (const auto& blob : frame.blobs)
        appendNumber(bytes, blob.size(), 8);
    bytes.append(frame.text);
    for (const auto& blob : frame.blobs)
        bytes.append(blob);
    return bytes;
}

Result<std::optional<Frame>> FrameDecoder::next()
{
    const std::string_view bytes = std::string_view(m_buffer).substr(m_consumed);
    const std::size_t known = std::min(bytes.size(), magic.size());
    if (bytes.substr(0, known) != magic.substr(0, known))
        return malformed("a frame does not start as it must");
    if (bytes.size() < headerBytes)
        return std::optional<Frame>{};
    const std::uint64_t text = readNumber(bytes, 4, 4);
    const std::uint64_t count = readNumber(bytes, 8, 4);
    if (readNumber(bytes, 12, 4) != 0)
        return malformed("reserved bytes are not zero");
    if (text > m_limits.text)
        return tooLarge(text, m_limits.text);
    if (count > m_limits.blobs)
        return tooLarge(count, m_limits.blobs);
    const std::size_t body = headerBytes + 8 * static_cast<std::size_t>(count);
    if (bytes.size() < body)
        return std::optional<Frame>{};
    std::uint64_t blobBytes = 0;
    for (std::size_t index = 0; index < count; ++index) {
        const std::uint64_t size = readNumber(bytes, headerBytes + 8 * index, 8);
        if (size > m_limits.blobBytes || blobBytes + size > m_limits.blobBytes)
            return tooLarge(size, m_limits.blobBytes);
        blobBytes += size;
    }
    if (bytes.size() < body + text + blobBytes)
        return std::optional<Frame>{};
    Frame frame;
    frame.text = bytes.substr(body, text);
    std::size_t at = body + text;
    for (std::size_t index = 0; index < count; ++index) {
        const auto size = static_cast<std::size_t>(readNumber(bytes, headerBytes + 8 * index, 8));
        frame.blobs.emplace_back(bytes.substr(at, size));
        at += size;
    }
    m_consumed += at;
    if (m_consumed == m_buffer.size() || m_consumed > (std::size_t{1} << 20)) {
        m_buffer.erase(0, m_consumed);
        m_consumed = 0;
    }
    return std::optional<Frame>(std::move(frame));
}

std::string productVersion()
{
    return KW_VERSION;
}

Frame helloFrame()
{
    return Frame{dump(Json{{"hello", "kernelwright"}, {"protocol", protocolVersion}, {"version", productVersion()}}), {}};
}

Result<Hello> readHello(const Frame& frame)
{
    KW_TRY(const Json json, parseJson(frame.text, 8));
    if (!json.is_object() || json.value("hello", Json()) != "kernelwright" || !json.contains("protocol")
        || !json["protocol"].is_number_integer() || !json.contains("version") || !json["version"].is_string())
        return malformed("the first frame is no greeting");
    const auto theirs = json["protocol"].get<std::int64_t>();
    const auto version = json["version"].get<std::string>();
    if (theirs != protocolVersion || version != productVersion())
        return Error{Message("protocol.version_mismatch").with("ours", std::int64_t{protocolVersion}).with("theirs", theirs)
                         .with("ourVersion", productVersion()).with("theirVersion", version.substr(0, 64)), {}};
    return Hello{protocolVersion, version};
}

Frame requestFrame(const Request& request, std::string_view arguments)
{
    // The arguments are JSON text already; parsing them again only to embed them would double the cost of a large graph.
    std::string text = R"({"request":)" + std::to_string(request.id) + R"(,"method":)" + dump(Json(request.method))
        + R"(,"arguments":)";
    text.append(arguments);
    text.push_back('}');
    return Frame{std::move(text), {}};
}

Frame cancelFrame(std::int64_t id)
{
    return Frame{dump(Json{{"cancel", id}}), {}};
}

Frame progressFrame(std::int64_t id, const Message& what, double done, double total)
{
    return Frame{dump(Json{{"progress", id}, {"what", what}, {"done", done}, {"total", total}}), {}};
}

Frame replyFrame(std::int64_t id, std::string_view result)
{
    std::string text = R"({"reply":)" + std::to_string(id) + R"(,"result":)";
    text.append(result);
    text.push_back('}');
    return Frame{std::move(text), {}};
}

Frame errorFrame(std::int64_t id, const Error& error)
{
    return Frame{dump(Json{{"reply", id}, {"error", error}}), {}};
}

} // namespace kw
