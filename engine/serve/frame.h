// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kw {

/// Version of the socket's protocol: both sides must have the same.
inline constexpr std::int64_t serveVersion = 1;
/// What a client may send at once, and what a host may.
inline constexpr std::size_t largestRequest = std::size_t{1} << 20;
inline constexpr std::size_t largestReply = std::size_t{64} << 20;

/// A frame: length of the text as four bytes, most significant first, then JSON text.
std::string frameOf(const Json& json);

/// Cuts frames out of a stream of bytes. Keeps no more than one frame's limit.
class FrameReader {
public:
    explicit FrameReader(std::size_t limit) : m_limit(limit) {}
    void add(std::string_view bytes) { m_bytes.append(bytes); }
    /// The next whole frame's text; nothing while it is incomplete. Error: "serve.malformed" (what).
    Result<std::optional<std::string>> next();
    std::size_t held() const { return m_bytes.size() - m_used; }

private:
    std::size_t m_limit;
    std::string m_bytes;
    std::size_t m_used = 0;
};

} // namespace kw
