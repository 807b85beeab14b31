// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "judge/judge.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace kw {

struct WorkerOptions {
    std::filesystem::path worker;            ///< kernelwright-worker; empty: beside the running executable
    std::vector<std::string> arguments;      ///< in addition
    bool unsafe = false;                     ///< run candidates although the sandbox' minimum is missing; stamped on every record
    double startSeconds = 30;                ///< greeting must arrive within
    double cancelSeconds = 0.5;              ///< after a stop: how long the worker may take before it is killed
};

/// The judge behind a worker process on this machine. Starts it on the first call, starts a fresh one after its death and
/// tells that one again which model and problems it has to know. One request at a time, from one thread at a time.
/// Errors besides those of the worker: "judge.stopped", "judge.no_worker" (path, why), "judge.worker_died" (how),
/// "judge.timed_out" (seconds), "protocol.*".
class WorkerJudge final : public Judge {
public:
    explicit WorkerJudge(WorkerOptions options = {});
    ~WorkerJudge() override;

    Result<WorkerInfo> info() override;
    Result<LoadedModel> load(const std::filesystem::path& model, std::stop_token stop, const ProgressCallback& progress) override;
    Result<Profile> profile(const ProfileOptions& options, std::stop_token stop, const ProgressCallback& progress) override;
    Result<void> define(const Problem& problem) override;
    Result<BuildReport> build(const Candidate& candidate, std::stop_token stop) override;
    Result<Verdict> verify(const Candidate& candidate, const VerifyOptions& options, std::stop_token stop, const ProgressCallback& progress) override;
    Result<std::vector<PairBlock>> measure(const MeasureRequest& request, std::stop_token stop) override;
    Result<Environment> environment() override;
    Result<AppliedFiles> apply(const ApplyRequest& request, std::stop_token stop, const ProgressCallback& progress) override;
    Result<std::vector<OutputComparison>> compareModel(const AppliedFiles& files, std::stop_token stop) override;
    Result<std::vector<PairBlock>> measureModel(const ModelMeasureRequest& request, std::stop_token stop) override;

    /// The running worker's process id, or -1; for tests and for the log. From any thread.
    int workerProcess() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace kw
