// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace kw {

struct Rgb {
    std::uint8_t red = 0, green = 0, blue = 0;
    friend bool operator==(const Rgb&, const Rgb&) = default;
};

/// "#rrggbb".
std::string hexText(const Rgb& colour);
/// Contrast ratio of WCAG 2.1, 1..21.
double contrast(const Rgb& first, const Rgb& second);
/// Black or white, whichever is easier to read on `background`; always at least 4.58.
Rgb readableOn(const Rgb& background);

/// Sequential scale from "nothing to win" (0) to "much to win" (1), readable with every kind of colour blindness:
/// lightness changes monotonically, blue to yellow. `dark` mutes the low end for a dark window.
Rgb headroomColour(double fraction, bool dark);
/// Diverging scale for a speed-up ratio: orange below 1, grey at 1, blue above (clipped at 1/2 and 2).
Rgb speedupColour(double ratio, bool dark);
/// One of eight categorical colours (Okabe and Ito 2008); wraps around.
Rgb categoryColour(std::size_t index);

} // namespace kw
