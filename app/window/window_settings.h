// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "present/language.h"
#include "theme/theme.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace kw {

/// What the window remembers, with its defaults. Loaded and stored explicitly; broken values fall back one by one.
struct WindowSettings {
    static constexpr int version = 1;

    Language language = Language::English; ///< the system's until the person chooses
    ThemeChoice theme = ThemeChoice::System;
    double textScale = 1;                  ///< 0.7 .. 3
    QByteArray geometry, layout;
    QStringList recent;                    ///< session folders and models, newest first
    QString lastFolder;                    ///< of file dialogs

    /// `fellBack` tells whether something unreadable was replaced by its default.
    static WindowSettings load(bool* fellBack = nullptr);
    void save() const;
    void noteRecent(const QString& path);
};

} // namespace kw
