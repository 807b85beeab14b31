// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kw {

/// The stages of design "Verification", in order.
enum class Stage : std::uint8_t { Build, Smoke, Shapes, Stability, Determinism, Edges, Timing };
inline constexpr int stageCount = 7;

/// Development cases give an agent full feedback; acceptance cases are redrawn for every experiment and tell an agent
/// only stage and error class. A person sees everything.
enum class CaseTier : std::uint8_t { Development, Acceptance };

/// The class of a failure: all that an agent learns of an acceptance case.
enum class FailureKind : std::uint8_t {
    None, BuildFailed, ArtifactRefused, OutOfDomain, WrongValue, NonFinite, NotWritten, GuardViolated, InputChanged,
    NotDeterministic, Crashed, TimedOut, OutOfMemory, ProtocolViolated, BackgroundWork, TooFast, Harness,
};

/// The worst element of a case against the fp64 reference.
struct WorstElement {
    std::string output;                    ///< name of the output tensor
    std::vector<std::int64_t> index;
    double expected = 0, actual = 0;       ///< non-finite values travel as text in JSON
    double error = 0, allowed = 0;         ///< absolute error and its limit at this element
    double libraryError = 0;               ///< error of the library's own operators there
    friend bool operator==(const WorstElement&, const WorstElement&) = default;
};

struct CaseResult {
    Message name;                          ///< e.g. case.shape d0=17 d1=768
    CaseTier tier = CaseTier::Development;
    bool passed = false;
    FailureKind failure = FailureKind::None;
    Message reason;                        ///< empty when passed
    std::optional<WorstElement> worst;     ///< also for passed cases: how much of the budget was used
    double budgetUsed = 0;                 ///< max over elements of error / allowed; 1 = at the limit
    bool withinKernelBenchTolerance = true; ///< |a-b| <= 1e-4 + 1e-4 |b| for fp32, reported beside the verdict
    friend bool operator==(const CaseResult&, const CaseResult&) = default;
};

struct StageResult {
    Stage stage = Stage::Build;
    bool run = false;                      ///< stages after a failed one do not run
    bool passed = false;
    std::vector<CaseResult> cases;
    double seconds = 0;
    friend bool operator==(const StageResult&, const StageResult&) = default;
};

/// Whether a candidate may be measured and kept, stage by stage.
struct Verdict {
    bool passed = false;
    FailureKind failure = FailureKind::None;
    Stage failedStage = Stage::Build;
    Message reason;                        ///< empty when passed
    std::vector<StageResult> stages;       ///< stageCount entries, in order
    double factor = 0, floorUlps = 0;      ///< the error budget that was applied
    std::uint64_t seed = 0;                ///< acceptance seed, drawn by the judge; published after the verdict
    std::string candidate;                 ///< candidate id (hash) that was judged
    std::string artifact;                  ///< hash of the built object that was judged
    bool unsafe = false;                   ///< a sandbox layer of the required minimum was missing (--unsafe)
    friend bool operator==(const Verdict&, const Verdict&) = default;
};

void to_json(Json& json, const WorstElement& worst);
void from_json(const Json& json, WorstElement& worst);
void to_json(Json& json, const CaseResult& result);
void from_json(const Json& json, CaseResult& result);
void to_json(Json& json, const StageResult& result);
void from_json(const Json& json, StageResult& result);
void to_json(Json& json, const Verdict& verdict);
void from_json(const Json& json, Verdict& verdict);

} // namespace kw
