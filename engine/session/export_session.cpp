// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/export_session.h"

#include "session/export.h"
#include "session/report.h"

namespace kw {

Result<void> exportSession(const SessionInfo& info, const ExportWish& wish, bool unsafe, const Snapshot& snapshot)
{
    ExportInput input;
    input.model = info.model;
    input.modelSha256 = info.modelSha256;
    input.files = wish.application->files;
    input.graph = *wish.graph;
    for (std::size_t index = 0; index < wish.problems.size(); ++index)
        input.kernels.push_back({wish.problems[index], wish.experiments[index]});
    input.summary = wish.application->summary;
    input.outputs = wish.application->outputs;
    input.environment = wish.environment;
    input.unsafe = unsafe;
    input.foreign = info.foreign;
    ReportInput report;
    report.snapshot = snapshot;
    report.snapshot.applied = wish.application->summary;
    report.problems = wish.problems;
    report.bests = wish.experiments;
    report.environment = wish.environment;
    report.foreign = info.foreign;
    input.reportMarkdown = reportMarkdown(report, Language::English);
    input.reportHtml = reportHtml(report, Language::English);
    KW_TRY([[maybe_unused]] const ExportSummary written, writeExport(input, wish.folder));
    return {};
}

} // namespace kw
