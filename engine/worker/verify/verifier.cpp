// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/verifier.h"

#include "base/cpu_lock.h"
#include "base/random.h"
#include "base/steady_clock.h"
#include "worker/verify/case_runner.h"
#include "worker/verify/summed_terms.h"

#include <algorithm>
#include <map>

namespace kw {
namespace {

StageResult& stageOf(Verdict& verdict, Stage stage)
{
    return verdict.stages[static_cast<std::size_t>(stage)];
}

Verdict emptyVerdict(const Problem& problem, const Candidate& candidate)
{
    Verdict verdict;
    verdict.candidate = candidate.id;
    const ErrorBudget budget = budgetForTerms(problem.budget, summedTerms(problem, problem.shapes.empty() ? capturedDimensions(problem)
        : problem.shapes.front().dimensions));
    verdict.factor = budget.factor;
    verdict.floorUlps = budget.floorUlps;
    for (int stage = 0; stage < stageCount; ++stage)
        verdict.stages.push_back(StageResult{static_cast<Stage>(stage), false, false, {}, 0});
    return verdict;
}

void fail(Verdict& verdict, Stage stage, CaseResult result)
{
    verdict.passed = false;
    verdict.failure = result.failure;
    verdict.failedStage = stage;
    verdict.reason = result.reason;
    StageResult& place = stageOf(verdict, stage);
    place.run = true;
    place.passed = false;
    place.cases.push_back(std::move(result));
}

bool coversAUsedShape(const Problem& problem, const CandidateHeader& header)
{
    return std::any_of(problem.shapes.begin(), problem.shapes.end(),
        [&](const UsedShape& shape) { return claims(header, problem, shape.dimensions); });
}

/// Sizes or values that the library itself refuses are no case, except for the shapes that the model really uses.
bool mustRun(const CaseSpec& spec)
{
    return spec.stage == Stage::Smoke || spec.stage == Stage::Determinism || spec.name.id == "case.used_shape";
}

} // namespace

struct Verifier::State {
    const Launcher& launcher;
    CaseStore store;
    VerifierOptions options;
    std::map<std::string, std::vector<HostTensor>> captured;
    std::map<std::string, std::shared_ptr<const CaseData>> capturedCases;

