// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "judge/judge.h"
#include "record/snapshot.h"

#include <filesystem>
#include <string>
#include <vector>

namespace kw {

/// A kept kernel with everything that stands behind it.
struct ExportedKernel {
    Problem problem;
    Experiment experiment;                  ///< the one that kept it: candidate, verdict, measurements
};

/// Everything that an export folder is made from. Gathered by the session; nothing is taken from an older export.
struct ExportInput {
    std::filesystem::path model;            ///< the user's own file
    std::string modelSha256;
    AppliedFiles files;                     ///< freshly built from the sources and verified again
    Graph graph;                            ///< the typed model graph
    std::vector<ExportedKernel> kernels;    ///< those in the applied model
    AppliedSummary summary;
    std::vector<OutputComparison> outputs;
    Environment environment;
    std::string reportMarkdown, reportHtml;
    bool unsafe = false, foreign = false;   ///< stamped on the evidence
};

struct ExportSummary {
    std::filesystem::path folder;
    std::int64_t kernels = 0, sites = 0;
};

/// Writes the export: operator library, rewritten and original model, sources, load.py, example.py, manifest, evidence,
/// report, licence. The folder appears whole or not at all: it is made beside the target and renamed.
/// Errors: "export.folder_not_empty" (folder), "export.cannot_write" (path, why), "export.no_kernels".
Result<ExportSummary> writeExport(const ExportInput& input, const std::filesystem::path& folder);

} // namespace kw
