// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/colour_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace kw {
namespace {

double linear(std::uint8_t channel)
{
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const Rgb& colour)
{
    return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

std::uint8_t mix(std::uint8_t from, std::uint8_t to, double part)
{
    return static_cast<std::uint8_t>(std::lround(from + (to - from) * part));
}

Rgb mix(const Rgb& from, const Rgb& to, double part)
{
    return {mix(from.red, to.red, part), mix(from.green, to.green, part), mix(from.blue, to.blue, part)};
}

template <std::size_t Count> Rgb along(const std::array<Rgb, Count>& stops, double fraction)
{
    const double position = std::clamp(std::isfinite(fraction) ? fraction : 0.0, 0.0, 1.0) * (Count - 1);
    const auto index = std::min(static_cast<std::size_t>(position), Count - 2);
    return mix(stops[index], stops[index + 1], position - static_cast<double>(index));
}

} // namespace

std::string hexText(const Rgb& colour)
{
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", colour.red, colour.green, colour.blue);
    return text.data();
}

double contrast(const Rgb& first, const Rgb& second)
{
    const double one = luminance(first) + 0.05, two = luminance(second) + 0.05;
    return std::max(one, two) / std::min(one, two);
}

Rgb readableOn(const Rgb& background)
{
    constexpr Rgb black{0, 0, 0}, white{255, 255, 255};
    return contrast(background, white) >= contrast(background, black) ? white : black;
}

Rgb headroomColour(double fraction, bool dark)
{
    // Stops follow the lightness order of cividis (Nuñez, Anderton, Renslow 2018).
    static constexpr std::array light{
        Rgb{0x3b, 0x4f, 0x78}, Rgb{0x5f, 0x6b, 0x7e}, Rgb{0x8b, 0x8a, 0x79}, Rgb{0xbf, 0xac, 0x66}, Rgb{0xf2, 0xcf, 0x45}};
    static constexpr std::array night{
        Rgb{0x2b, 0x3e, 0x66}, Rgb{0x52, 0x5f, 0x77}, Rgb{0x80, 0x80, 0x77}, Rgb{0xb6, 0xa4, 0x65}, Rgb{0xec, 0xc9, 0x48}};
    return along(dark ? night : light, fraction);
}

Rgb speedupColour(double ratio, bool dark)
{
    const double position = std::isfinite(ratio) && ratio > 0 ? 0.5 + std::log2(ratio) / 2 : 0.5;
    static constexpr std::array light{Rgb{0xc4, 0x5a, 0x1a}, Rgb{0xe3, 0xe1, 0xdc}, Rgb{0x1f, 0x68, 0xa8}};
    static constexpr std::array night{Rgb{0xd8, 0x7b, 0x3f}, Rgb{0x45, 0x48, 0x4d}, Rgb{0x5a, 0xa9, 0xe6}};
    return along(dark ? night : light, position);
}

Rgb categoryColour(std::size_t index)
{
    static constexpr std::array colours{Rgb{0x00, 0x72, 0xb2}, Rgb{0xe6, 0x9f, 0x00}, Rgb{0x00, 0x9e, 0x73},
        Rgb{0xcc, 0x79, 0xa7}, Rgb{0x56, 0xb4, 0xe9}, Rgb{0xd5, 0x5e, 0x00}, Rgb{0xf0, 0xe4, 0x42}, Rgb{0x7f, 0x7f, 0x7f}};
    return colours[index % colours.size()];
}

} // namespace kw