    Result<std::shared_ptr<const CaseData>> capturedCase(const Problem& problem, const CandidateHeader& header);
    Result<bool> runCaptured(const Problem& problem, const CandidateHeader& header, CaseRunner& runner, Verdict& verdict,
        std::stop_token stop);
    Result<bool> runOne(const Problem& problem, const CaseSpec& spec, CaseRunner& runner, Verdict& verdict, std::stop_token stop);
};

Verifier::Verifier(const Launcher& launcher, Reference& reference, VerifierOptions options)
    : m_state(new State{launcher, CaseStore(reference, options.cacheBytes), std::move(options), {}, {}})
{
}

Verifier::~Verifier() = default;

void Verifier::setCapturedInputs(const std::string& problemId, std::vector<HostTensor> inputs)
{
    m_state->captured[problemId] = std::move(inputs);
    m_state->capturedCases.erase(problemId);
}

void Verifier::forget(const std::string& problemId)
{
    m_state->store.forget(problemId);
    m_state->captured.erase(problemId);
    m_state->capturedCases.erase(problemId);
}

Verdict Verifier::unbuilt(const Problem& problem, const Candidate& candidate, const BuildFailure& failure, double seconds)
{
    Verdict verdict = emptyVerdict(problem, candidate);
    CaseResult result;
    result.name = Message("case.build");
    const FailureKind refused = failure.refused ? FailureKind::ArtifactRefused : FailureKind::BuildFailed;
    result.failure = failure.harness ? FailureKind::Harness : refused;
    result.reason = failure.reasons.empty() ? Message("verify.not_built") : failure.reasons.front();
    fail(verdict, Stage::Build, std::move(result));
    stageOf(verdict, Stage::Build).seconds = seconds;
    return verdict;
}

Result<std::shared_ptr<const CaseData>> Verifier::State::capturedCase(const Problem& problem, const CandidateHeader& header)
{
    const auto found = captured.find(problem.id);
    const auto dimensions = capturedDimensions(problem);
    if (found == captured.end() || !claims(header, problem, dimensions))
        return std::shared_ptr<const CaseData>();
    if (const auto ready = capturedCases.find(problem.id); ready != capturedCases.end())
        return ready->second;
    KW_TRY(auto data, store.compute(problem, dimensions, {found->second}, 1));
    capturedCases[problem.id] = data;
    return data;
}

Result<bool> Verifier::State::runCaptured(const Problem& problem, const CandidateHeader& header, CaseRunner& runner,
    Verdict& verdict, std::stop_token stop)
{
    const auto data = capturedCase(problem, header);
    if (!data)
        return Error{Message("verify.no_reference").with("problem", problem.name).with("why", debugText(data.error().message)),
            data.error().detail};
    if (!*data)
        return true;
    CaseSpec spec;
    spec.name = Message("case.captured");
    spec.dimensions = capturedDimensions(problem);
    const double begin = steadySeconds();
    KW_TRY(CaseResult result, runner.run(spec, **data, stop));
    StageResult& stage = stageOf(verdict, Stage::Smoke);
    stage.run = true;
    stage.seconds += steadySeconds() - begin;
    if (!result.passed) {
        fail(verdict, Stage::Smoke, std::move(result));
        return false;
    }
    stage.cases.push_back(std::move(result));
    return true;
}

Result<bool> Verifier::State::runOne(const Problem& problem, const CaseSpec& spec, CaseRunner& runner, Verdict& verdict,
    std::stop_token stop)
{
    if (stop.stop_requested())
        return error("judge.stopped");
    KW_TRY(const CpuLock lock, CpuLock::acquire(CpuLock::Mode::Shared, stop));
    const double begin = steadySeconds();
    const auto data = store.get(problem, spec);
    if (!data) {
        if (!mustRun(spec))
            return true;
        return Error{Message("verify.no_reference").with("problem", problem.name).with("why", debugText(data.error().message)),
            data.error().detail};
    }
    KW_TRY(CaseResult result, runner.run(spec, **data, stop));
    StageResult& stage = stageOf(verdict, spec.stage);
    stage.run = true;
    stage.seconds += steadySeconds() - begin;
    if (!result.passed) {
        fail(verdict, spec.stage, std::move(result));
        return false;
    }
    stage.cases.push_back(std::move(result));
    return true;
}

Result<Verdict> Verifier::verify(const Problem& problem, const Candidate& candidate, const CandidateHeader& header,
    const Artifact& artifact, const VerifyOptions& options, const ProgressCallback& progress, std::stop_token stop)
{
    Verdict verdict = emptyVerdict(problem, candidate);
    verdict.artifact = artifact.sha256;
    verdict.unsafe = m_state->options.unsafe && !m_state->launcher.report().minimum();
    verdict.seed = options.seed ? options.seed : secretSeed();
    stageOf(verdict, Stage::Build) = StageResult{Stage::Build, true, true, {}, artifact.seconds};
    if (!coversAUsedShape(problem, header)) {
        CaseResult result;
        result.name = Message("case.domain");
        failCase(result, FailureKind::OutOfDomain, Message("verify.out_of_domain"));
        fail(verdict, Stage::Smoke, std::move(result));
        return verdict;
    }
    const CaseSeeds seeds{derivedSeed(1, problem.id), verdict.seed};
    const std::vector<CaseSpec> cases = planCases(problem, header, seeds, options.acceptance);
    CaseRunner::Settings settings;
    settings.process.threads = m_state->options.threads;
    settings.process.cpus = m_state->options.cpus;
    settings.process.environment = {"OMP_WAIT_POLICY=passive"};
    settings.process.memoryBytes = m_state->options.memoryBytes;
    settings.process.unsafe = m_state->options.unsafe;
    settings.seed = derivedSeed(verdict.seed, "runner");
    CaseRunner runner(m_state->launcher, m_state->store, problem, header, artifact, std::move(settings));
    KW_TRY(bool passed, m_state->runCaptured(problem, header, runner, verdict, stop));
    for (std::size_t index = 0; passed && index < cases.size(); ++index) {
        if (progress)
            progress(JudgeProgress{cases[index].name, static_cast<double>(index), static_cast<double>(cases.size())});
        KW_TRY(passed, m_state->runOne(problem, cases[index], runner, verdict, stop));
    }
    for (StageResult& stage : verdict.stages)
        if (stage.stage != Stage::Timing && !(stage.stage == verdict.failedStage && !passed))
            stage.passed = stage.run;
    verdict.passed = passed;
    return verdict;
}

} // namespace kw
