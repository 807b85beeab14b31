// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "worker/model.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace kw {

/// Times of one model in this process, under this process' allocation policy.
struct NodeTimes {
    double seconds = 0;                  ///< whole model, median over runs without an observer
    std::vector<double> nodes;           ///< per node, median; freeing what dies after the node included
    std::int32_t runs = 0;
};

/// Warms up, then runs the model plain and observed in turn until `seconds` are spent (at least five of each, at most 200).
/// `progress` is told a share of the work done. Errors: the executor's, "judge.stopped".
Result<NodeTimes> timeNodes(Model& model, double seconds, const std::function<void(double)>& progress = {}, std::stop_token stop = {});

void setLibraryThreads(int threads);     ///< of this process; also of the libraries' own pools
int libraryThreads();

} // namespace kw
