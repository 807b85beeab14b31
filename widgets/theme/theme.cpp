// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/theme.h"

#include "present/colour_scale.h"
#include "theme/framed_style.h"

#include <QApplication>

#include <algorithm>
#include <initializer_list>

namespace kw {
namespace {

Rgb rgbOf(const QColor& colour)
{
    return {static_cast<std::uint8_t>(colour.red()), static_cast<std::uint8_t>(colour.green()),
        static_cast<std::uint8_t>(colour.blue())};
}

QColor blend(const QColor& over, const QColor& under, double part)
{
    const auto mix = [&](int one, int two) { return static_cast<int>(two + (one - two) * part + 0.5); };
    return {mix(over.red(), under.red()), mix(over.green(), under.green()), mix(over.blue(), under.blue())};
}

/// The colours from which a whole palette is made.
struct Basics {
    QColor window, base, alternate, text, button, highlight, highlightedText, link, border;
};

QPalette build(const Basics& basics)
{
    QPalette palette(basics.text, basics.button, blend(Qt::white, basics.button, 0.25), basics.border,
        blend(basics.border, basics.button, 0.5), basics.text, basics.text, basics.base, basics.window);
    const auto all = [&](QPalette::ColorRole role, const QColor& colour) { palette.setColor(role, colour); };
    all(QPalette::AlternateBase, basics.alternate);
    all(QPalette::ToolTipBase, basics.alternate);
    all(QPalette::ToolTipText, basics.text);
    all(QPalette::Highlight, basics.highlight);
    all(QPalette::HighlightedText, basics.highlightedText);
    all(QPalette::Link, readable(basics.link, basics.base));
    all(QPalette::LinkVisited, readable(QColor(0x8a, 0x5f, 0xb0), basics.base));
    all(QPalette::PlaceholderText, readable(blend(basics.text, basics.base, 0.55), basics.base));
    all(QPalette::BrightText, readable(QColor(0xd0, 0x30, 0x30), basics.window));
    all(QPalette::Shadow, blend(Qt::black, basics.border, 0.6));
    // A disabled text is quieter, but its reason must stay readable.
    const QColor disabled = readable(blend(basics.text, basics.window, 0.5), basics.window, 3.0);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText})
        palette.setColor(QPalette::Disabled, role, disabled);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, blend(basics.text, basics.window, 0.25));
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, basics.text);
    palette.setColor(QPalette::Disabled, QPalette::Base, basics.window);
    return palette;
}

const Basics lightBasics{QColor(0xf3, 0xf4, 0xf6), QColor(0xff, 0xff, 0xff), QColor(0xf6, 0xf8, 0xfa), QColor(0x1f, 0x23, 0x28),
    QColor(0xe9, 0xeb, 0xee), QColor(0x1f, 0x6f, 0xb2), QColor(0xff, 0xff, 0xff), QColor(0x09, 0x69, 0xda), QColor(0xa8, 0xae, 0xb6)};
const Basics darkBasics{QColor(0x24, 0x27, 0x2c), QColor(0x1b, 0x1d, 0x21), QColor(0x22, 0x25, 0x2a), QColor(0xe3, 0xe6, 0xea),
    QColor(0x32, 0x36, 0x3c), QColor(0x2a, 0x6c, 0xa8), QColor(0xff, 0xff, 0xff), QColor(0x6c, 0xb2, 0xf7), QColor(0x12, 0x14, 0x17)};
const Basics contrastBasics{QColor(0, 0, 0), QColor(0, 0, 0), QColor(0x14, 0x14, 0x14), QColor(0xff, 0xff, 0xff),
    QColor(0x1c, 0x1c, 0x1c), QColor(0xff, 0xd8, 0x33), QColor(0, 0, 0), QColor(0x7f, 0xd7, 0xff), QColor(0xff, 0xff, 0xff)};

} // namespace

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

double contrastOf(const QColor& foreground, const QColor& background)
{
    return contrast(rgbOf(blend(foreground, background, foreground.alphaF())), rgbOf(background));
}

QColor readable(QColor colour, const QColor& background, double ratio)
{
    const QColor target = contrastOf(Qt::white, background) > contrastOf(Qt::black, background) ? Qt::white : Qt::black;
    const QColor start = colour;
    for (int step = 1; step <= 40 && contrastOf(colour, background) < ratio; ++step)
        colour = blend(target, start, step / 40.0);
    return colour;
}

