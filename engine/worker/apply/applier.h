// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sandbox/launcher.h"
#include "judge/judge.h"
#include "worker/apply/operator_source.h"

#include <map>
#include <string>
#include <vector>

namespace kw {

/// What the applier has to know about the loaded model.
struct AppliedModelSource {
    std::filesystem::path file;              ///< the user's `.pt2`; never modified
    const Graph* graph = nullptr;            ///< its typed graph; value names are the file's
};

/// The operator library of a set of kernels: sources written to `folder`, built in the tool sandbox from exactly these
/// texts. Errors: "apply.build_failed" (output), the launcher's, file errors.
struct OperatorLibrary {
    std::filesystem::path path;
    std::string operatorNamespace;
    std::vector<ExportedOperator> operators;
};
Result<OperatorLibrary> buildOperatorLibrary(const Launcher& launcher, std::vector<ExportedOperator> operators,
    const std::filesystem::path& folder, std::stop_token stop);

/// The user's model with the given sites handed over to the operators, written to `target`.
/// Returns how many sites were replaced; a site is left alone when the order of in-place nodes forbids the change.
Result<std::int64_t> writeRewrittenModel(const AppliedModelSource& model, const OperatorLibrary& library,
    const std::vector<AppliedKernel>& kernels, const std::filesystem::path& target);

/// The compiler flags of kernels in an exported library: those of the candidate's own build.
std::vector<std::string> exportFlags();

} // namespace kw
