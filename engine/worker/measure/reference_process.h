// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/runner_client.h"
#include "problem/problem.h"

#include <filesystem>
#include <stop_token>
#include <vector>

namespace kw {

/// How a fresh, trusted worker process is started that serves the library's operators like a candidate:
///
///     kernelwright-worker --role reference --threads N
///
/// Descriptors: 3..7 as RunnerFds (runner_server.h says what they are); 8: a file with the JSON
/// {"graph": referenceAt(problem, dimensions), "inputs": [tensor type of each arena input, in order]}.
/// The process pins nothing itself (the affinity is inherited), sets the library's threads to N, keeps freed memory,
/// wraps the arena's inputs of each slot once (no copy), calls ready(), and for each slot runs the graph under no_grad,
/// dropping the outputs: nobody compares the library with itself, and a copy would be timed.
struct ReferenceProcessSpec {
    std::filesystem::path worker;          ///< empty: the running executable
    std::vector<int> cpus;
    int threads = 1;
    double startSeconds = 30;              ///< LibTorch takes a while to load
};

/// Errors: "problem.cannot_resize" (node), "process.not_started" (path, why); a process that does not become ready gives a
/// client whose startOutcome() is not ok.
Result<RunnerClient> startReference(const Problem& problem, const std::vector<std::int64_t>& dimensions, Arena& arena,
    const ReferenceProcessSpec& spec, std::stop_token stop);

} // namespace kw
