// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/model_view.h"
#include "problem/problem.h"
#include "problem/profile.h"

namespace kw {

/// A region that was found: with a problem when it is worth one.
struct FoundRegion {
    Problem problem;
    bool worthwhile = false;
};

/// Every node's time in exactly one row (a node that several regions compute is shared out), and what to say first.
/// `seconds` is per node, already divided by the number of regions that hold it.
ProfileReport makeReport(const ModelView& view, const Profile& profile, const std::vector<FoundRegion>& regions,
    const std::vector<double>& seconds);

} // namespace kw
