// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

namespace kw {

/// Moves reflecting and replicating borders behind pointwise operators: f(pad(x), pad(y)) -> pad(f(x, y)), which is the
/// same element by element, computes less and leaves the border where a window can take it over. Primitives only;
/// `origin` holds one entry per node and is kept in step.
void sinkPads(Graph& graph, std::vector<std::int32_t>& origin);

} // namespace kw
