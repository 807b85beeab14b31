// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/access.h"
#include "problem/model_view.h"
#include "problem/profile.h"
#include "problem/regions.h"

namespace kw {

/// A set of nodes seen as one kernel, before it is worth a name.
struct Cut {
    std::set<std::int32_t> nodes;       ///< everything that the reference holds
    std::set<std::int32_t> recomputed;  ///< made elsewhere too
    std::vector<ValueId> inputs, outputs;
    Graph reference;
    AccessReport access;
    double inputBytes = 0, outputBytes = 0;
    double predictedSeconds = 0;
};

/// Time of a good kernel: memory and arithmetic overlap, the smaller part not fully. `workingSet`: bytes among which its
/// tensors lie, when that is more than they are themselves.
double predictSeconds(const Calibration& calibration, double inputBytes, double outputBytes, double arithmetic, double launchSeconds,
    double workingSet = 0);

/// Closes the set, writes its reference graph, checks that it is one loop nest and predicts its time.
/// Error "problem.cannot_cut" (what).
Result<Cut> cutNodes(const ModelView& view, const std::set<std::int32_t>& nodes, const std::set<std::int32_t>& recomputed,
    const Calibration& calibration, const RegionOptions& options);

/// Makes the problem: names, dimensions, domains, figures; one call site. `seconds` and `allocationSeconds` are the site's.
Result<Problem> problemOf(const ModelView& view, const Cut& cut, double seconds, double allocationSeconds,
    const Calibration& calibration, const RegionOptions& options);

} // namespace kw
