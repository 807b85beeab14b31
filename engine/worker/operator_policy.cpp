// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/operator_policy.h"

#include <algorithm>
#include <array>

namespace kw {
namespace {

constexpr std::array<std::string_view, 4> namespaces{"aten", "prims", "python", "higher_order"};
/// Operator libraries that we built ourselves (worker/apply): every set of kernels has a namespace of its own.
constexpr std::string_view ownNamespaces = "kernelwright_";
/// Base names that reach outside the process, run code or print, or that reinterpret memory without any check.
constexpr std::array<std::string_view, 9> forbidden{"from_file", "save", "load", "_load_for_lite_interpreter", "_print", "print",
    "_reinterpret_tensor", "set_", "record_stream"};
constexpr std::array<std::string_view, 6> forbiddenParts{"from_file", "_file", "file_", "pickle", "socket", "inductor"};

} // namespace

Result<void> checkOperatorAllowed(const std::string& target)
{
    const auto colons = target.find("::");
    const std::string_view space = std::string_view(target).substr(0, colons == target.npos ? 0 : colons);
    if (!space.starts_with(ownNamespaces) && std::find(namespaces.begin(), namespaces.end(), space) == namespaces.end())
        return Error{Message("import.operator_library").with("operator", target).with("library", std::string(space)), {}};
    const std::string_view name = std::string_view(target).substr(colons + 2);
    const std::string_view base = name.substr(0, name.find('.'));
    const bool named = std::find(forbidden.begin(), forbidden.end(), base) != forbidden.end();
    const bool partly = std::any_of(forbiddenParts.begin(), forbiddenParts.end(),
        [base](std::string_view part) { return base.find(part) != base.npos; });
    if (named || partly)
        return Error{Message("import.forbidden_operator").with("operator", target), {}};
    return {};
}

} // namespace kw