QPalette paletteFor(ThemeChoice choice, const QPalette& system)
{
    switch (choice) {
    case ThemeChoice::Light: return build(lightBasics);
    case ThemeChoice::Dark: return build(darkBasics);
    case ThemeChoice::HighContrast: return build(contrastBasics);
    case ThemeChoice::System: break;
    }
    // The system's colours stay; only what cannot be read is corrected.
    QPalette palette = system;
    const auto correct = [&](QPalette::ColorRole text, QPalette::ColorRole under) {
        for (const auto group : {QPalette::Active, QPalette::Inactive})
            palette.setColor(group, text, readable(palette.color(group, text), palette.color(group, under)));
    };
    correct(QPalette::WindowText, QPalette::Window);
    correct(QPalette::Text, QPalette::Base);
    correct(QPalette::ButtonText, QPalette::Button);
    correct(QPalette::PlaceholderText, QPalette::Base);
    correct(QPalette::Link, QPalette::Base);
    correct(QPalette::LinkVisited, QPalette::Base);
    for (const auto group : {QPalette::Active, QPalette::Inactive})
        palette.setColor(group, QPalette::Highlight,
            readable(palette.color(group, QPalette::Highlight), palette.color(group, QPalette::HighlightedText)));
    return palette;
}

void applyTheme(ThemeChoice choice)
{
    static const QPalette system = [] {
        QApplication::setStyle(new FramedStyle);
        return QApplication::palette();
    }();
    QApplication::setPalette(paletteFor(choice, system));
}

ThemeColours themeColours(const QPalette& palette)
{
    const QColor base = palette.color(QPalette::Base), text = palette.color(QPalette::Text);
    const QColor window = palette.color(QPalette::Window);
    const bool dark = isDark(palette);
    // Text that must be read on both backgrounds is judged on the harder one.
    const auto onBoth = [&](const QColor& colour) { return readable(readable(colour, base), window); };
    const auto onBase = [&](const QColor& colour, double ratio = 4.5) { return readable(colour, base, ratio); };
    ThemeColours colours;
    colours.good = onBoth(dark ? QColor(0x56, 0xc8, 0xa0) : QColor(0x0a, 0x7a, 0x52));
    colours.bad = onBoth(dark ? QColor(0xf0, 0x8a, 0x5d) : QColor(0xb4, 0x3e, 0x0c));
    colours.warning = onBoth(dark ? QColor(0xe6, 0xb4, 0x3c) : QColor(0x8a, 0x62, 0x00));
    colours.muted = onBoth(blend(text, base, 0.62));
    const QColor added = dark ? QColor(0x2f, 0x8f, 0xd0) : QColor(0x3a, 0x9c, 0xdc);
    const QColor removed = dark ? QColor(0xd0, 0x7a, 0x2f) : QColor(0xe0, 0x8a, 0x3a);
    colours.addedLine = blend(added, base, 0.16);
    colours.removedLine = blend(removed, base, 0.16);
    colours.addedWord = blend(added, base, 0.36);
    colours.removedWord = blend(removed, base, 0.36);
    colours.edited = onBase(dark ? QColor(0xe6, 0xb4, 0x3c) : QColor(0xc2, 0x8a, 0x00), 3.0);
    // Code is also read on the backgrounds of changed lines: the harder one decides.
    const auto code = [&](const QColor& colour) { return readable(readable(onBase(colour), colours.addedLine), colours.removedLine); };
    colours.keyword = code(dark ? QColor(0x7a, 0xb8, 0xf5) : QColor(0x0b, 0x5c, 0xad));
    colours.type = code(dark ? QColor(0x6f, 0xd0, 0xc0) : QColor(0x11, 0x6d, 0x6e));
    colours.comment = code(blend(text, base, 0.60));
    colours.string = code(dark ? QColor(0xe0, 0xa8, 0x7c) : QColor(0x98, 0x4a, 0x10));
    colours.number = code(dark ? QColor(0xd7, 0xa6, 0xe8) : QColor(0x8a, 0x3a, 0xa0));
    colours.preprocessor = code(dark ? QColor(0xc8, 0xc0, 0x78) : QColor(0x6e, 0x60, 0x00));
    colours.margin = window;
    colours.marginText = readable(blend(text, window, 0.6), window);
    colours.currentLine = blend(palette.color(QPalette::Highlight), base, dark ? 0.14 : 0.07);
    colours.chartBest = onBase(dark ? QColor(0x56, 0xb4, 0xe9) : QColor(0x00, 0x72, 0xb2), 3.0);
    colours.chartPoint = onBase(dark ? QColor(0x4c, 0xc4, 0x9c) : QColor(0x00, 0x8a, 0x66), 3.0);
    colours.chartFailure = onBase(dark ? QColor(0xe8, 0x87, 0x4e) : QColor(0xc4, 0x52, 0x00), 3.0);
    colours.chartPending = onBase(dark ? QColor(0xe6, 0xb4, 0x3c) : QColor(0xb0, 0x7c, 0x00), 3.0);
    colours.chartBaseline = onBase(blend(text, base, 0.7), 3.0);
    colours.chartGrid = blend(text, base, 0.16);
    return colours;
}

} // namespace kw
