// SPDX-License-Identifier: GPL-3.0-or-later
#include "build/cpp_backend.h"

#include "base/defence.h"
#include "base/file.h"
#include "base/hash.h"
#include "build/artifact_cache.h"
#include "build/artifact_check.h"
#include "build/diagnostics.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace kw {
namespace {

// IEEE arithmetic stays whole: no reassociation, no assumptions about NaN, infinities or signed zeros, no flush to zero.
// errno and floating-point traps are not observable for a kernel, and giving them up lets comparisons vectorise.
constexpr std::string_view compileFlags = "-std=c++20 -O3 -march=native -fopenmp -fPIC -fvisibility=hidden -fno-math-errno "
    "-fno-trapping-math -fno-exceptions -fno-rtti -fno-stack-protector -fcf-protection=none -fno-jump-tables "
    "-fno-asynchronous-unwind-tables -fno-ident -Wall -Wno-unused -Wno-unknown-pragmas";
constexpr std::string_view linkFlags = "-shared -nostartfiles -Wl,--as-needed -Wl,-z,relro,-z,now,-z,noexecstack "
    "-Wl,--no-undefined -Wl,--build-id=none -lgomp -lm -lc -lgcc";
constexpr std::string_view checksVersion = "1"; ///< raise when a check changes: cached artifacts are built and checked again
constexpr std::size_t largestSource = std::size_t{1} << 20;
constexpr std::size_t diagnosticsLimit = std::size_t{4} << 20;

enum Step : int { Compiled = 0, CompileFailed = 10, AssembleFailed, DisassembleFailed, LinkFailed };
enum Collected : std::size_t { DiagnosticsFile, AssemblyFile, ObjectFile, DisassemblyFile, LibraryFile, collectedCount };

std::optional<std::string> findInPath(const std::string& program)
{
    if (program.find('/') != std::string::npos)
        return std::filesystem::exists(program) ? std::optional(program) : std::nullopt;
    // Only these folders are visible inside the sandbox.
    for (const char* folder : {"/usr/bin", "/usr/local/bin"}) {
        const auto path = std::filesystem::path(folder) / program;
        if (std::filesystem::exists(path))
            return path.string();
    }
    return std::nullopt;
}

/// Names and contents of every header that a candidate may include.
Result<std::string> hashHeaders(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    std::error_code failed;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, failed)) {
        if (entry.is_regular_file())
            files.push_back(entry.path());
    }
    if (failed)
        return Error{Message("build.no_headers").with("path", folder.string()), failed.message()};
    std::sort(files.begin(), files.end());
    std::vector<std::string> parts;
    for (const auto& file : files) {
        KW_TRY(std::string content, readFile(file, std::uintmax_t{16} << 20));
        parts.push_back(std::filesystem::relative(file, folder).string());
        parts.push_back(std::move(content));
    }
    return sha256(std::vector<std::string_view>(parts.begin(), parts.end()));
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

BuildOutcome failedBuild(BuildFailure failure)
{
    BuildOutcome outcome;
    outcome.failure = std::move(failure);
    return outcome;
}

BuildOutcome failedBuild(Message reason, bool harness = false)
{
    BuildFailure failure;
    failure.harness = harness;
    failure.reasons = {std::move(reason)};
    return failedBuild(std::move(failure));
}

bool counts(const Message& finding)
{
    const auto defence = defenceOfFinding(finding.id);
    return !defence || standing(*defence);
}

std::string unitText(const Candidate& candidate, const Problem& problem, const CandidateHeader& header)
{
    return "#include <cstdint>\n#line 1 \"candidate.cpp\"\n" + candidate.source + "\n#line 1 \"entry.cpp\"\n" + trampolineText(problem, header);
}

} // namespace

/// Fixed at creation but for the cache, which locks itself.
struct CppBackend::State {
    State(Launcher launcherToUse, CppBackendOptions chosen)
        : launcher(std::move(launcherToUse)), options(std::move(chosen)), cache(options.cacheFolder, options.cacheBytes) {}

