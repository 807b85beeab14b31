// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "present/language.h"

#include <QObject>
#include <QTranslator>

namespace kw {

/// Installs the catalogues of one language, Qt's own included, while the program runs. Qt tells every widget with a
/// LanguageChange event. Window thread.
class LanguageSwitch : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    void setLanguage(Language language);
    Language language() const { return m_language; }

private:
    void load(QTranslator& translator, const QString& name, const QString& folder);
    QTranslator m_own, m_qt;
    Language m_language = Language::English;
    bool m_loaded = false;
};

} // namespace kw
