// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sandbox/launcher.h"
#include "judge/judge.h"

#include <map>
#include <string>
#include <vector>

namespace kw {

struct Model;

/// The worker's answers to `apply` and `compareModel`. One thread; stateless between calls.
class ApplyService {
public:
    explicit ApplyService(const Launcher& launcher) : m_launcher(launcher) {}

    /// Builds the operator library in request.folder and writes the rewritten model beside it.
    /// Errors: "apply.unknown_problem" (problem), "apply.nothing_replaced", those of buildOperatorLibrary and writeRewrittenModel.
    Result<AppliedFiles> apply(const Model& model, const std::map<std::string, Problem>& problems, const ApplyRequest& request,
        std::stop_token stop, const ProgressCallback& progress) const;

    /// Runs original and changed model on the sample inputs, the changed one in a process of its own.
    Result<std::vector<OutputComparison>> compare(Model& model, const AppliedFiles& files, int threads, std::stop_token stop) const;

private:
    const Launcher& m_launcher;
};

} // namespace kw