    Launcher launcher;
    CppBackendOptions options;
    ArtifactCache cache;
    std::string compiler, version, headersHash, targetHash, includeFolder;

    SandboxPolicy policy() const
    {
        SandboxPolicy result;
        result.role = SandboxPolicy::Role::Tool;
        result.limits = options.limits;
        result.binds = {{options.kernelHeaders.string(), "/kernel"}};
        result.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"};
        result.unsafe = options.unsafe;
        return result;
    }
    std::string key(const std::string& unit, const std::string& flags) const
    {
        return sha256({unit, flags, version, headersHash, targetHash, checksVersion});
    }
    std::string script(const std::string& flags) const;
    BuildOutcome judge(const ToolRun& run, const std::string& flags) const;
};

/// Steps of one build in one sandbox. Each is the compiler's own; the candidate's text reaches none as an argument.
std::string CppBackend::State::script(const std::string& flags) const
{
    return compiler + " " + flags + " -I" + includeFolder + " -fdiagnostics-format=json -S unit.cpp -o unit.s 2>diagnostics || exit 10\n" +
           compiler + " -c unit.s -o unit.o || exit 11\n" +
           "objdump -dw --no-show-raw-insn unit.o >unit.dis || exit 12\n" +
           compiler + " unit.o -o unit.so " + std::string(linkFlags) + " || exit 13\n";
}

BuildOutcome CppBackend::State::judge(const ToolRun& run, const std::string& flags) const
{
    const bool collected = run.collected.size() == collectedCount;
    BuildFailure failure;
    failure.diagnostics = parseDiagnostics(collected ? run.collected[DiagnosticsFile].substr(0, diagnosticsLimit) : std::string());
    if (run.timedOut)
        failure.reasons = {Message("build.timed_out").with("seconds", options.seconds)};
    else if (run.cause.kind == ExitCause::Kind::Limit || run.cause.kind == ExitCause::Kind::Signalled)
        failure.reasons = {describe(run.cause)};
    else if (run.cause.kind != ExitCause::Kind::Exited || !collected)
        failure = {false, false, true, {describe(run.cause)}, {}};
    else if (run.cause.code == CompileFailed)
        failure.reasons = {Message("build.compile_error").with("count", std::count_if(failure.diagnostics.begin(), failure.diagnostics.end(),
            [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::Error; }))};
    else if (run.cause.code == LinkFailed)
        failure.reasons = checkObject(run.collected[ObjectFile]);
    else if (run.cause.code != Compiled)
        failure.reasons = {Message("build.tool_failed").with("what", firstLine(run.errors))};
    if (run.cause.code == LinkFailed && failure.reasons.empty() && !failure.harness)
        failure.reasons = {Message("build.link_error").with("what", firstLine(run.errors))};
    else if (run.cause.code == LinkFailed)
        failure.refused = true;
    if (!failure.reasons.empty())
        return failedBuild(std::move(failure));

    for (const auto& findings : {checkAssembly(run.collected[AssemblyFile]), checkObject(run.collected[ObjectFile]),
             checkInstructions(run.collected[DisassemblyFile]), checkLibrary(run.collected[LibraryFile])}) {
        for (const Message& finding : findings) {
            if (counts(finding) && std::find(failure.reasons.begin(), failure.reasons.end(), finding) == failure.reasons.end())
                failure.reasons.push_back(finding);
        }
    }
    failure.refused = !failure.reasons.empty();
    if (failure.refused)
        return failedBuild(std::move(failure));
    BuildOutcome outcome;
    outcome.artifact.bytes = run.collected[LibraryFile];
    outcome.artifact.sha256 = sha256(outcome.artifact.bytes);
    outcome.artifact.diagnostics = std::move(failure.diagnostics);
    outcome.artifact.seconds = run.seconds;
    outcome.artifact.compiler = version;
    outcome.artifact.flags = flags;
    return outcome;
}

