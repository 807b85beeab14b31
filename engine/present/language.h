// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace kw {

/// The languages that the product speaks.
enum class Language : std::uint8_t { English, Turkish };

/// "en", "tr".
std::string_view languageCode(Language language);
/// The language of a locale name ("tr_TR.UTF-8", "tr", "C"); English for everything unknown.
Language languageFromLocale(std::string_view locale);
/// The language that LC_ALL, LC_MESSAGES or LANG ask for.
Language languageFromEnvironment();

} // namespace kw
