// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sandbox/launcher.h"
#include "build/cpp_backend.h"
#include "worker/candidate_store.h"
#include "worker/capture.h"
#include "worker/judge_service.h"
#include "worker/measure/measurer.h"
#include "worker/model.h"
#include "worker/model_compare.h"
#include "worker/verify/verifier.h"

#include <map>
#include <optional>
#include <set>

namespace kw {

/// A problem as the host defined it.
struct DefinedProblem {
    Problem problem;
    bool inputsCaptured = false;         ///< the verifier has the inputs of a real call
};

/// Everything that the judge knows. One file per group of requests works on it.
struct JudgeService::State {
    explicit State(JudgeServiceOptions chosen) : options(std::move(chosen)) {}

    JudgeServiceOptions options;
    std::optional<Launcher> launcher;
    std::unique_ptr<CppBackend> backend;
    std::optional<Error> sandboxError, backendError;   ///< why there is none
    std::unique_ptr<Reference> reference;
    std::unique_ptr<CandidateStore> candidates;
    std::unique_ptr<Verifier> verifier;
    std::unique_ptr<Measurer> measurer;
    int threads = 1;                                   ///< whole models: every core
    int kernelThreads = 1;

    std::optional<Model> model;
    std::optional<Capture> captured;
    std::optional<ModelOutputs> outputs;               ///< of the model itself; computed when first needed
    std::optional<Calibration> kernelCalibration;      ///< with the threads that kernels are measured with
    std::map<std::string, DefinedProblem> problems;

    void startTools();
    Result<DefinedProblem*> problemOf(const std::string& id);
    Result<void> requireTools() const;
    Result<void> requireModel() const;
    Environment environment() const;

    // judge_model.cpp
    Result<ServedReply> load(const Json& arguments, const ProgressCallback& progress, const std::stop_token& stop);
    Result<ServedReply> profile(const Json& arguments, const ProgressCallback& progress, const std::stop_token& stop);
    Result<ServedReply> apply(const Json& arguments, const ProgressCallback& progress, const std::stop_token& stop);
    Result<ServedReply> compare(const Json& arguments, const std::stop_token& stop);
    Result<ServedReply> measureModels(const Json& arguments, const std::stop_token& stop);

    // judge_candidate.cpp
    Result<ServedReply> define(const Json& arguments);
    Result<ServedReply> build(const Json& arguments, const std::stop_token& stop);
    Result<ServedReply> verify(const Json& arguments, const ProgressCallback& progress, const std::stop_token& stop);
    Result<ServedReply> measure(const Json& arguments, const std::stop_token& stop);
    Result<void> ensureCapturedInputs(DefinedProblem& problem, const std::stop_token& stop);
    Result<void> ensureCalibration(const std::stop_token& stop);
    Result<MeasureSide> side(const Subject& subject, const Json& sources, const Problem& problem,
        std::shared_ptr<const BuiltCandidate>& keep, const std::stop_token& stop);
};

} // namespace kw
