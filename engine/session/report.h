// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "present/language.h"
#include "record/snapshot.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kw {

/// One problem with the experiment that made its best kernel.
struct ProblemEvidence {
    ProblemRow row;
    std::optional<Experiment> best;
};

/// Everything that the report says. A value; made by gatherReport().
struct SessionReport {
    Snapshot snapshot;
    std::vector<ProblemEvidence> problems;
};

/// `experiment` answers by number (a SessionClient's or a journal's). Experiments that cannot be read are left out of the evidence.
SessionReport gatherReport(const Snapshot& snapshot, const std::function<Result<Experiment>(std::int64_t)>& experiment);

/// Whole report as Markdown, and as one HTML page without scripts or outside files, with the treemap as SVG. Text that comes from
/// models or agents is escaped. Pure.
std::string reportMarkdown(const SessionReport& report, Language language);
std::string reportHtml(const SessionReport& report, Language language);

} // namespace kw
