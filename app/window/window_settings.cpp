// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_settings.h"

#include "basis/text.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>
#include <cmath>

namespace kw {
namespace {
constexpr int mostRecent = 12;
}

WindowSettings WindowSettings::load(bool* fellBack)
{
    QSettings file;
    WindowSettings settings;
    bool broken = file.status() != QSettings::NoError;
    const int stored = file.value(QStringLiteral("version"), version).toInt();
    settings.language = languageFromEnvironment();
    if (stored == version) {
        const QString language = file.value(QStringLiteral("language")).toString();
        if (language == QLatin1String("tr") || language == QLatin1String("en"))
            settings.language = languageFromLocale(language.toStdString());
        const int theme = file.value(QStringLiteral("theme"), 0).toInt();
        if (theme >= 0 && theme <= static_cast<int>(ThemeChoice::HighContrast))
            settings.theme = static_cast<ThemeChoice>(theme);
        else
            broken = true;
        const double scale = file.value(QStringLiteral("textScale"), 1.0).toDouble();
        if (std::isfinite(scale) && scale >= 0.7 && scale <= 3)
            settings.textScale = scale;
        else
            broken = true;
        settings.geometry = file.value(QStringLiteral("geometry")).toByteArray();
        settings.layout = file.value(QStringLiteral("layout")).toByteArray();
        settings.recent = file.value(QStringLiteral("recent")).toStringList().mid(0, mostRecent);
        settings.lastFolder = file.value(QStringLiteral("lastFolder")).toString();
    } else {
        broken = true;
    }
    if (fellBack)
        *fellBack = broken;
    return settings;
}

void WindowSettings::save() const
{
    QSettings file;
    file.setValue(QStringLiteral("version"), version);
    file.setValue(QStringLiteral("language"), toQString(languageCode(language)));
    file.setValue(QStringLiteral("theme"), static_cast<int>(theme));
    file.setValue(QStringLiteral("textScale"), textScale);
    file.setValue(QStringLiteral("geometry"), geometry);
    file.setValue(QStringLiteral("layout"), layout);
    file.setValue(QStringLiteral("recent"), recent);
    file.setValue(QStringLiteral("lastFolder"), lastFolder);
}

void WindowSettings::noteRecent(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    recent.removeAll(absolute);
    recent.prepend(absolute);
    recent = recent.mid(0, mostRecent);
    lastFolder = QFileInfo(absolute).absolutePath();
}

} // namespace kw
