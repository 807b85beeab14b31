// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kw {

/// One argument of a message. Numbers stay numbers so that each language formats them itself.
using MessageValue = std::variant<std::int64_t, double, std::string>;

/// What the engine says to people: an identifier and typed arguments, never a sentence.
/// engine/present renders it in the reader's language. Text arguments come from files, compilers or agents and
/// are untrusted: whoever renders them escapes them. A value type; free of threads.
struct Message {
    std::string id;                                             ///< e.g. "import.not_a_zip"; a key of the catalogue
    std::vector<std::pair<std::string, MessageValue>> arguments; ///< named, as the catalogue's {name} refers to them

    Message() = default;
    explicit Message(std::string identifier) : id(std::move(identifier)) {}

    Message& with(std::string name, std::string text) &;
    Message& with(std::string name, const char* text) &;
    Message& with(std::string name, double number) &;
    Message& with(std::string name, std::int64_t number) &;
    Message& with(std::string name, int number) & { return with(std::move(name), std::int64_t{number}); }
    Message& with(std::string name, std::size_t number) & { return with(std::move(name), static_cast<std::int64_t>(number)); }
    template <typename Value> Message&& with(std::string name, Value&& value) &&
    {
        with(std::move(name), std::forward<Value>(value));
        return std::move(*this);
    }

    bool empty() const { return id.empty(); }
    friend bool operator==(const Message&, const Message&) = default;
};

void to_json(Json& json, const Message& message);
void from_json(const Json& json, Message& message);

/// A language-free rendering for logs and test failures: "id name=value name=value".
std::string debugText(const Message& message);

} // namespace kw
