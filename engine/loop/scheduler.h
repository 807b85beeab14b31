// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/snapshot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kw {

/// What ends the search of one problem or of all.
struct LoopRules {
    std::int64_t plateauExperiments = 24;  ///< in a row without a win
    double nearFloor = 1.05;               ///< best time / floor at which nothing is left to win
    double smallestShare = 0.0005;         ///< head-room of the model's time below which a problem is not worth an experiment
    double targetSpeedup = 0;              ///< of the whole model; 0 = none
    int failuresInRow = 3;                 ///< of the judge, not of candidates: then the loop stops with the error
    int mostAttempts = 3;                  ///< at one source whose judgement stayed open
    double quietShare = 0.2;               ///< of timed batches disturbed, below which the machine counts as quiet
};

/// What the machine knows of one problem. Times are seconds per run of the model, all calls together.
struct ProblemTrack {
    std::string id;
    double seconds = 0, floorSeconds = 0, predictedSeconds = 0; ///< of the library's operators, of the roofline, of the prediction
    std::string best;                      ///< candidate id; empty = the library's operators
    double ratio = 1;                      ///< library / best
    double searchRatio = 1;                ///< library / what the search starts from: a win that waits for approval counts
    bool pinned = false, skipped = false, exhausted = false, refused = false;
    std::int64_t sinceWin = 0;             ///< experiments
    double gainPerExperiment = 0.3;        ///< expected share of the head-room that one experiment wins; learned
    double secondsPerExperiment = 3;       ///< learned
    friend bool operator==(const ProblemTrack&, const ProblemTrack&) = default;
};

/// A source whose judgement stayed open and that is judged again.
struct Retry {
    std::string id, problem;
    int attempts = 1;                      ///< that were made
    double disturbance = 0;                ///< share of disturbed batches then; 0 = it was not a disturbance that ended it
    friend bool operator==(const Retry&, const Retry&) = default;
};

/// Model-seconds that could still be saved.
double headroom(const ProblemTrack& track);
/// Expected model-seconds saved per second of search: share, head-room above the floor and recent success in one number.
double searchValue(const ProblemTrack& track);
/// Learns from a finished experiment; `newRatio` is library / search base after it.
void learn(ProblemTrack& track, double seconds, double newRatio, bool won);
/// Whether an experiment is worth beginning with so much of the budget left: below a quarter of what one takes it would be cut off.
bool fits(const ProblemTrack& track, double secondsLeft);
/// Learns only what an experiment costs: it said nothing about the candidate.
void learnCost(ProblemTrack& track, double seconds);
/// Why a problem is not searched, or how it takes part. `modelSeconds` is the profiled time of the whole model.
ProblemState stateOf(const ProblemTrack& track, double modelSeconds, const LoopRules& rules);
/// The problem to work on next: a pinned one first, then by searchValue(). `blocked` problems wait for a person.
std::optional<std::size_t> chooseProblem(const std::vector<ProblemTrack>& tracks, const std::vector<std::string>& blocked,
    double modelSeconds, const LoopRules& rules);
/// The source to judge again: one whose machine was busier than it is now (`disturbance`: share of disturbed batches in the
/// newest measurement), or any of them at the `lastChance`, when nothing else is left to try.
std::optional<std::size_t> chooseRetry(const std::vector<Retry>& retries, const std::vector<ProblemTrack>& tracks,
    const std::vector<std::string>& blocked, double disturbance, bool lastChance, const LoopRules& rules);
/// Whole model against itself with all best kernels, from their measured gains.
double modelSpeedup(const std::vector<ProblemTrack>& tracks, double modelSeconds);

} // namespace kw
