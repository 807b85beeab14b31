// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/apply/applier.h"
#include "worker/judge_state.h"
#include "worker/profile_model.h"
#include "worker/request_arguments.h"

#include <filesystem>

namespace kw {
namespace {

void tell(const ProgressCallback& progress, const char* id, double done)
{
    if (progress)
        progress(JudgeProgress{Message(id), done, 1});
}

/// A request that was stopped says so in the host's words, whichever part noticed it.
Error stoppedOr(const Error& failed)
{
    return failed.message.id == "execute.stopped" ? error("judge.stopped") : failed;
}

} // namespace

Result<ServedReply> JudgeService::State::load(const Json& arguments, const ProgressCallback& progress, const std::stop_token& stop)
{
    KW_TRY(const std::string path, argumentOf<std::string>(arguments, "path"));
    KW_TRY(const bool brief, argumentOf<bool>(arguments, "brief"));
    model.reset();
    captured.reset();
    outputs.reset();
    problems.clear();
    tell(progress, "worker.loading", 0);
    KW_TRY(Model loaded, loadModel(path));
    if (stop.stop_requested())
        return error("judge.stopped");
    tell(progress, "worker.running_once", 0.5);
    auto seen = capture(loaded, stop);
    if (!seen)
        return stoppedOr(seen.error());
    LoadedModel reply;
    reply.sha256 = loaded.sha256;
    reply.name = std::filesystem::path(path).filename().string();
    reply.loadSeconds = loaded.loadSeconds;
    if (!brief) {
        reply.graph = seen->graph;
        reply.statistics = seen->statistics;
    }
    model = std::move(loaded);
    captured = *std::move(seen);
    tell(progress, "worker.running_once", 1);
    return ServedReply{dump(Json(reply)), {}};
}

Result<ServedReply> JudgeService::State::profile(const Json& arguments, const ProgressCallback& progress, const std::stop_token& stop)
{
    KW_CHECK(requireModel());
    KW_TRY(const auto profileOptions, argumentsAs<ProfileOptions>(arguments));
    KW_TRY(const Profile measured, profileModel(*model, captured->graph, profileOptions, progress, stop));
    return ServedReply{dump(Json(measured)), {}};
}

Result<ServedReply> JudgeService::State::apply(const Json& arguments, const ProgressCallback& progress, const std::stop_token& stop)
{
    KW_CHECK(requireModel());
    KW_CHECK(requireTools());
    KW_TRY(const auto request, argumentsAs<ApplyRequest>(arguments));
    tell(progress, "worker.building_library", 0);
    std::vector<ExportedOperator> operators;
    for (const auto& kernel : request.kernels) {
        KW_TRY(const DefinedProblem* defined, problemOf(kernel.problem));
        KW_TRY(ExportedOperator exported, exportedOperator(defined->problem, kernel.candidate));
        operators.push_back(std::move(exported));
    }
    KW_TRY(const OperatorLibrary library, buildOperatorLibrary(*launcher, std::move(operators), request.folder, stop));
    tell(progress, "worker.rewriting_model", 0.7);
    AppliedFiles files;
    files.library = library.path;
    files.model = request.folder / model->path.filename();
    const AppliedModelSource source{model->path, &captured->graph};
    files.operatorNamespace = library.operatorNamespace;
    for (const ExportedOperator& exported : library.operators)
        files.operators.push_back({exported.name, exported.candidate.id, exported.problem.id});
    KW_TRY(files.sites, writeRewrittenModel(source, library, request.kernels, files.model));
    if (files.sites == 0)
        return error("apply.nothing_replaced");
    tell(progress, "worker.rewriting_model", 1);
    return ServedReply{dump(Json(files)), {}};
}

Result<ServedReply> JudgeService::State::compare(const Json& arguments, const std::stop_token& stop)
{
    KW_CHECK(requireModel());
    KW_TRY(const auto files, argumentsAs<AppliedFiles>(arguments));
    if (!outputs) {
        auto computed = modelOutputs(*model, stop);
        if (!computed)
            return stoppedOr(computed.error());
        outputs = *std::move(computed);
    }
    KW_TRY(const auto comparisons, compareModel(*outputs, files, threads, stop));
    return ServedReply{dump(Json(comparisons)), {}};
}

Result<ServedReply> JudgeService::State::measureModels(const Json& arguments, const std::stop_token& stop)
{
    KW_CHECK(requireModel());
    KW_TRY(const auto request, argumentsAs<ModelMeasureRequest>(arguments));
    if (measurer)
        measurer->release();
    KW_TRY(const auto pairs, measureModel(model->path, request, threads, stop));
    return ServedReply{dump(Json(pairs)), {}};
}

} // namespace kw
