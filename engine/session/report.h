// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "present/language.h"
#include "problem/problem.h"
#include "record/snapshot.h"

#include <string>
#include <vector>

namespace kw {

/// What a report is made from: one snapshot, and the experiments that made today's best kernels.
struct ReportInput {
    Snapshot snapshot;
    std::vector<Problem> problems;       ///< those with at least one experiment or a best kernel
    std::vector<Experiment> bests;       ///< of kept kernels; any order
    Environment environment;             ///< of the newest measurement; empty fields are left out
    bool foreign = false;                ///< recorded on another machine
};

/// The session in words and figures. Every text from a model, a compiler or an agent is escaped; numbers carry unit and
/// spread; a session with a missing sandbox layer or from another machine says so first.
std::string reportMarkdown(const ReportInput& input, Language language);
/// The same as one self-contained page with a treemap; no script, no request to anywhere.
std::string reportHtml(const ReportInput& input, Language language);

/// Figures of one problem's search, from the snapshot's rows.
struct ProblemTally {
    std::string problem;
    std::int64_t sources = 0;            ///< different candidates tried
    std::int64_t kept = 0, rejected = 0;
    double predictedRatio = 0, measuredRatio = 0; ///< time by library / by kernel; 0 = none
};
ProblemTally tally(const ReportInput& input, const ProblemRow& row);

} // namespace kw
