// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kw {

/// Host and worker must speak exactly this version. Any change of a frame or of a value's JSON raises it.
inline constexpr std::int32_t protocolVersion = 1;

/// One message between host and worker: JSON text and binary attachments.
struct Frame {
    std::string text;
    std::vector<std::string> blobs;
    friend bool operator==(const Frame&, const Frame&) = default;
};

/// What a peer may send at most; a frame beyond it is refused before its bytes are kept.
struct FrameLimits {
    std::uint64_t text = std::uint64_t{256} << 20;
    std::uint32_t blobs = 64;
    std::uint64_t blobBytes = std::uint64_t{1} << 30; ///< all blobs of one frame together
};

/// On the wire, little-endian: "KWF1", u32 text bytes, u32 blob count, u32 zero, u64 bytes of each blob, text, blobs.
/// Error "protocol.too_large" (bytes, limit).
Result<std::string> encodeFrame(const Frame& frame, const FrameLimits& limits = {});

/// Turns a byte stream from an untrusted peer into frames. Buffers only bytes that have really arrived.
/// Not thread-safe.
class FrameDecoder {
public:
    explicit FrameDecoder(FrameLimits limits = {}) : m_limits(limits) {}

    void feed(std::string_view bytes) { m_buffer.append(bytes); }
    /// A frame, or nothing while it is incomplete. Errors "protocol.malformed" (what) and "protocol.too_large"
    /// (bytes, limit) are final: the stream cannot be trusted any more.
    Result<std::optional<Frame>> next();

private:
    FrameLimits m_limits;
    std::string m_buffer;
    std::size_t m_consumed = 0;
};

/// The first frame of either side.
struct Hello {
    std::int32_t protocol = protocolVersion;
    std::string version;                 ///< of the product, for the message
    friend bool operator==(const Hello&, const Hello&) = default;
};
std::string productVersion();
Frame helloFrame();
/// Checks the peer's first frame. Errors "protocol.malformed" and "protocol.version_mismatch"
/// (ours, theirs, ourVersion, theirVersion).
Result<Hello> readHello(const Frame& frame);

/// A call from host to worker. Answered by one Reply; Progress may come before it.
struct Request {
    std::int64_t id = 0;                 ///< unique and growing within a connection
    std::string method;                  ///< "load", "profile", "verify" ...
};
/// `arguments` is the JSON text of an object.
Frame requestFrame(const Request& request, std::string_view arguments);
Frame cancelFrame(std::int64_t id);
Frame progressFrame(std::int64_t id, const Message& what, double done, double total);
Frame replyFrame(std::int64_t id, std::string_view result);
Frame errorFrame(std::int64_t id, const Error& error);

} // namespace kw
