// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/submission.h"

namespace kw {

namespace {
constexpr std::size_t longestSource = std::size_t{256} << 10;
}

Result<Candidate> checkedCandidate(Candidate candidate, const std::map<std::string, Problem>& problems, Journal& journal)
{
    if (candidate.source.empty())
        return error("command.no_text");
    if (candidate.source.size() > longestSource)
        return error("command.text_too_long");
    if (!problems.contains(candidate.problem))
        return error("command.no_such_problem");
    candidate.id = candidateId(candidate);
    KW_TRY(const std::int64_t earlier, journal.experimentOf(candidate.id));
    if (earlier > 0) {
        KW_TRY(const Decision decision, journal.decision(earlier));
        if (!isOpen(decision))
            return Error{Message("command.already_tried").with("number", earlier), {}};
    }
    return candidate;
}

} // namespace kw
