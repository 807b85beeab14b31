// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "judge/protocol.h"
#include "worker/dump.h"
#include "worker/frame_server.h"
#include "worker/judge_service.h"
#include "worker/model_role.h"
#include "worker/process_setup.h"
#include "worker/profile_model.h"
#include "worker/reference_role.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr const char* usage =
    "usage: kernelwright-worker [--unsafe] [--build-cache DIR]        serve a host on standard input and output\n"
    "       kernelwright-worker --role reference --threads N          serve a problem's reference (started by the worker)\n"
    "       kernelwright-worker --role model --model FILE --threads N --memory kept|default [--library FILE]\n"
    "       kernelwright-worker --role profile --model FILE --threads N --seconds S\n"
    "       kernelwright-worker --dump-graph FILE                     print a model's typed graph as JSON\n"
    "       kernelwright-worker --dump-outputs FOLDER --model FILE --threads N   run once and write the outputs\n"
    "       kernelwright-worker --version\n";

struct CommandLine {
    std::string role = "judge", model, library, memory = "kept", buildCache, graphOf, outputFolder;
    int threads = 1;
    double seconds = 3;
    bool unsafe = false, version = false;
};

/// Nothing when an argument is unknown or incomplete.
std::optional<CommandLine> parse(const std::vector<std::string>& words)
{
    CommandLine line;
    for (std::size_t index = 0; index < words.size(); ++index) {
        const std::string& word = words[index];
        if (word == "--unsafe") {
            line.unsafe = true;
            continue;
        }
        if (word == "--version") {
            line.version = true;
            continue;
        }
        if (++index == words.size())
            return std::nullopt;
        const std::string& value = words[index];
        if (word == "--role")
            line.role = value;
        else if (word == "--model")
            line.model = value;
        else if (word == "--library")
            line.library = value;
        else if (word == "--memory")
            line.memory = value;
        else if (word == "--build-cache")
            line.buildCache = value;
        else if (word == "--dump-graph")
            line.graphOf = value;
        else if (word == "--dump-outputs")
            line.outputFolder = value;
        else if (word == "--threads")
            line.threads = std::atoi(value.c_str());
        else if (word == "--seconds")
            line.seconds = std::atof(value.c_str());
        else
            return std::nullopt;
    }
    return line;
}

int serveJudge(const CommandLine& line)
{
    auto pipes = kw::takeStandardPipes();
    kw::JudgeServiceOptions options;
    options.unsafe = line.unsafe;
    options.buildCache = line.buildCache;
    // The broker is started in here, before a model is loaded; the worker's own sandbox closes behind it.
    kw::JudgeService service(std::move(options));
    return kw::serveFrames(kw::FrameChannel(std::move(pipes.input), std::move(pipes.output)),
        [&service](const std::string& method, const kw::Json& arguments, const kw::ProgressCallback& progress, std::stop_token stop) {
            return service.answer(method, arguments, progress, stop);
        });
}

int serveModel(const CommandLine& line)
{
    auto pipes = kw::takeStandardPipes();
    kw::ModelProcessSpec spec;
    spec.model = line.model;
    spec.library = line.library;
    spec.threads = line.threads;
    return kw::runModelRole(spec, std::move(pipes.input), std::move(pipes.output));
}

} // namespace

int main(int argc, char** argv)
{
    const auto line = parse(std::vector<std::string>(argv + 1, argv + argc));
    if (!line) {
        std::fputs(usage, stderr);
        return 2;
    }
    if (line->version) {
        std::printf("kernelwright-worker %s, protocol %d\n", kw::productVersion().c_str(), kw::protocolVersion);
        return 0;
    }
    kw::hardenProcess();
    kw::boundMemory();
    const bool defaults = line->role == "profile" || (line->role == "model" && line->memory == "default");
    if (!defaults && !kw::keepFreedMemory())
        std::fputs("worker: this allocator cannot be told to keep freed memory\n", stderr);
    if (!line->graphOf.empty())
        return kw::dumpGraph(line->graphOf);
    if (!line->outputFolder.empty())
        return kw::dumpOutputs(line->model, line->outputFolder, line->threads);
    if (line->role == "reference")
        return kw::runReferenceRole(line->threads);
    if (line->role == "model")
        return serveModel(*line);
    if (line->role == "profile") {
        const auto pipes = kw::takeStandardPipes();
        return kw::runProfileRole(line->model, line->threads, line->seconds, pipes.output.get());
    }
    if (line->role == "judge")
        return serveJudge(*line);
    std::fputs(usage, stderr);
    return 2;
}
