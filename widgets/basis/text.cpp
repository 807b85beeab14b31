// SPDX-License-Identifier: GPL-3.0-or-later
#include "basis/text.h"

#include "present/catalogue.h"
#include "present/visible.h"

namespace kw {
namespace {
Language current = Language::English;
}

Language uiLanguage()
{
    return current;
}

void setUiLanguage(Language language)
{
    current = language;
}

QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString shown(std::string_view text)
{
    return toQString(visible(text));
}

QString shownLines(std::string_view text)
{
    return toQString(visible(text, Lines::Keep));
}

QString say(const Message& message)
{
    return toQString(render(message, current));
}

QString say(const Error& error)
{
    return toQString(render(error, current));
}

} // namespace kw
