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

/// One step of one experiment at a time, through the judge: each fills its part of the experiment and says how it went.
/// Blocks; used by the loop's work thread only.
class Evaluator {
public:
    using CandidateSource = std::function<Result<Candidate>(const std::string& id)>;
    /// `judge` may be null as long as nothing is evaluated. `source` gives the texts of earlier candidates, which a fresh judge has to be told.
    Evaluator(Judge* judge, EvaluatorOptions options, CandidateSource source);

    void setCache(double lastLevelCacheBytes) { m_options.lastLevelCacheBytes = lastLevelCacheBytes; }
    Event verify(const Problem& problem, Experiment& experiment, std::stop_token stop, const ProgressCallback& progress);
    /// Against experiment.best in a long-lived pair of processes; may only reject.
    Event screen(const Problem& problem, Experiment& experiment, std::stop_token stop);
    Event measure(const Problem& problem, Experiment& experiment, std::stop_token stop);
    /// Fresh samples; `index` counts the confirmations of the whole session from 1.
    Event confirm(const Problem& problem, Experiment& experiment, std::int64_t index, std::stop_token stop);
    /// Against the library, after the selection.
    Event total(const Problem& problem, Experiment& experiment, std::stop_token stop);

private:
    MeasureRequest request(const Problem& problem, const Subject& a, const Experiment& experiment) const;
    Result<void> introduce(const Problem& problem, const std::string& candidate, std::stop_token stop);
    /// Measures until the rule is satisfied. Also notes that timed calls were inspected.
    Result<Measurement> run(const MeasureRequest& request, const StoppingRule& rule, std::stop_token stop);
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
