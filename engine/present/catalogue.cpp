// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/catalogue.h"

#include "present/message_table.h"
#include "present/numbers.h"
#include "present/visible.h"

#include <algorithm>
#include <cmath>

namespace kw {
namespace {

const MessageEntry* find(std::string_view id)
{
    const auto table = messageTable();
    const auto entry = std::lower_bound(table.begin(), table.end(), id,
        [](const MessageEntry& candidate, std::string_view wanted) { return candidate.id < wanted; });
    return entry != table.end() && entry->id == id ? &*entry : nullptr;
}

const MessageValue* argument(const Message& message, std::string_view name)
{
    for (const auto& [key, value] : message.arguments)
        if (key == name)
            return &value;
    return nullptr;
}

double numberOf(const MessageValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    return std::get<double>(value);
}

std::string textValue(const std::string& text, std::string_view format, Language language)
{
    if (format == "label" && hasMessage(text))
        return render(Message(text), language);
    return visible(text, format == "lines" ? Lines::Keep : Lines::Mark);
}

std::string value(const MessageValue& value, std::string_view format, Language language)
{
    if (const auto* text = std::get_if<std::string>(&value))
        return textValue(*text, format, language);
    const double number = numberOf(value);
    if (format == "time")
        return timeText(number, language);
    if (format == "bytes")
        return bytesText(number, language);
    if (format == "percent")
        return percentText(number, language);
    if (format == "ratio")
        return ratioText(number, language);
    if (format == "bandwidth")
        return bandwidthText(number, language);
    if (format == "flops")
        return flopRateText(number, language);
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return format == "count" ? countText(*whole, language) : std::to_string(*whole);
    if (format == "count" && std::isfinite(number) && std::abs(number) < 9e15)
        return countText(std::llround(number), language);
    return plainNumber(number, language);
}

/// English and Turkish both tell one from everything else.
bool singular(const Message& message, std::string_view count)
{
    const MessageValue* number = argument(message, count);
    return number && !std::holds_alternative<std::string>(*number) && numberOf(*number) == 1;
}

} // namespace

std::string renderPattern(std::string_view pattern, const Message& arguments, Language language)
{
    std::string out;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const char character = pattern[at];
        if ((character == '{' || character == '}') && at + 1 < pattern.size() && pattern[at + 1] == character) {
            out += character;
            ++at;
            continue;
        }
        const std::size_t end = character == '{' ? pattern.find('}', at) : std::string_view::npos;
        if (end == std::string_view::npos) {
            out += character;
            continue;
        }
        const std::string_view inner = pattern.substr(at + 1, end - at - 1);
        const std::size_t colon = inner.find(':');
        const std::string_view name = inner.substr(0, colon);
        const std::string_view format = colon == std::string_view::npos ? std::string_view{} : inner.substr(colon + 1);
        const MessageValue* found = argument(arguments, name);
        out += found ? value(*found, format, language) : noNumber();
        at = end;
    }
    return out;
}

std::string render(const Message& message, Language language)
{
    if (message.empty())
        return {};
    const MessageEntry* entry = find(message.id);
    if (!entry)
        return visible(debugText(message));
    const MessagePattern& pattern = entry->languages[static_cast<std::size_t>(language)];
    const bool one = !pattern.one.empty() && singular(message, entry->count);
    return renderPattern(one ? pattern.one : pattern.other, message, language);
}

std::string render(const Error& error, Language language)
{
    std::string text = render(error.message, language);
    return error.detail.empty() ? text : text + "\n" + visible(error.detail, Lines::Keep);
}

bool hasMessage(std::string_view id)
{
    return find(id) != nullptr;
}

std::vector<std::string_view> messageIds()
{
    std::vector<std::string_view> ids;
    for (const MessageEntry& entry : messageTable())
        ids.push_back(entry.id);
    return ids;
}

} // namespace kw
