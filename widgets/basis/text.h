// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/message.h"
#include "base/result.h"
#include "present/labels.h"
#include "present/language.h"

#include <QString>

#include <string>
#include <string_view>

namespace kw {

/// The language in which views speak. Belongs to the window's thread; whoever changes it sends LanguageChange events.
Language uiLanguage();
void setUiLanguage(Language language);

/// UTF-8 that is already fit to be shown.
QString toQString(std::string_view text);
/// Untrusted text as one visible line, or as lines.
QString shown(std::string_view text);
QString shownLines(std::string_view text);

/// Sentences of the engine in the language of the window.
QString say(const Message& message);
QString say(const Error& error);
template <typename Enum> QString label(Enum value)
{
    return toQString(labelOf(value, uiLanguage()));
}

} // namespace kw
