// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "candidate/candidate.h"
#include "record/measurement.h"
#include "record/verdict.h"

#include <optional>
#include <string>

namespace kw {

/// How one iteration ended.
enum class Decision : std::uint8_t {
    Kept,           ///< became the problem's best
    Rejected,       ///< failed verification
    NotFaster,      ///< verified, measured, did not clear the margin
    ScreenedOut,    ///< verified, clearly slower in the screening
    Pending,        ///< waits for a person's approval
    Declined,       ///< a person said no
    Superseded,     ///< a newer win replaced it while it waited
    RolledBack,     ///< was best and was taken back
    Unsure,         ///< verified, but the machine was too busy to tell whether it is faster: its source is judged again
    Unfinished,     ///< the budget ended before it was judged: its source is judged again when the search goes on
};
inline constexpr Decision lastDecision = Decision::Unfinished;

/// Nothing was learned of the candidate: its source may be judged again.
constexpr bool isOpen(Decision decision)
{
    return decision == Decision::Unsure || decision == Decision::Unfinished;
}

/// Who approved or declined, bound to what exactly.
struct Approval {
    std::string approver;            ///< person's name, "rule: ..." or agent
    AuthorKind kind = AuthorKind::Person;
    bool approved = false;
    std::string comment;             ///< untrusted text
    std::string binding;             ///< sha256 over source, flags, domain and verdict
    double time = 0;                 ///< seconds since 1970
    friend bool operator==(const Approval&, const Approval&) = default;
};

/// Candidate + verdict + measurement + decision: one iteration, journaled once and for all.
struct Experiment {
    std::int64_t number = 0;         ///< 1, 2, 3 ... within the session
    std::string problem;
    Candidate candidate;
    Verdict verdict;
    std::optional<Measurement> screening;    ///< against the then best; may only reject
    std::optional<Measurement> measurement;  ///< against the then best
    std::optional<Measurement> confirmation; ///< fresh samples after the decision to keep
    std::optional<Measurement> total;        ///< best against the library, measured after selection
    Decision decision = Decision::Rejected;
    std::optional<Approval> approval;
    std::string best;                ///< candidate id it was compared with; empty = library
    std::string commit;              ///< history commit id; empty for attic-less records
    double startTime = 0;            ///< seconds since 1970
    double seconds = 0;              ///< spent on it: proposing, building, verifying, measuring
    double buildSeconds = 0, verifySeconds = 0, measureSeconds = 0;
    Message note;                    ///< why it ended so, when verdict and numbers do not say it; mostly empty
    friend bool operator==(const Experiment&, const Experiment&) = default;
};

/// sha256 that an approval binds to.
std::string approvalBinding(const Candidate& candidate, const Verdict& verdict);

void to_json(Json& json, const Approval& approval);
void from_json(const Json& json, Approval& approval);
void to_json(Json& json, const Experiment& experiment);
void from_json(const Json& json, Experiment& experiment);

} // namespace kw
