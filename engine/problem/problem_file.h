// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/problem.h"

#include <filesystem>

namespace kw {

/// A problem as a file (.kwp): versioned, readable JSON.
std::string problemText(const Problem& problem);
/// Parses and checks everything that consumers rely on: graph valid and typed, names are unique C identifiers,
/// arguments match the graph's inputs and outputs, dimensions in range, numbers finite.
/// Errors: "json.malformed", "json.unexpected", "graph.invalid", "problem.invalid" (what).
Result<Problem> parseProblem(const std::string& text);
Result<void> writeProblem(const std::filesystem::path& path, const Problem& problem);
Result<Problem> readProblem(const std::filesystem::path& path);

/// The checks of parseProblem for a problem in memory.
Result<void> validate(const Problem& problem);
/// Problem::id for its content: types, domains and graph; not names, sites or figures.
std::string problemId(const Problem& problem);

} // namespace kw
