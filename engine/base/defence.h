// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kw {

/// What stands between a candidate and a verdict that it has not earned: the closed list. The layers of the sandbox are listed
/// in base/sandbox/wire.h. Each is asked for at the one place where it decides.
enum class Defence : std::uint8_t {
    InlineAssembly,   ///< instructions that the compiler was told to copy
    Symbols,          ///< functions and libraries outside of the allow-list
    StartCode,        ///< code that runs when the object is loaded
    StaticData,       ///< memory of the object's own that survives a call
    Instructions,     ///< system calls, clocks, control registers, branches that cannot be followed
    InputSeal,        ///< writing to an input: its pages cannot be mapped writable
    InputCompare,     ///< an input that is another one after the call
    Poison,           ///< elements that were never written; what an earlier call has left
    Canaries,         ///< writing beside a tensor, or between the elements of a strided one
    NonFinite,        ///< NaN or infinity where the reference has none, and the reverse
    ErrorBudget,      ///< values further from the fp64 reference than the budget says
    ShapeCases,       ///< kernels for the captured sizes only
    StabilityCases,   ///< kernels for usual values only
    Determinism,      ///< results that depend on old memory or on the threads' order
    AcceptanceCases,  ///< kernels for the development cases only, which an agent knows
    Watchdog,         ///< calls that do not come back
    ReplyNonce,       ///< replies that were guessed, or made for another call
    Silence,          ///< packets that nobody has asked for
    ThreadLimit,      ///< threads that are left when a call has returned
    IdleCheck,        ///< work between the calls
    ControlWord,      ///< another rounding, denormals flushed to zero
    Affinity,         ///< other CPUs than those of the measurement
    TimedInspection,  ///< kernels that are right until they are timed
    SpeedFloor,       ///< times that the compulsory bytes do not allow
};
inline constexpr int defenceCount = static_cast<int>(Defence::SpeedFloor) + 1;

std::string_view nameOf(Defence defence);

/// Which defence a finding of an artifact check belongs to; nothing for findings that no switch leaves out.
std::optional<Defence> defenceOfFinding(std::string_view messageId);

/// Always true. Programs of the test suite are linked with another definition, which leaves single ones out (tests/support):
/// the answer is chosen when a program is linked, so no product contains a switch.
bool standing(Defence defence);

} // namespace kw
