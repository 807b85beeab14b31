// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/export.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/machine.h"
#include "session/cpu_flags.h"

#include <nlohmann/json.hpp>

#include <array>

namespace kw {
namespace {

namespace fs = std::filesystem;

Error cannotWrite(const fs::path& path, const std::error_code& why)
{
    return Error{Message("export.cannot_write").with("path", path.string()).with("why", why.message()), {}};
}

Result<void> copyFile(const fs::path& from, const fs::path& to)
{
    std::error_code failed;
    fs::copy(from, to, fs::copy_options::recursive, failed);
    if (failed)
        return cannotWrite(to, failed);
    return {};
}

Json tensorJson(const TensorType& type)
{
    return Json{{"dtype", std::string(dtypeName(type.dtype))}, {"shape", type.shape}, {"strides", type.strides}};
}

/// The model's own tensor inputs, in order, with the types that the kernels were verified for.
Json inputsJson(const Graph& graph)
{
    Json inputs = Json::array();
    for (const GraphInput& input : graph.inputs) {
        const Value& value = graph.values.at(static_cast<std::size_t>(input.value));
        if (input.kind == InputKind::User && value.type)
            inputs.push_back(tensorJson(*value.type));
    }
    return inputs;
}

Json operatorsJson(const std::vector<ExportedKernel>& kernels, const std::vector<AppliedOperator>& operators)
{
    Json list = Json::array();
    for (const AppliedOperator& applied : operators) {
        for (const ExportedKernel& kernel : kernels) {
            if (kernel.experiment.candidate.id != applied.candidate || kernel.problem.id != applied.problem)
                continue;
            Json outputs = Json::array();
            for (const TensorArgument& output : kernel.problem.outputs)
                outputs.push_back(tensorJson({output.dtype, concreteShape(output.shape, kernel.problem.shapes.front().dimensions), output.strides}));
            list.push_back({{"name", applied.name}, {"candidate", applied.candidate}, {"problem", applied.problem}, {"outputs", outputs}});
        }
    }
    return list;
}

Result<std::string> manifest(const ExportInput& input)
{
    KW_TRY(const std::string library, readFile(input.files.library));
    Json json{
        {"format", 1},
        {"machine", machineArchitecture()},
        {"cpu_flags", vectorCpuFlags()},
        {"torch_minimum", std::array{2, 10}},
        {"namespace", input.files.operatorNamespace},
        {"library", "libkernelwright_ops.so"},
        {"library_hash", sha256(library)},
        {"model", "model.pt2"},
        {"original", "original.pt2"},
        {"original_sha256", input.modelSha256},
        {"inputs", inputsJson(input.graph)},
        {"operators", operatorsJson(input.kernels, input.files.operators)},
    };
    return json.dump(2) + "\n";
}

std::string evidence(const ExportInput& input)
{
    Json kernels = Json::array();
    for (const ExportedKernel& kernel : input.kernels)
        kernels.push_back({{"problem", kernel.problem}, {"experiment", kernel.experiment}});
    Json outputs = Json::array();
    for (const OutputComparison& output : input.outputs)
        outputs.push_back({{"name", output.name}, {"max_error", output.maxError}, {"allowed_error", output.allowedError},
            {"cosine", output.cosine}, {"top1", output.top1}, {"passed", output.passed}});
    const Json json{{"format", 1}, {"model_sha256", input.modelSha256}, {"summary", input.summary}, {"outputs", outputs},
        {"environment", input.environment}, {"unsafe", input.unsafe},
        {"status", input.foreign ? "recorded, not reproduced" : "measured on this machine"}, {"kernels", kernels}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<void> fill(const ExportInput& input, const fs::path& folder)
{
    const fs::path resources = resourceFolder();
    KW_CHECK(copyFile(input.files.library, folder / "libkernelwright_ops.so"));
    KW_CHECK(copyFile(input.files.model, folder / "model.pt2"));
    KW_CHECK(copyFile(input.model, folder / "original.pt2"));
    KW_CHECK(copyFile(input.files.library.parent_path() / "sources", folder / "sources"));
    KW_CHECK(copyFile(resources / "kernel", folder / "include"));
    for (const char* name : {"load.py", "example.py", "LICENSE", "README.md"})
        KW_CHECK(copyFile(resources / "export" / name, folder / name));
    KW_TRY(const std::string manifestText, manifest(input));
    KW_CHECK(writeFileAtomically(folder / "manifest.json", manifestText));
    KW_CHECK(writeFileAtomically(folder / "evidence.json", evidence(input)));
    KW_CHECK(writeFileAtomically(folder / "report.md", input.reportMarkdown));
    KW_CHECK(writeFileAtomically(folder / "report.html", input.reportHtml));
    return {};
}

} // namespace

Result<ExportSummary> writeExport(const ExportInput& input, const fs::path& folder)
{
    if (input.kernels.empty())
        return error("export.no_kernels");
    std::error_code failed;
    const fs::path target = fs::absolute(folder, failed).lexically_normal();
    if (fs::exists(target, failed) && !(fs::is_directory(target, failed) && fs::is_empty(target, failed)))
        return Error{Message("export.folder_not_empty").with("folder", folder.string()), {}};
    const fs::path partial = (target.has_filename() ? target : target.parent_path()).string() + ".part-" + processIdText();
    fs::remove_all(partial, failed);
    if (!fs::create_directories(partial, failed))
        return cannotWrite(partial, failed);
    auto filled = fill(input, partial);
    if (!filled) {
        fs::remove_all(partial, failed);
        return filled.error();
    }
    fs::remove(target, failed);
    fs::rename(partial, target, failed);
    if (failed) {
        const std::error_code why = failed;
        fs::remove_all(partial, failed);
        return cannotWrite(target, why);
    }
    return ExportSummary{target, static_cast<std::int64_t>(input.kernels.size()), input.files.sites};
}

} // namespace kw
