// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

namespace kw {

/// Bytes and floating operations of one node of a typed graph, from its shapes alone.
struct OperatorWork {
    double bytes = 0;      ///< every tensor read or written once; 0 for views and bookkeeping
    double flops = 0;      ///< a multiply-add counts two
    bool product = false;  ///< matrix product, convolution or attention
};
OperatorWork operatorWork(const Graph& graph, const Node& node);

} // namespace kw
