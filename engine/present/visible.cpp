// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/visible.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

namespace kw {
namespace {

struct Decoded {
    char32_t code = 0;
    std::size_t length = 1;
    bool valid = false;
};

/// One code point of strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
Decoded decode(std::string_view text)
{
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return {first, 1, true};
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    if (length == 0 || first > 0xF4 || text.size() < length)
        return {};
    char32_t code = first & (0x7FU >> length);
    for (std::size_t at = 1; at < length; ++at) {
        if ((byte(at) & 0xC0) != 0x80)
            return {};
        code = (code << 6) | (byte(at) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return {};
    return {code, length, true};
}

/// Characters of Unicode's category Cf and other ones that are drawn as nothing or that reorder their neighbours.
bool hides(char32_t code)
{
    struct Span {
        char32_t first, last;
    };
    static constexpr std::array spans{Span{0x80, 0x9F}, Span{0xAD, 0xAD}, Span{0x34F, 0x34F}, Span{0x600, 0x605},
        Span{0x61C, 0x61C}, Span{0x6DD, 0x6DD}, Span{0x70F, 0x70F}, Span{0x890, 0x891}, Span{0x8E2, 0x8E2},
        Span{0x115F, 0x1160}, Span{0x17B4, 0x17B5}, Span{0x180B, 0x180F}, Span{0x200B, 0x200F}, Span{0x2028, 0x202E},
        Span{0x2060, 0x206F}, Span{0x3164, 0x3164}, Span{0xE000, 0xF8FF}, Span{0xFE00, 0xFE0F}, Span{0xFEFF, 0xFEFF},
        Span{0xFFA0, 0xFFA0}, Span{0xFFF0, 0xFFFB}, Span{0x110BD, 0x110BD}, Span{0x1BCA0, 0x1BCA3},
        Span{0x1D173, 0x1D17A}, Span{0xE0000, 0xE0FFF}, Span{0xF0000, 0x10FFFF}};
    return std::any_of(spans.begin(), spans.end(),
        [&](const Span& span) { return code >= span.first && code <= span.last; });
}

void appendPicture(std::string& out, char32_t code)
{
    const char32_t picture = code == 0x7F ? 0x2421 : 0x2400 + code;
    out += static_cast<char>(0xE0 | (picture >> 12));
    out += static_cast<char>(0x80 | ((picture >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (picture & 0x3F));
}

void appendCode(std::string& out, const char* format, unsigned value)
{
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), format, value);
    out += text.data();
}

} // namespace

std::string visible(std::string_view text, Lines lines)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Decoded next = decode(text.substr(at));
        if (!next.valid)
            appendCode(out, "<0x%02X>", static_cast<unsigned char>(text[at]));
        else if (next.code == '\t' && lines == Lines::Mark)
            out += ' ';
        else if ((next.code == '\n' || next.code == '\t') && lines == Lines::Keep)
            out += static_cast<char>(next.code);
        else if (next.code < 0x20 || next.code == 0x7F)
            appendPicture(out, next.code);
        else if (hides(next.code))
            appendCode(out, "<U+%04X>", static_cast<unsigned>(next.code));
        else
            out += text.substr(at, next.length);
        at += next.length;
    }
    return out;
}

std::string visibleShort(std::string_view text, std::size_t limit)
{
    // A visible character takes at most 10 bytes, and 4 bytes make at least one: cut first, so that cost is bounded.
    const bool cut = text.size() > limit * 4;
    std::string whole = visible(cut ? text.substr(0, limit * 4) : text);
    std::size_t characters = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        if ((static_cast<unsigned char>(whole[at]) & 0xC0) == 0x80)
            continue;
        if (characters++ == limit) {
            // Room for the ellipsis: the last of the kept characters goes.
            do
                --at;
            while (at > 0 && (static_cast<unsigned char>(whole[at]) & 0xC0) == 0x80);
            return whole.substr(0, at) + "\u2026";
        }
    }
    return cut ? whole + "\u2026" : whole;
}

} // namespace kw
