// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "candidate/candidate.h"
#include "journal/journal.h"

#include <map>
#include <string>

namespace kw {

/// A text that somebody wants to be judged, agent or person, with its id filled in. Errors: "command.no_such_problem",
/// "command.no_text", "command.text_too_long", "command.already_tried" (number) when its judgement did not stay open.
Result<Candidate> checkedCandidate(Candidate candidate, const std::map<std::string, Problem>& problems, Journal& journal);

} // namespace kw
