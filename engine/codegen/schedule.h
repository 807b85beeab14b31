// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "candidate/candidate.h"
#include "codegen/program.h"

#include <string>
#include <utility>
#include <vector>

namespace kw {

/// One decision that a schedule takes for a program, with the values that are legal there (at least two).
struct Choice {
    std::string name;                    ///< stable identifier, e.g. "unroll"
    std::vector<std::string> values;     ///< legal values in a meaningful order
    Tier tier = Tier::BlockSizes;
};

/// The decisions that turn a program into text: name -> value, in the order of choices(). A value type.
struct Schedule {
    std::vector<std::pair<std::string, std::string>> values;

    /// The chosen value, or "" when this program has no such choice.
    const std::string& operator[](const std::string& name) const;
    void set(const std::string& name, std::string value);
    friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// Every choice that the program really has: illegal values are left out, choices with one legal value as well.
std::vector<Choice> choices(const Program& program);
/// A plain, safe starting point: legal for every program.
Schedule defaultSchedule(const Program& program);
/// Whether every value is a legal one. Error "codegen.schedule.illegal" (choice, value).
Result<void> check(const Program& program, const Schedule& schedule);

/// All schedules one step away. `expectedGain` is left at 1: CostModel::rank fills it.
std::vector<Move> moves(const Program& program, const Schedule& schedule);
/// The schedule after the move.
Schedule applied(Schedule schedule, const Move& move);
/// What a move from one value to another is for, in words: "codegen.move.<choice>" (from, to).
Message moveReason(const std::string& choice, const std::string& from, const std::string& to);

/// Compact JSON text with sorted names, as Candidate::schedule holds it.
std::string scheduleText(const Schedule& schedule);
/// Untrusted text; legality is not checked here.
Result<Schedule> parseSchedule(const std::string& text);

} // namespace kw
