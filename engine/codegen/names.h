// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>

namespace kw {

/// A C identifier made of untrusted text: letters, digits and underscores, not reserved, at most 40 characters.
std::string identifierFrom(const std::string& text, const std::string& fallback);

/// Hands out names that are unique within one emitted text. A value type for one thread.
class NameScope {
public:
    NameScope();
    void reserve(const std::string& name) { m_taken.insert(name); }
    std::string unique(const std::string& wanted);

private:
    std::set<std::string> m_taken;
};

/// A float literal with the shortest digits that read back as the same value: "0.5f", "1e-05f"; infinities by builtin.
std::string floatLiteral(double value);

} // namespace kw
