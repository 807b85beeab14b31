// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/history.h"
#include "journal/journal.h"

#include <string>

namespace kw {

/// What a commit of the session's history holds, made from the journal alone: the same record gives the same commit again.
/// `experiment` is null for a roll back to the library's operators. Untrusted texts are put on one line each.
CommitContent commitContent(const CommitRecord& record, const Experiment* experiment, const std::string& problemName);

HistoryBranch branchOf(const CommitRecord& record);

} // namespace kw
