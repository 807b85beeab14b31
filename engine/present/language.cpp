// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/language.h"

#include <cstdlib>

namespace kw {

std::string_view languageCode(Language language)
{
    return language == Language::Turkish ? "tr" : "en";
}

Language languageFromLocale(std::string_view locale)
{
    const bool turkish = locale.substr(0, 2) == "tr"
        && (locale.size() == 2 || locale[2] == '_' || locale[2] == '-' || locale[2] == '.' || locale[2] == '@');
    return turkish ? Language::Turkish : Language::English;
}

Language languageFromEnvironment()
{
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const char* value = std::getenv(name); value && *value)
            return languageFromLocale(value);
    return Language::English;
}

} // namespace kw
