// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"

#include "base/file.h"
#include "base/json_io.h"
#include "judge/worker_judge.h"
#include "present/catalogue.h"
#include "present/numbers.h"
#include "present/visible.h"

#include <cstdio>

namespace kw::cli {
namespace {

/// One thing that was looked at: fine or not, and in words.
struct Finding {
    bool fine = true;
    std::string text;
};

std::vector<Finding> examine(const Options& options, WorkerJudge& judge)
{
    std::vector<Finding> findings;
    const auto info = judge.info();
    if (!info) {
        findings.push_back({false, render(info.error(), options.language)});
        return findings;
    }
    findings.push_back({true, say(options, Message("cli.doctor.worker").with("version", info->version).with("torch", info->torch)
                                          .with("cpu", info->cpu).with("cores", info->cores).with("threads", info->kernelThreads))});
    findings.push_back({!info->compiler.empty(), info->compiler.empty() ? say(options, "cli.doctor.no_compiler")
                                                                        : say(options, Message("cli.doctor.compiler").with("compiler", info->compiler))});
    for (const SandboxLayer& layer : info->sandbox)
        findings.push_back({layer.active, say(options, Message(layer.active ? "cli.doctor.layer" : "cli.doctor.no_layer").with("layer", layer.name)
                                                           .with("why", layer.reason))});
    findings.push_back({info->sandboxSufficient, say(options, info->sandboxSufficient ? "cli.doctor.sandbox" : "cli.doctor.no_sandbox")});
    std::error_code failed;
    const auto space = std::filesystem::space(std::filesystem::temp_directory_path(), failed);
    constexpr double least = 2e9;
    findings.push_back({!failed && static_cast<double>(space.available) > least,
        say(options, Message("cli.doctor.disk").with("bytes", static_cast<double>(space.available)))});
    const bool resources = std::filesystem::exists(resourceFolder() / "kernel" / "kw", failed);
    findings.push_back({resources, say(options, Message(resources ? "cli.doctor.resources" : "cli.doctor.no_resources")
                                                    .with("folder", resourceFolder().string()))});
    return findings;
}

} // namespace

int doctor(const Options& options)
{
    WorkerOptions worker;
    worker.unsafe = options.unsafe;
    WorkerJudge judge(worker);
    bool fine = true;
    Json list = Json::array();
    for (const Finding& finding : examine(options, judge)) {
        fine = fine && finding.fine;
        list.push_back({{"fine", finding.fine}, {"text", finding.text}});
        if (!options.json)
            std::printf("%s %s\n", finding.fine ? "+" : "-", finding.text.c_str());
    }
    if (options.json)
        std::printf("%s\n", dump(list, 1).c_str());
    return fine ? Success : Failure;
}

} // namespace kw::cli
