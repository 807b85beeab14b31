// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/problem.h"

#include <cstdint>
#include <vector>

namespace kw {

/// Terms of the longest sum inside the problem's reference at these sizes; 1 when there is none.
double summedTerms(const Problem& problem, const std::vector<std::int64_t>& dimensions);

} // namespace kw
