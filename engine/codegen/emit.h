// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/schedule.h"

namespace kw {

/// Writes the candidate: C++20 with OpenMP and the kw/ helper headers, preceded by its //! lines. Deterministic: the same
/// program and schedule give the same bytes, and one changed choice changes only the lines that it concerns.
/// Parent, author, moves, hypothesis and prediction are left to the caller; id, problem, source and schedule are filled.
/// Errors "codegen.refused.*" and "codegen.schedule.illegal".
Result<Candidate> emit(const Program& program, const Schedule& schedule);

} // namespace kw
