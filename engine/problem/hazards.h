// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

namespace kw {

/// Which memory of a model is written in place.
struct Hazards {
    /// Per value: its memory is overwritten while others may look at it; nothing that touches it may move.
    std::vector<bool> tainted;
    /// Per node: an in-place operator whose old content nobody reads later; it may be seen as a new value.
    std::vector<bool> harmless;
};
Hazards findHazards(const Graph& graph);

} // namespace kw
