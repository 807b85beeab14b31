// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "base/sandbox/policy.h"
#include "build/backend.h"
#include "problem/domain.h"
#include "problem/problem.h"
#include "problem/profile.h"
#include "record/experiment.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace kw {

/// Progress of a long request: what happens, and how much of it is done.
struct JudgeProgress {
    Message what;
    double done = 0, total = 0;          ///< total 0 = unknown
};
using ProgressCallback = std::function<void(const JudgeProgress&)>;

struct WorkerInfo {
    std::string version, torch, compiler, cpu;
    std::int32_t protocol = 0, cores = 0, kernelThreads = 0;
    std::vector<SandboxLayer> sandbox;
    bool sandboxSufficient = false;
};

/// A loaded model: graph with captured types, and what was seen in its values during one run on the sample inputs.
struct LoadedModel {
    Graph graph;
    std::vector<ValueStatistics> statistics; ///< one per graph value; empty entries for non-tensors
    std::string sha256;                      ///< of the model file
    std::string name;                        ///< file name without folder
    double loadSeconds = 0;
};

struct ProfileOptions {
    double seconds = 8;                      ///< wall time to spend at most, calibration not counted
    std::int32_t threads = 0;                ///< 0 = all cores
};

struct BuildReport {
    bool built = false;
    std::string artifact;                    ///< sha256 of the object
    std::vector<Diagnostic> diagnostics;
    Message reason;                          ///< why not built, or what the artifact check refused
    FailureKind failure = FailureKind::None;
    double seconds = 0;
    bool cached = false;
};

struct VerifyOptions {
    bool acceptance = true;                  ///< development cases only when false
    std::uint64_t seed = 0;                  ///< 0 = the judge draws a secret one
};

/// A few pairs of fresh processes, A and B interleaved in random order inside each.
struct MeasureRequest {
    std::string problem;
    Subject a, b;
    std::vector<std::int64_t> dimensions;    ///< empty = the most frequent shape
    CacheState cache = CacheState::Warm;
    std::int32_t pairs = 5;                  ///< fresh process pairs
    std::int32_t blocks = 8;                 ///< samples of each side per pair
    double batchSeconds = 0.004;             ///< aimed length of one batch
    bool keepProcesses = false;              ///< screening: long-lived pair, may only reject
    double wallLimit = 60;                   ///< seconds
};

/// One kernel that goes into the model.
struct AppliedKernel {
    std::string problem;
    Candidate candidate;
    std::vector<std::int32_t> sites;         ///< indices into Problem::sites; empty = all
};
struct ApplyRequest {
    std::vector<AppliedKernel> kernels;
    std::filesystem::path folder;            ///< where the operator library and the rewritten model go
};
/// A kernel as an operator of an applied model's library.
struct AppliedOperator {
    std::string name;                    ///< within AppliedFiles::operatorNamespace
    std::string candidate, problem;
    friend bool operator==(const AppliedOperator&, const AppliedOperator&) = default;
};
struct AppliedFiles {
    std::filesystem::path library, model;
    std::string operatorNamespace;
    std::vector<AppliedOperator> operators;
    std::int64_t sites = 0;              ///< that were really replaced
};
/// How one output of the rewritten model compares with the model's own.
struct OutputComparison {
    std::string name;
    double maxError = 0, allowedError = 0;   ///< against the fp64-accumulated reference budget of the whole model
    double cosine = 1;
    bool sameNonFinite = true, sameType = true, passed = false;
    double top1 = -1;                        ///< share of equal arg-max along the last dimension; -1 = not a token output
};
enum class ModelVariant : std::uint8_t {
    Original,        ///< the worker's executor on the user's model, kept memory (freed blocks stay in the process)
    OriginalDefault, ///< the same with the allocator's defaults: the difference to Original goes into page faults
    Applied,         ///< the rewritten model with the operator library, kept memory
    AppliedDefault,  ///< the same with the allocator's defaults
};
struct ModelMeasureRequest {
    ModelVariant a = ModelVariant::Original, b = ModelVariant::Applied;
    std::filesystem::path library, model;    ///< of the applied variants
    std::int32_t pairs = 5, blocks = 3;
    double wallLimit = 120;
};

/// The judge as the host sees it: builds, verifies and measures, and owns model, inputs and expected outputs.
/// One request at a time; calls block and are made from the host's thread. `stop` ends a request at once
/// (Error id "judge.stopped"). A dead or lying worker is an Error, never a crash; the next call starts a fresh one.
class Judge {
public:
    virtual ~Judge() = default;

    virtual Result<WorkerInfo> info() = 0;
    virtual Result<LoadedModel> load(const std::filesystem::path& model, std::stop_token stop, const ProgressCallback& progress) = 0;
    virtual Result<Profile> profile(const ProfileOptions& options, std::stop_token stop, const ProgressCallback& progress) = 0;
    /// Makes a problem known (or replaces it). Site inputs captured from the model feed the captured-call case.
    virtual Result<void> define(const Problem& problem) = 0;
    virtual Result<BuildReport> build(const Candidate& candidate, std::stop_token stop) = 0;
    /// Builds when needed, then runs the stages. A failed candidate is a Verdict, not an Error.
    virtual Result<Verdict> verify(const Candidate& candidate, const VerifyOptions& options, std::stop_token stop, const ProgressCallback& progress) = 0;
    virtual Result<std::vector<PairBlock>> measure(const MeasureRequest& request, std::stop_token stop) = 0;
    virtual Result<Environment> environment() = 0;
    virtual Result<AppliedFiles> apply(const ApplyRequest& request, std::stop_token stop, const ProgressCallback& progress) = 0;
    virtual Result<std::vector<OutputComparison>> compareModel(const AppliedFiles& files, std::stop_token stop) = 0;
    virtual Result<std::vector<PairBlock>> measureModel(const ModelMeasureRequest& request, std::stop_token stop) = 0;
};

} // namespace kw
