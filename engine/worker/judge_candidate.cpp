// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/calibrate.h"
#include "base/cpu_lock.h"
#include "worker/host_tensors.h"
#include "worker/judge_state.h"
#include "worker/measure/machine.h"
#include "worker/request_arguments.h"

namespace kw {

Result<ServedReply> JudgeService::State::define(const Json& arguments)
{
    KW_TRY(Problem problem, argumentsAs<Problem>(arguments));
    KW_CHECK(validate(problem.reference));
    const std::string id = problem.id;
    if (candidates)
        candidates->forget(id);
    if (verifier)
        verifier->forget(id);
    if (measurer)
        measurer->forget(id);
    problems.insert_or_assign(id, DefinedProblem{std::move(problem), false});
    return ServedReply{};
}

Result<ServedReply> JudgeService::State::build(const Json& arguments, const std::stop_token& stop)
{
    KW_CHECK(requireTools());
    KW_TRY(const auto candidate, argumentOf<Candidate>(arguments, "candidate"));
    KW_TRY(const DefinedProblem* defined, problemOf(candidate.problem));
    KW_TRY(const auto built, candidates->built(candidate, defined->problem, stop));
    return ServedReply{dump(Json(buildReport(built->outcome))), {}};
}

/// The inputs of the problem's first real call, taken from a run of the model, as one more case for the verifier.
Result<void> JudgeService::State::ensureCapturedInputs(DefinedProblem& defined, const std::stop_token& stop)
{
    const Problem& problem = defined.problem;
    if (defined.inputsCaptured || !model || problem.sites.empty() || problem.sites.front().inputs.size() != problem.inputs.size())
        return {};
    defined.inputsCaptured = true;
    const auto count = static_cast<ValueId>(captured->graph.values.size());
    for (std::size_t index = 0; index < problem.inputs.size(); ++index) {
        // A problem that was made for another model names values that are not what it thinks: it has no real call here.
        const ValueId id = problem.sites.front().inputs[index];
        if (id < 0 || id >= count || !captured->graph.values[static_cast<std::size_t>(id)].type
            || captured->graph.values[static_cast<std::size_t>(id)].type->dtype != problem.inputs[index].dtype
            || captured->graph.values[static_cast<std::size_t>(id)].type->shape
                != concreteShape(problem.inputs[index].shape, capturedDimensions(problem)))
            return {};
    }
    const auto tensors = captureValues(*model, problem.sites.front().inputs, stop);
    if (!tensors)
        return tensors.error().message.id == "execute.stopped" ? error("judge.stopped") : tensors.error();
    std::vector<HostTensor> inputs;
    for (const auto& tensor : *tensors)
        inputs.push_back(exactCopy(tensor));
    verifier->setCapturedInputs(problem.id, std::move(inputs));
    return {};
}

Result<ServedReply> JudgeService::State::verify(const Json& arguments, const ProgressCallback& progress, const std::stop_token& stop)
{
    KW_CHECK(requireTools());
    KW_TRY(const auto candidate, argumentOf<Candidate>(arguments, "candidate"));
    KW_TRY(const auto verifyOptions, argumentOf<VerifyOptions>(arguments, "options"));
    KW_TRY(DefinedProblem* const defined, problemOf(candidate.problem));
    KW_TRY(const auto built, candidates->built(candidate, defined->problem, stop));
    if (!built->outcome.ok()) {
        const BuildFailure& failure = *built->outcome.failure;
        if (failure.harness)
            return Error{failure.reasons.empty() ? Message("worker.build_failed") : failure.reasons.front(), {}};
        return ServedReply{dump(Json(Verifier::unbuilt(defined->problem, candidate, failure, 0))), {}};
    }
    KW_CHECK(ensureCapturedInputs(*defined, stop));
    KW_TRY(const Verdict verdict, verifier->verify(defined->problem, candidate, built->header, built->outcome.artifact, verifyOptions,
        progress, stop));
    return ServedReply{dump(Json(verdict)), {}};
}

Result<void> JudgeService::State::ensureCalibration(const std::stop_token& stop)
{
    if (kernelCalibration)
        return {};
    const CpuLock::Mode alone = CpuLock::Mode::Alone;
    KW_TRY(const CpuLock lock, CpuLock::acquire(alone, stop));
    auto cpus = usableCpus();
    if (cpus.size() > 1)
        cpus.erase(cpus.begin());
    KW_TRY(kernelCalibration, calibrate(cpus, lastLevelCacheBytes(), stop));
    measurer->setCalibration(*kernelCalibration);
    return {};
}

Result<MeasureSide> JudgeService::State::side(const Subject& subject, const Json& sources, const Problem& problem,
    std::shared_ptr<const BuiltCandidate>& keep, const std::stop_token& stop)
{
    if (subject.kind == Subject::Kind::Library)
        return MeasureSide{};
    keep = candidates->find(subject.candidate);
    for (const Json& entry : sources) {
        if (keep)
            break;
        KW_TRY(const auto candidate, argumentsAs<Candidate>(entry));
        if (candidate.id == subject.candidate) {
            KW_TRY(keep, candidates->built(candidate, problem, stop));
        }
    }
    if (!keep || !keep->outcome.ok() || keep->candidate.problem != problem.id)
        return Error{Message("worker.unknown_candidate").with("candidate", subject.candidate), {}};
    return MeasureSide{&keep->candidate, &keep->header, &keep->outcome.artifact};
}

Result<ServedReply> JudgeService::State::measure(const Json& arguments, const std::stop_token& stop)
{
    KW_CHECK(requireTools());
    KW_TRY(const auto request, argumentOf<MeasureRequest>(arguments, "request"));
    const auto sources = arguments.find("candidates");
    if (sources == arguments.end() || !sources->is_array())
        return malformedRequest("the candidates are missing");
    KW_TRY(const DefinedProblem* defined, problemOf(request.problem));
    KW_CHECK(ensureCalibration(stop));
    std::shared_ptr<const BuiltCandidate> keepA, keepB;
    KW_TRY(const MeasureSide a, side(request.a, *sources, defined->problem, keepA, stop));
    KW_TRY(const MeasureSide b, side(request.b, *sources, defined->problem, keepB, stop));
    KW_TRY(const MeasureOutcome outcome, measurer->measure(defined->problem, a, b, request, stop));
    if (outcome.failure)
        return toError(*outcome.failure);
    return ServedReply{dump(Json(outcome.pairs)), {}};
}

} // namespace kw
