// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/domain.h"
#include "problem/problem.h"
#include "problem/profile.h"

#include <functional>

namespace kw {

struct RegionOptions {
    std::int32_t maximumInputs = 16;
    std::int32_t maximumOutputs = 8;
    std::int32_t maximumNodes = 96;
    /// Time to call one kernel from the executor and to wake its threads.
    double launchSeconds = 4e-6;
    /// A region that is predicted to save less per run of the model is reported but makes no problem: seconds, and a
    /// share of the model's time.
    double minimumSaving = 5e-6, minimumShare = 2e-4;
    /// Statistics of the captured values, by value of the model graph; may be empty.
    std::vector<ValueStatistics> statistics;
    /// Asked, once per distinct problem, before nodes are joined into a region; refused joins are not made.
    std::function<bool(const Problem&)> accepts;
};

/// A model cut into regions.
struct Partition {
    std::vector<Problem> problems; ///< by predictedSaving(), descending; identical regions are one problem
    ProfileReport report;          ///< hot spots sum up to the profile's nodeSeconds, or to the model's time when that is less
};

/// Cuts the model so that most predicted time is saved. `typed` is the model graph whose tensor values carry captured
/// types; sub-graphs are left alone. Deterministic.
///
/// What a region is: connected operators that decompose() can write, convex (no path leaves and comes back), with
/// one loop space: every output is computed at the points of one nest of loops, reductions all run over the same
/// axes of it, windows read inputs or cheap pointwise values. Operators that write in place join only when nothing
/// reads the old content later. A cheap pointwise producer may belong to several regions (it is computed again).
/// Errors: "graph.invalid", "problem.profile_mismatch" (profile of another graph).
Result<Partition> findRegions(const Graph& typed, const Profile& profile, const RegionOptions& options = {});

/// Cuts the given nodes out of the model as one problem, whether or not it is a good idea.
/// Error "problem.cannot_cut" (what).
Result<Problem> cutProblem(const Graph& typed, const std::vector<std::int32_t>& nodes, const Profile& profile,
    const RegionOptions& options = {});

} // namespace kw
