// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "present/language.h"
#include "record/snapshot.h"

#include <string>

namespace kw {

/// Names of enum values, as they stand in tables, buttons and reports. Sentence case.
std::string labelOf(Stage stage, Language language);
std::string labelOf(FailureKind failure, Language language);
std::string labelOf(CaseTier tier, Language language);
std::string labelOf(Decision decision, Language language);
std::string labelOf(Comparison outcome, Language language);
std::string labelOf(CacheState cache, Language language);
std::string labelOf(LoopState state, Language language);
std::string labelOf(Supervision supervision, Language language);
std::string labelOf(ProblemState state, Language language);
std::string labelOf(RegionKind kind, Language language);
std::string labelOf(AuthorKind kind, Language language);
std::string labelOf(Tier tier, Language language);

/// "search", or the author's name with its kind: "Ayşe (person)".
std::string authorText(const Author& author, Language language);
/// How a candidate's schedule differs from its parent's, one line per move:
/// "Rows per task: 1 → 4 (block sizes, expected 1.10 ×). Reason."
std::vector<std::string> movesText(const std::vector<Move>& moves, Language language);
/// What an interval stands on: samples and process pairs that were neither rejected nor disturbed.
struct SampleCount {
    std::int64_t samples = 0, pairs = 0;
};
SampleCount usedSamples(const Measurement& measurement);
/// "FASTER 1.23 × (1.21–1.25), 30 samples in 5 process pairs" as one line.
std::string measurementText(const Measurement& measurement, Language language);
/// One line: passed, or the stage that failed and why.
std::string verdictText(const Verdict& verdict, Language language);
/// What the person reads first about an experiment: decision, speed-up or failure.
std::string experimentText(const ExperimentRow& row, Language language);

} // namespace kw
