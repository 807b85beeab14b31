// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/frame.h"

#include "base/json_io.h"

namespace kw {

std::string frameOf(const Json& json)
{
    const std::string text = dump(json);
    const auto length = static_cast<std::uint32_t>(text.size());
    std::string frame;
    frame.reserve(text.size() + 4);
    for (const int shift : {24, 16, 8, 0})
        frame += static_cast<char>(static_cast<unsigned char>(length >> shift));
    return frame + text;
}

Result<std::optional<std::string>> FrameReader::next()
{
    if (held() < 4)
        return std::optional<std::string>{};
    std::size_t length = 0;
    for (std::size_t index = 0; index < 4; ++index)
        length = length << 8 | static_cast<unsigned char>(m_bytes[m_used + index]);
    if (length > m_limit)
        return Error{Message("serve.malformed").with("what", "a frame is too large"), {}};
    if (held() < length + 4)
        return std::optional<std::string>{};
    std::optional<std::string> text = m_bytes.substr(m_used + 4, length);
    m_used += length + 4;
    if (m_used == m_bytes.size() || m_used > (std::size_t{1} << 16)) {
        m_bytes.erase(0, m_used);
        m_used = 0;
    }
    return text;
}

} // namespace kw
