// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/apply/applier.h"

#include "base/file.h"
#include "build/cpp_backend.h"
#include "worker/apply/archive_copy.h"
#include "worker/apply/rewrite.h"
#include "worker/torch_folder.h"

#include <algorithm>
#include <fstream>

namespace kw {
namespace {

constexpr double buildSeconds = 180;

std::string shellQuoted(const std::string& text)
{
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + "'";
}

Result<std::vector<SandboxFile>> sourceFiles(const std::string& operatorNamespace, const std::vector<ExportedOperator>& operators)
{
    KW_TRY(std::string runtime, readFile(resourceFolder() / "export" / "operator_runtime.h"));
    std::vector<SandboxFile> files{{"operator_runtime.h", std::move(runtime)},
        {"operators.cpp", operatorsText(operatorNamespace, operators)}};
    for (const ExportedOperator& exported : operators) {
        files.push_back({exported.kernelFile, exported.candidate.source});
        files.push_back({exported.launchFile, exported.launchText});
    }
    return files;
}

/// All compiling in one sandbox: kernels with the flags that they were judged with, then the operators against LibTorch's headers.
/// Of a kernel's object nothing but its entry is visible to the others: two kernels may have the same name, and helpers that were
/// compiled with other flags are not each other's. The same script goes into the export as build.sh.
std::string buildScript(const std::vector<ExportedOperator>& operators)
{
    std::string script = "#!/bin/sh\n# SPDX-License-Identifier: MIT-0\n"
                         "# Usage: build.sh TORCH_FOLDER HEADERS_FOLDER; builds libkernelwright_ops.so from the sources beside it.\nset -e\n";
    std::string objects;
    for (const ExportedOperator& exported : operators) {
        script += "g++";
        for (const std::string& flag : exportFlags())
            script += " " + flag;
        script += " " + exported.candidate.flags + " -fno-gnu-unique -I \"$2\" -c " + shellQuoted(exported.launchFile) + " -o kernel.o\n";
        script += "ld -r --force-group-allocation kernel.o -o " + shellQuoted(exported.name + ".o") + "\n"
            + "objcopy --keep-global-symbol=" + exported.entry + " " + shellQuoted(exported.name + ".o") + "\n";
        objects += " " + shellQuoted(exported.name + ".o");
    }
    script += "g++ -O2 -std=c++20 -fPIC -fvisibility=hidden -DTORCH_TARGET_VERSION=0x020a000000000000 -DTORCH_STABLE_ONLY"
              " -isystem \"$1/include\" -isystem \"$1/include/torch/csrc/api/include\" -c operators.cpp -o operators.o\n"
              "g++ -shared -fopenmp operators.o" + objects + " -o libkernelwright_ops.so -L \"$1/lib\" -ltorch_cpu\n";
    return script;
}

Result<void> writeSources(const std::filesystem::path& folder, const std::vector<SandboxFile>& files)
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    for (const SandboxFile& file : files)
        KW_CHECK(writeFileAtomically(folder / file.name, file.bytes));
    return {};
}

Replacement replacementFor(const Graph& graph, const CallSite& site, const ExportedOperator& exported, const std::string& target)
{
    const auto name = [&](ValueId id) { return graph.values.at(static_cast<std::size_t>(id)).name; };
    Replacement replacement;
    replacement.target = target;
    for (std::size_t i = 0; i < site.inputs.size(); ++i)
        replacement.arguments.emplace_back(exported.problem.inputs.at(i).name, name(site.inputs[i]));
    for (const ValueId output : site.outputs)
        replacement.outputs.push_back(name(output));
    for (const std::int32_t node : site.nodes)
        for (const ValueId value : writtenValues(graph.nodes.at(static_cast<std::size_t>(node))))
            replacement.absorbed.push_back(name(value));
    return replacement;
}

bool wanted(const AppliedKernel& kernel, std::size_t site)
{
    return kernel.sites.empty()
        || std::find(kernel.sites.begin(), kernel.sites.end(), static_cast<std::int32_t>(site)) != kernel.sites.end();
}

} // namespace

std::vector<std::string> exportFlags()
{
    std::vector<std::string> flags = kernelFlags();
    flags.push_back("-fPIC");
    return flags;
}

Result<OperatorLibrary> buildOperatorLibrary(const Launcher& launcher, std::vector<ExportedOperator> operators,
    const std::filesystem::path& folder, std::stop_token stop)
{
    OperatorLibrary library;
    library.operatorNamespace = operatorNamespace(operators);
    KW_TRY(std::vector<SandboxFile> files, sourceFiles(library.operatorNamespace, operators));
    files.push_back({"build.sh", buildScript(operators)});
    KW_CHECK(writeSources(folder / "sources", files));

    const std::string torch = torchFolder().string(), headers = (resourceFolder() / "kernel").string();
    SandboxPolicy policy;
    policy.binds = {{torch + "/include", torch + "/include"}, {torch + "/lib", torch + "/lib"}, {headers, headers}};
    policy.files = std::move(files);
    policy.collect = {"libkernelwright_ops.so"};
    policy.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"};
    policy.limits.cpuSeconds = static_cast<std::uint64_t>(buildSeconds);
    KW_TRY(const ToolRun run, runTool(launcher, policy, {"/bin/sh", "build.sh", torch, headers}, buildSeconds, stop));
    if (!run.cause.success() || run.collected.empty() || run.collected.front().empty())
        return Error{Message("apply.build_failed").with("output", run.errors.substr(0, 2000)), run.errors};
    library.path = folder / "libkernelwright_ops.so";
    KW_CHECK(writeFileAtomically(library.path, run.collected.front()));
    library.operators = std::move(operators);
    return library;
}

Result<std::int64_t> writeRewrittenModel(const AppliedModelSource& model, const OperatorLibrary& library,
    const std::vector<AppliedKernel>& kernels, const std::filesystem::path& target)
{
    std::vector<Replacement> replacements;
    for (const AppliedKernel& kernel : kernels) {
        const auto exported = std::find_if(library.operators.begin(), library.operators.end(),
            [&](const ExportedOperator& candidate) { return candidate.candidate.id == kernel.candidate.id; });
        if (exported == library.operators.end())
            return Error{Message("apply.unexpected_model").with("what", "a kernel is missing in the operator library"), {}};
        for (std::size_t i = 0; i < exported->problem.sites.size(); ++i)
            if (wanted(kernel, i))
                replacements.push_back(replacementFor(*model.graph, exported->problem.sites[i], *exported,
                    operatorTarget(library.operatorNamespace, *exported)));
    }
    KW_TRY(ModelRecord record, readModelRecord(model.file));
    KW_TRY(const RewrittenModel rewritten, rewriteModelJson(record.text, replacements));
    record.text = rewritten.json;
    KW_CHECK(copyArchive(model.file, target, record));
    return static_cast<std::int64_t>(std::count(rewritten.applied.begin(), rewritten.applied.end(), true));
}

} // namespace kw
