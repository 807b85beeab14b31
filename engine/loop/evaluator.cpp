// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/evaluator.h"

#include "base/random.h"
#include "measure/error_control.h"
#include "record/timing_failure.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace kw {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double shortestWall = 1;        // seconds: a pair that was begun is worth ending
constexpr double totalSeconds = 4;        // for the last measurement of a confirmed win

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

Doubt doubtOf(const Measurement& measurement, int firstLook, bool cut)
{
    if (measurement.outcome != Comparison::Unsure)
        return Doubt::None;
    if (cut)
        return Doubt::OutOfTime;
    const auto disturbed
        = std::count_if(measurement.pairs.begin(), measurement.pairs.end(), [](const PairBlock& pair) { return pair.disturbed; });
    const auto sound = std::ssize(measurement.pairs) - disturbed;
    return disturbed > 0 && (sound < firstLook || disturbed >= sound) ? Doubt::Disturbed : Doubt::None;
}

double disturbanceOf(const Experiment& experiment)
{
    double batches = 0, disturbed = 0;
    for (const auto* measurement : {&experiment.screening, &experiment.measurement, &experiment.confirmation, &experiment.total}) {
        if (!*measurement)
            continue;
        disturbed += (*measurement)->rejectedSamples;
        for (const PairBlock& pair : (*measurement)->pairs)
            batches += static_cast<double>(pair.a.size() + pair.b.size());
    }
    return batches > 0 ? disturbed / batches : -1;
}

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
    // A verified kernel that did not answer in time may have waited for the machine.
    return event::TimingFailed{timing->failure == FailureKind::TimedOut};
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

