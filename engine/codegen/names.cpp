// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/names.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace kw {

namespace {

// Words of C++ and names of the kw headers that a variable of an emitted kernel must not hide.
const char* const reservedNames[] = {"abs", "acos", "acosh", "active", "alignas", "alignof", "and", "asMask", "asin", "asinh",
    "asm", "atLeast", "atMost", "atan", "atan2", "atanh", "auto", "begin", "bits", "bool", "break", "case", "catch", "ceil",
    "char", "clamped", "class", "columnFloat", "columnInt", "compl", "concept", "const", "consteval", "constexpr", "constinit",
    "continue", "cos", "cosh", "decltype", "default", "delete", "do", "double", "else", "end", "enum", "erf", "erfc", "exp",
    "exp2", "exp_nonpositive", "explicit", "expm1", "export", "extern", "false", "fence", "float", "floor", "fma", "fmod", "for",
    "friend", "fromBits", "goto", "i64", "if", "inline", "int", "isFinite", "isNan", "kw", "lanes", "largest", "least", "load",
    "loadBool", "loadInt", "loadStrided", "log", "log10", "log1p", "log2", "long", "loop", "main", "maximum", "minimum",
    "most", "mutable", "namespace", "new", "noexcept", "not", "nullptr", "only", "operator", "or", "one_plus_erf", "pow", "pow_above", "pow_above_fast", "pow_fast",
    "pow_within", "pow_within_fast", "powRare", "powUsual", "powAny", "powAbove", "any", "greater", "lesser", "polynomial", "scaled",
    "rounded", "vu", "private", "product",
    "protected", "public", "reflected", "register", "requires", "return", "round", "rsqrt", "select", "short", "sigmoid",
    "sign", "signed", "sin", "sinh", "sizeof", "slot", "smallest", "splat", "splatBool", "splatInt", "sqrt", "static", "std",
    "store", "storeBool", "storeStrided", "stream", "struct", "sum", "switch", "tan", "tanh", "template", "this", "throw",
    "toFloat", "toInt", "true", "trunc", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "vf", "vi",
    "virtual", "vl", "void", "volatile", "while", "width", "xor", "ahead", "bottom", "clear", "here", "left", "right", "source", "step", "top", "k", "Buffer", "Border"};

} // namespace

std::string identifierFrom(const std::string& text, const std::string& fallback)
{
    constexpr std::size_t longest = 40;
    std::string name;
    for (const char c : text.substr(0, longest))
        name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    while (!name.empty() && (name.front() == '_' || std::isdigit(static_cast<unsigned char>(name.front()))))
        name.erase(name.begin());
    // Two underscores in a row belong to the compiler.
    std::string clean;
    for (const char c : name)
        if (c != '_' || clean.empty() || clean.back() != '_')
            clean += c;
    return clean.empty() ? fallback : clean;
}

NameScope::NameScope() : m_taken(std::begin(reservedNames), std::end(reservedNames)) {}

std::string NameScope::unique(const std::string& wanted)
{
    std::string name = wanted;
    for (int i = 2; m_taken.count(name) != 0; ++i)
        name = wanted + "_" + std::to_string(i);
    m_taken.insert(name);
    return name;
}

std::string floatLiteral(double value)
{
    const auto number = static_cast<float>(value);
    if (std::isnan(number))
        return "__builtin_nanf(\"\")";
    if (std::isinf(number))
        return number > 0 ? "__builtin_inff()" : "-__builtin_inff()";
    char digits[64];
    const auto result = std::to_chars(digits, digits + sizeof digits, number);
    std::string text(digits, result.ptr);
    if (std::none_of(text.begin(), text.end(), [](char c) { return c == '.' || c == 'e'; }))
        text += ".0";
    return text + "f";
}

} // namespace kw
