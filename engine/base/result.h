// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/message.h"

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

namespace kw {

/// Why something failed, for a person (message) and for a programmer (detail: a log line, never shown as text of ours).
struct Error {
    Message message;
    std::string detail;

    friend bool operator==(const Error&, const Error&) = default;
};

void to_json(Json& json, const Error& error);
void from_json(const Json& json, Error& error);

/// Error with the given message id.
inline Error error(std::string id) { return Error{Message(std::move(id)), {}}; }

/// A value or the reason why there is none.
template <typename Value> class [[nodiscard]] Result {
public:
    Result(Value value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error problem) : m_state(std::in_place_index<1>, std::move(problem)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    Value& value() & { assert(ok()); return std::get<0>(m_state); }
    const Value& value() const& { assert(ok()); return std::get<0>(m_state); }
    Value&& value() && { assert(ok()); return std::get<0>(std::move(m_state)); }
    Value& operator*() & { return value(); }
    const Value& operator*() const& { return value(); }
    Value&& operator*() && { return std::move(*this).value(); }
    Value* operator->() { return &value(); }
    const Value* operator->() const { return &value(); }

    const Error& error() const { assert(!ok()); return std::get<1>(m_state); }

private:
    std::variant<Value, Error> m_state;
};

/// Success or the reason of the failure.
template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error problem) : m_error(std::move(problem)) {}

    bool ok() const { return !m_error; }
    explicit operator bool() const { return ok(); }
    const Error& error() const { assert(m_error); return *m_error; }

private:
    std::optional<Error> m_error;
};

} // namespace kw

#define KW_CONCAT2(a, b) a##b
#define KW_CONCAT(a, b) KW_CONCAT2(a, b)
/// KW_TRY(auto x, expression): x becomes the value, or the enclosing function returns the error.
#define KW_TRY(declaration, expression)                                                                                \
    auto KW_CONCAT(kwResult, __LINE__) = (expression);                                                                 \
    if (!KW_CONCAT(kwResult, __LINE__))                                                                                \
        return KW_CONCAT(kwResult, __LINE__).error();                                                                  \
    declaration = *std::move(KW_CONCAT(kwResult, __LINE__))
/// KW_CHECK(expression): the enclosing function returns the error of a failed Result<void>.
#define KW_CHECK(expression)                                                                                           \
    if (auto KW_CONCAT(kwResult, __LINE__) = (expression); !KW_CONCAT(kwResult, __LINE__))                             \
    return KW_CONCAT(kwResult, __LINE__).error()
