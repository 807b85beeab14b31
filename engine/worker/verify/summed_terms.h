// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"
#include "problem/problem.h"

#include <cstdint>
#include <vector>

namespace kw {

/// Terms that one node of a decomposed graph adds up for each result; 1 for other nodes.
double termsOf(const Graph& graph, const Node& node);
/// Terms of the longest sum inside the problem's reference at these sizes; 1 when there is none.
double summedTerms(const Problem& problem, const std::vector<std::int64_t>& dimensions);

} // namespace kw
