// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/message.h"
#include "base/result.h"
#include "present/language.h"

#include <string>
#include <string_view>
#include <vector>

namespace kw {

/// The sentence of a message in one language, as one line of plain text. Text arguments are made visible() first.
/// {name} plain, {name:time} seconds, {name:bytes}, {name:percent} fraction, {name:ratio}, {name:count},
/// {name:bandwidth} bytes per second, {name:flops} per second, {name:label} a text that is itself a message id without
/// arguments (an enum's name), {name:lines} text whose line feeds stay. {{ and }} are braces.
/// An id without entry gives its debugText(): nothing is lost, and check_messages finds it. Thread-safe.
std::string render(const Message& message, Language language);
/// The error's message, and its detail line (visible) after a line feed when there is one.
std::string render(const Error& error, Language language);

bool hasMessage(std::string_view id);
/// Every id of the catalogue, sorted.
std::vector<std::string_view> messageIds();

/// One pattern of the catalogue filled in; for tests and for texts that are not in the catalogue.
std::string renderPattern(std::string_view pattern, const Message& arguments, Language language);

} // namespace kw
