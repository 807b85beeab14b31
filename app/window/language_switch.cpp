// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/language_switch.h"

#include "basis/text.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

static void initialiseCatalogues()
{
    Q_INIT_RESOURCE(catalogues);
}

namespace kw {

void LanguageSwitch::load(QTranslator& translator, const QString& name, const QString& folder)
{
    QCoreApplication::removeTranslator(&translator);
    // Installing sends LanguageChange: a catalogue that is missing leaves the source texts, which are English.
    if (translator.load(name, folder))
        QCoreApplication::installTranslator(&translator);
}

void LanguageSwitch::setLanguage(Language language)
{
    if (m_loaded && language == m_language)
        return;
    initialiseCatalogues();
    m_language = language;
    m_loaded = true;
    setUiLanguage(language);
    QLocale::setDefault(language == Language::Turkish ? QLocale(QLocale::Turkish, QLocale::Turkey) : QLocale(QLocale::English, QLocale::UnitedStates));
    const QString code = toQString(languageCode(language));
    load(m_qt, QStringLiteral("qtbase_") + code, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    load(m_own, QStringLiteral("kernelwright_") + code, QStringLiteral(":/translations"));
}

} // namespace kw
