// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPalette>
#include <QString>

namespace kw {

/// One of resources/icons by name ("start", "approve" ...) in the colours of the palette, sharp at every scale.
/// An unknown name gives a null icon. Ask again after a PaletteChange. Window thread.
QIcon themedIcon(const QString& name, const QPalette& palette);

/// The program's own, coloured icon.
QIcon applicationIcon();

} // namespace kw
