// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciscintilla.h>

namespace kw {

/// The program's fixed font at the window's size.
QFont codeFont();

/// What every view of code shares: UTF-8, fixed font, no wrapping, four spaces. Call once.
void setUpCode(QsciScintilla& view);

/// Takes all colours of view, margins, selection and lexer from the view's palette. Call again after PaletteChange or
/// after setLexer: the editor does not follow by itself.
void colourCode(QsciScintilla& view);

/// Whole characters as Scintilla wants colours.
long scintillaColour(const QColor& colour);

} // namespace kw
