// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/defence.h"

#include <array>
#include <utility>

namespace kw {
namespace {

constexpr std::array<std::string_view, defenceCount> defenceNames{"InlineAssembly", "Symbols", "StartCode", "StaticData", "Instructions",
    "InputSeal", "InputCompare", "Poison", "Canaries", "NonFinite", "ErrorBudget", "ShapeCases", "StabilityCases", "Determinism",
    "AcceptanceCases", "Watchdog", "ReplyNonce", "Silence", "ThreadLimit", "IdleCheck", "ControlWord", "Affinity", "TimedInspection",
    "SpeedFloor"};
static_assert(!defenceNames.back().empty());

constexpr std::array<std::pair<std::string_view, Defence>, 14> findingDefences{{
    {"artifact.inline_assembly", Defence::InlineAssembly},
    {"artifact.symbol", Defence::Symbols},
    {"artifact.library", Defence::Symbols},
    {"artifact.constructor", Defence::StartCode},
    {"artifact.indirect_function", Defence::StartCode},
    {"artifact.writable_data", Defence::StaticData},
    {"artifact.thread_local", Defence::StaticData},
    {"artifact.instruction", Defence::Instructions},
    {"artifact.control_register", Defence::Instructions},
    {"artifact.segment", Defence::Instructions},
    {"artifact.indirect_branch", Defence::Instructions},
    {"artifact.branch_into_instruction", Defence::Instructions},
    {"artifact.data_in_code", Defence::Instructions},
    {"artifact.no_code", Defence::Instructions},
}};

} // namespace

std::string_view nameOf(Defence defence) { return defenceNames[static_cast<std::size_t>(defence)]; }

std::optional<Defence> defenceOfFinding(std::string_view messageId)
{
    for (const auto& [id, defence] : findingDefences) {
        if (id == messageId)
            return defence;
    }
    return std::nullopt;
}

} // namespace kw