CppBackend::CppBackend(std::unique_ptr<State> state) : m_state(std::move(state)) {}
CppBackend::~CppBackend() = default;

std::string CppBackend::toolchain() const { return m_state->version + " " + std::string(compileFlags); }

Result<std::unique_ptr<CppBackend>> CppBackend::create(const Launcher& launcher, const CppBackendOptions& options)
{
    CppBackendOptions chosen = options;
    if (chosen.kernelHeaders.empty())
        chosen.kernelHeaders = resourceFolder() / "kernel";
    std::error_code failed;
    chosen.kernelHeaders = std::filesystem::canonical(chosen.kernelHeaders, failed);
    if (failed)
        return Error{Message("build.no_headers").with("path", options.kernelHeaders.string()), failed.message()};
    const auto compiler = findInPath(chosen.compiler);
    if (!compiler)
        return Error{Message("build.no_compiler").with("compiler", chosen.compiler).with("why", "not found"), {}};
    auto state = std::make_unique<State>(launcher, chosen);
    state->compiler = *compiler;
    state->includeFolder = launcher.report().active("mount_namespace") ? "/kernel" : chosen.kernelHeaders.string();
    KW_TRY(state->headersHash, hashHeaders(chosen.kernelHeaders));
    // What -march=native means here is part of every key: a cache folder may travel to another machine.
    KW_TRY(const ToolRun run, runTool(launcher, state->policy(),
        {"/bin/sh", "-c", *compiler + " --version && " + *compiler + " -march=native -dM -E -x c++ /dev/null"}, chosen.seconds));
    if (!run.cause.success())
        return Error{Message("build.no_compiler").with("compiler", chosen.compiler).with("why", firstLine(run.errors)), debugText(describe(run.cause))};
    state->version = firstLine(run.output);
    state->targetHash = sha256(run.output);
    return std::unique_ptr<CppBackend>(new CppBackend(std::move(state)));
}

BuildOutcome CppBackend::build(const Candidate& candidate, const Problem& problem, const CandidateHeader& header, std::stop_token stop)
{
    if (candidate.source.size() > largestSource)
        return failedBuild(Message("build.source_too_large").with("bytes", candidate.source.size()).with("limit", largestSource));
    const auto extra = allowedFlags(candidate.flags);
    if (!extra)
        return failedBuild(extra.error().message);
    std::string flags(compileFlags);
    for (const std::string& flag : *extra)
        flags += " " + flag;
    const std::string unit = unitText(candidate, problem, header);
    const std::string key = m_state->key(unit, flags);
    if (auto cached = m_state->cache.find(key)) {
        BuildOutcome outcome;
        outcome.artifact = std::move(*cached);
        return outcome;
    }
    SandboxPolicy policy = m_state->policy();
    policy.files = {{"unit.cpp", unit}};
    policy.collect = {"diagnostics", "unit.s", "unit.o", "unit.dis", "unit.so"};
    const auto run = runTool(m_state->launcher, policy, {"/bin/sh", "-c", m_state->script(flags)}, m_state->options.seconds, stop);
    if (!run)
        return failedBuild(run.error().message, true);
    if (stop.stop_requested()) {
        BuildFailure stopped;
        stopped.stopped = true;
        stopped.reasons = {Message("build.stopped")};
        return failedBuild(std::move(stopped));
    }
    BuildOutcome outcome = m_state->judge(*run, flags);
    if (outcome.ok())
        m_state->cache.store(key, outcome.artifact);
    return outcome;
}

std::vector<std::string> kernelFlags()
{
    std::vector<std::string> flags;
    std::istringstream words{std::string(compileFlags)};
    for (std::string word; words >> word;)
        flags.push_back(std::move(word));
    return flags;
}

} // namespace kw
