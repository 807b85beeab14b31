// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/pickle_scan.h"

#include <algorithm>
#include <array>

namespace kw {
namespace {

constexpr std::array<std::string_view, 21> modules{"os", "posix", "nt", "subprocess", "sys", "importlib", "shutil", "socket", "runpy",
    "pty", "ctypes", "pickle", "code", "codeop", "webbrowser", "multiprocessing", "threading", "urllib", "http", "asyncio", "commands"};
constexpr std::array<std::string_view, 10> builtins{"eval", "exec", "compile", "open", "getattr", "setattr", "__import__", "globals",
    "input", "breakpoint"};

/// The text up to the end of the line, if it looks like a Python name.
std::optional<std::string_view> nameLine(std::string_view bytes, std::size_t at)
{
    const auto end = bytes.find('\n', at);
    if (end == bytes.npos || end == at || end - at > 200)
        return std::nullopt;
    const auto name = bytes.substr(at, end - at);
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    });
    return plain ? std::optional(name) : std::nullopt;
}

bool dangerous(std::string_view module, std::string_view name)
{
    const auto top = module.substr(0, module.find('.'));
    if (std::find(modules.begin(), modules.end(), top) != modules.end())
        return true;
    return (top == "builtins" || top == "__builtin__") && std::find(builtins.begin(), builtins.end(), name) != builtins.end();
}

} // namespace

std::optional<std::string> codeInPickles(std::string_view bytes)
{
    // Protocol 2, which torch writes, names classes by the GLOBAL opcode: 'c' module '\n' name '\n'.
    for (auto at = bytes.find('c'); at != bytes.npos; at = bytes.find('c', at + 1)) {
        const auto module = nameLine(bytes, at + 1);
        if (!module)
            continue;
        const auto name = nameLine(bytes, at + 1 + module->size() + 1);
        if (name && dangerous(*module, *name))
            return std::string(*module).append(".").append(*name);
    }
    return std::nullopt;
}

} // namespace kw