Result<Evaluator::Measured> Evaluator::run(const MeasureRequest& base, StoppingRule rule, double secondsLeft, std::stop_token stop)
{
    const auto start = Clock::now();
    const bool bounded = secondsLeft < rule.wallSeconds;
    rule.wallSeconds = std::clamp(secondsLeft, 0.0, rule.wallSeconds);
    std::vector<PairBlock> pairs;
    StoppingStep step = nextStep(pairs, 0, rule);
    while (!step.finished) {
        MeasureRequest request = base;
        request.pairs = std::max(step.morePairs, 1);
        request.wallLimit = std::max(rule.wallSeconds - since(start), shortestWall);
        KW_TRY(std::vector<PairBlock> more, m_judge->measure(request, stop));
        if (more.empty())
            return Error{Message("loop.nothing_measured").with("problem", base.problem), {}};
        pairs.insert(pairs.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
        step = nextStep(pairs, since(start), rule);
    }
    Measured result{conclude(std::move(pairs), step, rule), bounded && since(start) >= rule.wallSeconds};
    complete(result.measurement, base);
    return result;
}

Result<Evaluator::Screening> Evaluator::compareKept(
    const Problem& problem, const Experiment& experiment, double secondsLeft, std::stop_token stop)
{
    KW_CHECK(introduce(problem, experiment.best, stop));
    MeasureRequest screening = request(problem, subjectOf(experiment.best), experiment);
    screening.pairs = 1;
    screening.blocks = m_options.screeningBlocks;
    screening.keepProcesses = true;
    screening.wallLimit = std::clamp(secondsLeft, shortestWall, screening.wallLimit);
    KW_TRY(std::vector<PairBlock> pairs, m_judge->measure(screening, std::move(stop)));
    Screening result;
    result.rejected = screenedOut(pairs, m_options.margin);
    ComparisonOptions options;
    options.margin = m_options.margin;
    options.seed = seedFor(experiment, "screening");
    result.measurement = compare(std::move(pairs), options);
    complete(result.measurement, screening);
    return result;
}

Event Evaluator::screen(const Problem& problem, Experiment& experiment, double secondsLeft, std::stop_token stop)
{
    const Stopwatch watch(experiment.measureSeconds);
    experiment.screening.reset();
    experiment.measurement.reset();
    experiment.confirmation.reset();
    auto screened = compareKept(problem, experiment, secondsLeft, std::move(stop));
    if (!screened)
        return failed(screened.error(), experiment);
    experiment.screening = std::move(screened->measurement);
    if (screened->rejected)
        passTiming(experiment.verdict, experiment.measureSeconds);
    return event::Screened{screened->rejected};
}

Event Evaluator::measure(const Problem& problem, Experiment& experiment, double secondsLeft, std::stop_token stop)
{
    const Stopwatch watch(experiment.measureSeconds);
    StoppingRule rule;
    rule.margin = m_options.margin;
    rule.seed = seedFor(experiment, "measurement");
    auto measured = run(request(problem, subjectOf(experiment.best), experiment), rule, secondsLeft, std::move(stop));
    if (!measured)
        return failed(measured.error(), experiment);
    experiment.measurement = std::move(measured->measurement);
    if (experiment.measurement->outcome != Comparison::Faster)
        passTiming(experiment.verdict, experiment.measureSeconds);
    return event::Measured{experiment.measurement->outcome, doubtOf(*experiment.measurement, rule.looks.front(), measured->cut)};
}

Event Evaluator::confirm(
    const Problem& problem, Experiment& experiment, std::int64_t index, double secondsLeft, std::stop_token stop)
{
    const Stopwatch watch(experiment.measureSeconds);
    StoppingRule rule = StoppingRule::confirmation(m_options.sessionAlpha, index, m_options.margin);
    rule.seed = seedFor(experiment, "confirmation");
    auto measured = run(request(problem, subjectOf(experiment.best), experiment), rule, secondsLeft, std::move(stop));
    if (!measured)
        return failed(measured.error(), experiment);
    experiment.confirmation = std::move(measured->measurement);
    const bool faster = experiment.confirmation->outcome == Comparison::Faster;
    if (!faster)
        passTiming(experiment.verdict, experiment.measureSeconds);
    return event::Confirmed{faster, doubtOf(*experiment.confirmation, rule.looks.front(), measured->cut)};
}

Event Evaluator::total(const Problem& problem, Experiment& experiment, double secondsLeft, std::stop_token stop)
{
    const Stopwatch watch(experiment.measureSeconds);
    StoppingRule rule;
    rule.looks = {m_options.totalPairs};
    rule.margin = m_options.margin;
    rule.seed = seedFor(experiment, "total");
    auto measured = run(request(problem, Subject{}, experiment), rule, std::max(secondsLeft, totalSeconds), std::move(stop));
    if (!measured)
        return failed(measured.error(), experiment);
    experiment.total = std::move(measured->measurement);
    passTiming(experiment.verdict, experiment.measureSeconds);
    // One pair has no interval: what is displayed would be a guess.
    if (std::isfinite(experiment.total->high) && experiment.total->ratio > 0)
        return event::TotalMeasured{};
    experiment.total.reset();
    return event::TotalMeasured{measured->cut ? Doubt::OutOfTime : Doubt::Disturbed};
}

Result<BuildReport> Evaluator::tryBuild(const Problem& problem, const Candidate& candidate, std::stop_token stop)
{
    KW_CHECK(introduce(problem, {}, stop));
    return m_judge->build(candidate, std::move(stop));
}

Result<Verdict> Evaluator::tryOut(const Problem& problem, const Candidate& candidate, std::stop_token stop)
{
    KW_CHECK(introduce(problem, {}, stop));
    VerifyOptions development;
    development.acceptance = false;
    return m_judge->verify(candidate, development, std::move(stop), nullptr);
}

Result<Measurement> Evaluator::tryTime(
    const Problem& problem, const Candidate& candidate, const std::string& best, double secondsLeft, std::stop_token stop)
{
    Experiment attempt;
    attempt.problem = problem.id;
    attempt.candidate = candidate;
    attempt.best = best;
    KW_TRY(Screening screened, compareKept(problem, attempt, secondsLeft, std::move(stop)));
    return std::move(screened.measurement);
}

} // namespace kw
