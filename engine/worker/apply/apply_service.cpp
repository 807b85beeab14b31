// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/apply/apply_service.h"

#include "worker/apply/applier.h"
#include "worker/apply/compare_model.h"
#include "worker/model.h"

namespace kw {
Result<AppliedFiles> ApplyService::apply(const Model& model, const std::map<std::string, Problem>& problems, const ApplyRequest& request,
    std::stop_token stop, const ProgressCallback& progress) const
{
    std::vector<ExportedOperator> operators;
    for (const AppliedKernel& kernel : request.kernels) {
        const auto problem = problems.find(kernel.problem);
        if (problem == problems.end())
            return Error{Message("apply.unknown_problem").with("problem", kernel.problem), {}};
        KW_TRY(ExportedOperator exported, exportedOperator(problem->second, kernel.candidate));
        operators.push_back(std::move(exported));
    }
    progress({Message("apply.building").with("count", operators.size()), 0, 2});
    KW_TRY(const OperatorLibrary library, buildOperatorLibrary(m_launcher, std::move(operators), request.folder, stop));

    progress({Message("apply.rewriting"), 1, 2});
    AppliedFiles files;
    files.library = library.path;
    files.model = request.folder / "model.pt2";
    files.operatorNamespace = library.operatorNamespace;
    for (const ExportedOperator& exported : library.operators)
        files.operators.push_back({exported.name, exported.candidate.id, exported.problem.id});
    KW_TRY(files.sites, writeRewrittenModel({model.path, &model.imported.graph}, library, request.kernels, files.model));
    if (files.sites == 0)
        return error("apply.nothing_replaced");
    return files;
}

Result<std::vector<OutputComparison>> ApplyService::compare(Model& model, const AppliedFiles& files, int threads, std::stop_token stop) const
{
    KW_TRY(const std::vector<ModelOutput> changed, runModelOutputs(files.model, files.library, threads, files.model.parent_path(), stop));
    KW_TRY(const std::vector<ModelOutput> original, modelOutputs(*model.executor, model.inputs.values, stop));
    KW_TRY(Executor precise, Executor::prepare(model.imported.graph, model.weights, {.fp64 = true}));
    KW_TRY(const std::vector<ModelOutput> reference, modelOutputs(precise, model.inputs.values, stop));
    return compareModelOutputs(changed, original, reference, ErrorBudget{});
}

} // namespace kw
