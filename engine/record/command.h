// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/snapshot.h"

#include <string>
#include <vector>

namespace kw {

enum class CommandKind : std::uint8_t {
    Start,           ///< start or resume the loop
    Pause, Step, Stop,
    Approve,         ///< experiment, binding, text = comment
    Reject,          ///< experiment, binding, text = comment
    AcceptHunks,     ///< experiment, hunks: the person keeps only these hunks; the result is evaluated as the person's candidate
    Evaluate,        ///< problem, text = source: a person's candidate
    RollBack,        ///< experiment: its candidate becomes best again, as a new commit
    Pin, Unpin, Skip, Unskip, ///< problem
    SetSupervision, SetBudget,///< supervision; number = seconds
    Apply,
    Export,          ///< text = folder
    Shutdown,        ///< the host ends after a safe stop
};

/// One wish of a person, tool or agent. Serialisable; answered with success or an Error.
struct Command {
    CommandKind kind = CommandKind::Start;
    Author author{AuthorKind::Person, {}};
    std::int64_t experiment = 0;
    std::string problem, text, binding;
    std::vector<std::int32_t> hunks;         ///< indices of the hunks that are accepted, ascending
    double number = 0;
    Supervision supervision = Supervision::Improvements;
    friend bool operator==(const Command&, const Command&) = default;
};

void to_json(Json& json, const Command& command);
void from_json(const Json& json, Command& command);

} // namespace kw
