// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "judge/judge.h"
#include "loop/machine.h"
#include "measure/stopping.h"

#include <functional>
#include <set>
#include <stop_token>
#include <string>

namespace kw {

struct EvaluatorOptions {
    double margin = 0.01;                  ///< a win must clear 1 + margin
    double sessionAlpha = 0.05;            ///< false keeps of the whole session
    std::int32_t screeningBlocks = 6;
    std::int32_t totalPairs = 5;
    std::uint64_t seed = 1;
    double lastLevelCacheBytes = 0;
};

/// Why a finished measurement could not tell: it was cut off by the budget (`cut`), or other work disturbed most of it. A
/// measurement whose samples are sound and still straddle the margin is no doubt: the candidate did not clear it.
Doubt doubtOf(const Measurement& measurement, int firstLook, bool cut);
/// Share of an experiment's timed batches that other work disturbed; -1 when nothing was timed.
double disturbanceOf(const Experiment& experiment);

/// One step of one experiment at a time, through the judge: each fills its part of the experiment and says how it went.
/// Blocks; used by the loop's work thread only.
class Evaluator {
public:
    using CandidateSource = std::function<Result<Candidate>(const std::string& id)>;
    /// `judge` may be null as long as nothing is evaluated. `source` gives the texts of earlier candidates, which a fresh judge has to be told.
    Evaluator(Judge* judge, EvaluatorOptions options, CandidateSource source);

    void setCache(double lastLevelCacheBytes) { m_options.lastLevelCacheBytes = lastLevelCacheBytes; }
    Event verify(const Problem& problem, Experiment& experiment, std::stop_token stop, const ProgressCallback& progress);
    // `secondsLeft` of the search's budget (infinite without one) ends a measurement between two pairs of processes.
    /// Against experiment.best in a long-lived pair of processes; may only reject.
    Event screen(const Problem& problem, Experiment& experiment, double secondsLeft, std::stop_token stop);
    Event measure(const Problem& problem, Experiment& experiment, double secondsLeft, std::stop_token stop);
    /// Fresh samples; `index` counts the confirmations of the whole session from 1.
    Event confirm(const Problem& problem, Experiment& experiment, std::int64_t index, double secondsLeft, std::stop_token stop);
    /// Against the library, after the selection. A win that was confirmed gets a few seconds although the budget is used up.
    Event total(const Problem& problem, Experiment& experiment, double secondsLeft, std::stop_token stop);

    // For agents: nothing is recorded.
    Result<BuildReport> tryBuild(const Problem& problem, const Candidate& candidate, std::stop_token stop);
    /// Development cases only.
    Result<Verdict> tryOut(const Problem& problem, const Candidate& candidate, std::stop_token stop);
    /// A screening of a verified candidate against `best` (empty = the library).
    Result<Measurement> tryTime(
        const Problem& problem, const Candidate& candidate, const std::string& best, double secondsLeft, std::stop_token stop);

private:
    struct Screening {
        Measurement measurement;
        bool rejected = false;
    };
    Result<Screening> compareKept(
        const Problem& problem, const Experiment& experiment, double secondsLeft, std::stop_token stop);
    MeasureRequest request(const Problem& problem, const Subject& a, const Experiment& experiment) const;
    Result<void> introduce(const Problem& problem, const std::string& candidate, std::stop_token stop);
    struct Measured {
        Measurement measurement;
        bool cut = false;                  ///< ended by the budget, not by the rule's own limit
    };
    /// Measures until the rule is satisfied or the time is up.
    Result<Measured> run(const MeasureRequest& request, StoppingRule rule, double secondsLeft, std::stop_token stop);
    void complete(Measurement& measurement, const MeasureRequest& request);
    Event failed(const Error& error, Experiment& experiment);
    std::uint64_t seedFor(const Experiment& experiment, const char* purpose) const;

    Judge* m_judge;
    EvaluatorOptions m_options;
    CandidateSource m_source;
    std::set<std::string> m_defined, m_introduced;
    std::optional<Environment> m_environment;
};

} // namespace kw
