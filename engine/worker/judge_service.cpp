// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/judge_service.h"

#include "base/file.h"
#include "judge/protocol.h"
#include "worker/judge_state.h"
#include "worker/machine_info.h"
#include "worker/measure/machine.h"
#include "worker/node_times.h"
#include "worker/request_arguments.h"

namespace kw {

void JudgeService::State::startTools()
{
    auto started = Launcher::start();
    if (!started) {
        sandboxError = started.error();
        return;
    }
    launcher = *std::move(started);
    CppBackendOptions backendOptions;
    backendOptions.cacheFolder = options.buildCache;
    backendOptions.unsafe = options.unsafe;
    auto created = CppBackend::create(*launcher, backendOptions);
    if (!created) {
        backendError = created.error();
        return;
    }
    backend = *std::move(created);
    candidates = std::make_unique<CandidateStore>(*backend);
    reference = makeTorchReference();
    VerifierOptions verifierOptions;
    verifierOptions.unsafe = options.unsafe;
    verifier = std::make_unique<Verifier>(*launcher, *reference, verifierOptions);
    auto measurerOptions = MeasurerOptions::forThisMachine();
    measurerOptions.unsafe = options.unsafe;
    measurerOptions.reference.worker = executableFolder() / "kernelwright-worker";
    kernelThreads = measurerOptions.reference.threads;
    measurer = std::make_unique<Measurer>(*launcher, *reference, measurerOptions);
}

Result<void> JudgeService::State::requireTools() const
{
    if (sandboxError)
        return *sandboxError;
    if (backendError)
        return *backendError;
    if (!launcher->report().minimum() && !options.unsafe)
        return error("worker.sandbox_below_minimum");
    return {};
}

Result<void> JudgeService::State::requireModel() const
{
    return model ? Result<void>() : error("judge.no_model");
}

Result<DefinedProblem*> JudgeService::State::problemOf(const std::string& id)
{
    const auto found = problems.find(id);
    if (found == problems.end())
        return Error{Message("judge.unknown_problem").with("problem", id), {}};
    return &found->second;
}

Environment JudgeService::State::environment() const
{
    Environment seen = machineEnvironment();
    seen.compiler = backend ? backend->toolchain() : std::string();
    seen.threads = kernelThreads;
    seen.allocation = "preallocated";
    seen.unsafe = options.unsafe && launcher && !launcher->report().minimum();
    return seen;
}

JudgeService::JudgeService(JudgeServiceOptions options) : m_state(std::make_unique<State>(std::move(options)))
{
    m_state->startTools();
    m_state->threads = static_cast<int>(usableCpus().size());
    setLibraryThreads(m_state->threads);
}

JudgeService::~JudgeService() = default;

namespace {

WorkerInfo describeWorker(const Environment& environment, const std::optional<Launcher>& launcher, int kernelThreads)
{
    WorkerInfo info;
    info.version = productVersion();
    info.protocol = protocolVersion;
    info.torch = environment.torch;
    info.compiler = environment.compiler;
    info.cpu = environment.cpu;
    info.cores = environment.cores;
    info.kernelThreads = kernelThreads;
    if (launcher) {
        info.sandbox = launcher->report().layers;
        info.sandboxSufficient = launcher->report().minimum();
    }
    return info;
}

} // namespace

Result<ServedReply> JudgeService::answer(const std::string& method, const Json& arguments, const ProgressCallback& progress,
    std::stop_token stop)
{
    State& state = *m_state;
    if (method == "info")
        return ServedReply{dump(Json(describeWorker(state.environment(), state.launcher, state.kernelThreads))), {}};
    if (method == "environment")
        return ServedReply{dump(Json(state.environment())), {}};
    if (method == "load")
        return state.load(arguments, progress, stop);
    if (method == "profile")
        return state.profile(arguments, progress, stop);
    if (method == "define")
        return state.define(arguments);
    if (method == "build")
        return state.build(arguments, stop);
    if (method == "verify")
        return state.verify(arguments, progress, stop);
    if (method == "measure")
        return state.measure(arguments, stop);
    if (method == "apply")
        return state.apply(arguments, progress, stop);
    if (method == "compare_model")
        return state.compare(arguments, stop);
    if (method == "measure_model")
        return state.measureModels(arguments, stop);
    return malformedRequest(std::string("there is no method ").append(method));
}

} // namespace kw
