// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "candidate/header.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace kw {

/// One line of a compiler about a candidate's text. Text comes from the compiler and quotes the candidate: untrusted.
struct Diagnostic {
    enum class Severity : std::uint8_t { Note, Warning, Error };
    std::int32_t line = 0, column = 0; ///< in the candidate's text, from 1; 0 = not in the candidate
    Severity severity = Severity::Error;
    std::string text;
    friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// A built candidate.
struct Artifact {
    std::string bytes;                 ///< the shared object; its entry is kw_launch
    std::string sha256;
    std::vector<Diagnostic> diagnostics; ///< warnings and notes
    double seconds = 0;                ///< of building; of the original build when cached
    bool cached = false;
    std::string compiler;              ///< first line of --version
    std::string flags;                 ///< all of them, as given to the compiler
};

/// Why there is no artifact. `refused` tells an artifact check (FailureKind::ArtifactRefused) from a compile error.
struct BuildFailure {
    bool refused = false;
    bool stopped = false;              ///< stop was requested: nothing is known about the candidate
    bool harness = false;              ///< our side failed (no compiler, no sandbox): not the candidate's fault
    std::vector<Message> reasons;      ///< at least one; each artifact check that failed has its own
    std::vector<Diagnostic> diagnostics;
};

struct BuildOutcome {
    Artifact artifact;                 ///< valid when ok()
    std::optional<BuildFailure> failure;
    bool ok() const { return !failure; }
};

/// Builds candidates of one kind. Thread-safe: several builds may run at once.
class Backend {
public:
    virtual ~Backend() = default;
    virtual std::string name() const = 0;              ///< Candidate::backend
    /// Compiler with version and flags: part of every cache key and record.
    virtual std::string toolchain() const = 0;
    virtual BuildOutcome build(const Candidate& candidate, const Problem& problem, const CandidateHeader& header,
        std::stop_token stop = {}) = 0;
};

} // namespace kw
