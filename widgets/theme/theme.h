// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

#include <array>

namespace kw {

enum class ThemeChoice : quint8 { System, Light, Dark, HighContrast };

/// A complete palette: every role of every group is set, text has at least 4.5:1 on what it stands on.
QPalette paletteFor(ThemeChoice choice, const QPalette& system);
/// Sets the application's palette. The system's own one is remembered by the first call.
void applyTheme(ThemeChoice choice);

bool isDark(const QPalette& palette);

/// Colours that a palette has no role for, derived from it; text colours have at least 4.5:1 on their background.
struct ThemeColours {
    QColor good, bad, warning, muted;              ///< text on Base and Window
    QColor addedLine, removedLine;                 ///< backgrounds of lines, under Text
    QColor addedWord, removedWord;                 ///< backgrounds of changed words, under Text
    QColor edited;                                 ///< margin bar of lines that a person touched
    QColor keyword, type, comment, string, number, preprocessor; ///< text on Base
    QColor marginText, margin;                     ///< line numbers
    QColor currentLine;                            ///< background
    QColor chartBest, chartPoint, chartFailure, chartGrid, chartBaseline, chartPending; ///< on Base
};
ThemeColours themeColours(const QPalette& palette);

/// Contrast ratio of WCAG 2.1; translucent foregrounds are blended first.
double contrastOf(const QColor& foreground, const QColor& background);
/// `colour`, made lighter or darker as little as needed to reach `ratio` on `background`.
QColor readable(QColor colour, const QColor& background, double ratio = 4.5);

} // namespace kw
