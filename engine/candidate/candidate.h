// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "problem/problem.h"

#include <optional>
#include <string>
#include <vector>

namespace kw {

/// Who wrote a candidate.
enum class AuthorKind : std::uint8_t { Search, Person, LanguageModel, Tool, Rule };
struct Author {
    AuthorKind kind = AuthorKind::Search;
    std::string name;                 ///< untrusted, shown escaped
    friend bool operator==(const Author&, const Author&) = default;
};

/// The playbook's tiers, in the order in which they are worth trying.
enum class Tier : std::uint8_t { BlockSizes, MemoryAccess, Compute, Advanced, Architecture, OperatorSpecific };

/// One change of one choice of a schedule.
struct Move {
    std::string choice;               ///< e.g. "rows_per_task"; a stable identifier
    std::string from, to;
    Tier tier = Tier::BlockSizes;
    double expectedGain = 1;          ///< predicted time before / after, 1 = none
    Message reason;                   ///< why this should help
    friend bool operator==(const Move&, const Move&) = default;
};

/// One proposed kernel: source text for one problem and backend. A value type.
struct Candidate {
    std::string id;                   ///< candidateId(): binds problem, backend, flags and source
    std::string problem;              ///< Problem::id
    std::string backend = "cpp";
    std::string flags;                ///< extra compiler flags that the agent chose, from the backend's allow-list
    std::string source;
    std::optional<std::string> parent; ///< id of the candidate it was derived from
    Author author;
    Message hypothesis;               ///< what is expected and why (engine); free text of agents goes in as an argument
    std::string schedule;             ///< JSON of the generator's schedule; empty for hand-written text
    std::vector<Move> moves;          ///< how the schedule differs from the parent's
    double predictedSeconds = 0;      ///< by the cost model; 0 = none
    friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// Content hash of everything that decides what is built: (problem, backend, flags, source).
std::string candidateId(const Candidate& candidate);

void to_json(Json& json, const Author& author);
void from_json(const Json& json, Author& author);
void to_json(Json& json, const Move& move);
void from_json(const Json& json, Move& move);
void to_json(Json& json, const Candidate& candidate);
void from_json(const Json& json, Candidate& candidate);

} // namespace kw
