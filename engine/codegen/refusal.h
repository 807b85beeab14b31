// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace kw {

/// Thrown inside the generator when a program cannot be written; lower() and emit() turn it into an Error.
class CodegenRefused : public std::runtime_error {
public:
    explicit CodegenRefused(Message message) : std::runtime_error(message.id), m_message(std::move(message)) {}
    const Message& message() const { return m_message; }

private:
    Message m_message;
};

[[noreturn]] inline void refuse(const std::string& why) { throw CodegenRefused(Message("codegen.refused." + why)); }
[[noreturn]] inline void refuse(const std::string& why, const std::string& node)
{
    throw CodegenRefused(Message("codegen.refused." + why).with("node", node));
}

} // namespace kw
