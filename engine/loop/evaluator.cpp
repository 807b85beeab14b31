// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/evaluator.h"

#include "base/random.h"
#include "measure/error_control.h"
#include "record/timing_failure.h"

#include <chrono>

namespace kw {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

Subject subjectOf(const std::string& candidate)
{
    return candidate.empty() ? Subject{} : Subject{Subject::Kind::Candidate, candidate};
}

/// Adds the time that passes to a field when it goes.
class Stopwatch {
public:
    explicit Stopwatch(double& field) : m_field(field) {}
    ~Stopwatch() { m_field += since(m_start); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double& m_field;
    Clock::time_point m_start = Clock::now();
};

} // namespace

Evaluator::Evaluator(Judge* judge, EvaluatorOptions options, CandidateSource source)
    : m_judge(judge), m_options(options), m_source(std::move(source))
{
}

std::uint64_t Evaluator::seedFor(const Experiment& experiment, const char* purpose) const
{
    return derivedSeed(m_options.seed, std::string(purpose) + experiment.candidate.id);
}

Event Evaluator::failed(const Error& error, Experiment& experiment)
{
    if (error.message.id == "judge.stopped")
        return event::WorkStopped{};
    const auto timing = timingFailure(error);
    if (!timing || timing->candidate != experiment.candidate.id)
        return event::WorkFailed{error};
    failTiming(experiment.verdict, *timing);
    return event::TimingFailed{};
}

Result<void> Evaluator::introduce(const Problem& problem, const std::string& candidate, std::stop_token stop)
{
    if (!m_defined.contains(problem.id)) {
        KW_CHECK(m_judge->define(problem));
        m_defined.insert(problem.id);
    }
    if (candidate.empty() || m_introduced.contains(candidate))
        return {};
    KW_TRY(const Candidate found, m_source(candidate));
    KW_TRY(const BuildReport report, m_judge->build(found, std::move(stop)));
    if (!report.built)
        return Error{Message("loop.best_does_not_build").with("candidate", candidate), debugText(report.reason)};
    m_introduced.insert(candidate);
    return {};
}

Event Evaluator::verify(const Problem& problem, Experiment& experiment, std::stop_token stop, const ProgressCallback& progress)
{
    const Stopwatch watch(experiment.verifySeconds);
    if (auto known = introduce(problem, {}, stop); !known)
        return failed(known.error(), experiment);
    auto verdict = m_judge->verify(experiment.candidate, VerifyOptions{}, std::move(stop), progress);
    if (!verdict)
        return failed(verdict.error(), experiment);
    experiment.verdict = *std::move(verdict);
    if (experiment.verdict.candidate != experiment.candidate.id)
        return event::WorkFailed{Error{Message("loop.other_candidate_judged"), experiment.verdict.candidate}};
    if (!experiment.verdict.stages.empty())
        experiment.buildSeconds = experiment.verdict.stages.front().seconds;
    m_introduced.insert(experiment.candidate.id);
    return event::Verified{experiment.verdict.passed};
}

MeasureRequest Evaluator::request(const Problem& problem, const Subject& a, const Experiment& experiment) const
{
    MeasureRequest request;
    request.problem = problem.id;
    request.a = a;
    request.b = subjectOf(experiment.candidate.id);
    // Between two calls of a region the model touches at least the region's own tensors: what is larger than half the cache
    // does not survive until the next call.
    const bool survives = m_options.lastLevelCacheBytes <= 0 || problem.compulsoryBytes <= m_options.lastLevelCacheBytes / 2;
    request.cache = survives ? CacheState::Warm : CacheState::Cold;
    return request;
}

void Evaluator::complete(Measurement& measurement, const MeasureRequest& request)
{
    if (!m_environment) {
        if (auto environment = m_judge->environment())
            m_environment = *std::move(environment);
    }
    measurement.a = request.a;
    measurement.b = request.b;
    measurement.cache = request.cache;
    measurement.dimensions = request.dimensions;
    measurement.method = request.keepProcesses ? "worker clock, batches, kept pair" : "worker clock, batches, fresh pairs";
    measurement.environment = m_environment.value_or(Environment{});
}

Result<Measurement> Evaluator::run(const MeasureRequest& base, const StoppingRule& rule, std::stop_token stop)
{
    const auto start = Clock::now();
    std::vector<PairBlock> pairs;
    StoppingStep step = nextStep(pairs, 0, rule);
    while (!step.finished) {
        MeasureRequest request = base;
        request.pairs = std::max(step.morePairs, 1);
        request.wallLimit = std::max(rule.wallSeconds - since(start), 1.0);
        KW_TRY(std::vector<PairBlock> more, m_judge->measure(request, stop));
        if (more.empty())
            return Error{Message("loop.nothing_measured").with("problem", base.problem), {}};
        pairs.insert(pairs.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
        step = nextStep(pairs, since(start), rule);
    }
    Measurement measurement = conclude(std::move(pairs), step, rule);
    complete(measurement, base);
    return measurement;
}

Event Evaluator::screen(const Problem& problem, Experiment& experiment, std::stop_token stop)
{
    const Stopwatch watch(experiment.measureSeconds);
    experiment.screening.reset();
    experiment.measurement.reset();
    experiment.confirmation.reset();
    if (auto known = introduce(problem, experiment.best, stop); !known)
        return failed(known.error(), experiment);
    MeasureRequest screening = request(problem, subjectOf(experiment.best), experiment);
    screening.pairs = 1;
    screening.blocks = m_options.screeningBlocks;
    screening.keepProcesses = true;
    auto pairs = m_judge->measure(screening, std::move(stop));
    if (!pairs)
        return failed(pairs.error(), experiment);
    const bool rejected = screenedOut(*pairs, m_options.margin);
    ComparisonOptions options;
    options.margin = m_options.margin;
    options.seed = seedFor(experiment, "screening");
    experiment.screening = compare(*std::move(pairs), options);
    complete(*experiment.screening, screening);
    if (rejected)
        passTiming(experiment.verdict, experiment.measureSeconds);
    return event::Screened{rejected};
}

Event Evaluator::measure(const Problem& problem, Experiment& experiment, std::stop_token stop)
{
    const Stopwatch watch(experiment.measureSeconds);
    StoppingRule rule;
    rule.margin = m_options.margin;
    rule.seed = seedFor(experiment, "measurement");
    auto measured = run(request(problem, subjectOf(experiment.best), experiment), rule, std::move(stop));
    if (!measured)
        return failed(measured.error(), experiment);
    experiment.measurement = *std::move(measured);
    if (experiment.measurement->outcome != Comparison::Faster)
        passTiming(experiment.verdict, experiment.measureSeconds);
    return event::Measured{experiment.measurement->outcome};
}

Event Evaluator::confirm(const Problem& problem, Experiment& experiment, std::int64_t index, std::stop_token stop)
{
    const Stopwatch watch(experiment.measureSeconds);
    StoppingRule rule = StoppingRule::confirmation(m_options.sessionAlpha, index, m_options.margin);
    rule.seed = seedFor(experiment, "confirmation");
    auto measured = run(request(problem, subjectOf(experiment.best), experiment), rule, std::move(stop));
    if (!measured)
        return failed(measured.error(), experiment);
    experiment.confirmation = *std::move(measured);
    const bool faster = experiment.confirmation->outcome == Comparison::Faster;
    if (!faster)
        passTiming(experiment.verdict, experiment.measureSeconds);
    return event::Confirmed{faster};
}

Event Evaluator::total(const Problem& problem, Experiment& experiment, std::stop_token stop)
{
    const Stopwatch watch(experiment.measureSeconds);
    MeasureRequest against = request(problem, Subject{}, experiment);
    against.pairs = m_options.totalPairs;
    auto pairs = m_judge->measure(against, std::move(stop));
    if (!pairs)
        return failed(pairs.error(), experiment);
    ComparisonOptions options;
    options.margin = m_options.margin;
    options.seed = seedFor(experiment, "total");
    experiment.total = compare(*std::move(pairs), options);
    complete(*experiment.total, against);
    passTiming(experiment.verdict, experiment.measureSeconds);
    return event::TotalMeasured{};
}

} // namespace kw
