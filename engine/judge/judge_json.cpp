// SPDX-License-Identifier: GPL-3.0-or-later
#include "judge/judge_json.h"

#include "base/json_io.h"
#include "graph/json_checks.h"

namespace kw {
namespace {

constexpr std::array<std::string_view, 3> severities{"note", "warning", "error"};
constexpr std::array<std::string_view, 17> failureKinds{"none", "build_failed", "artifact_refused", "out_of_domain", "wrong_value",
    "non_finite", "not_written", "guard_violated", "input_changed", "not_deterministic", "crashed", "timed_out", "out_of_memory",
    "protocol_violated", "background_work", "too_fast", "harness"};
constexpr std::array<std::string_view, 2> cacheStates{"cold", "warm"};
constexpr std::array<std::string_view, 4> variants{"original", "original_default", "applied", "applied_default"};

} // namespace

void to_json(Json& json, const Diagnostic& diagnostic)
{
    json = Json{{"line", diagnostic.line}, {"column", diagnostic.column},
        {"severity", enumName(diagnostic.severity, severities)}, {"text", diagnostic.text}};
}

void from_json(const Json& json, Diagnostic& diagnostic)
{
    diagnostic.line = integerFrom<std::int32_t>(json.at("line"));
    diagnostic.column = integerFrom<std::int32_t>(json.at("column"));
    diagnostic.severity = enumFrom<Diagnostic::Severity>(json.at("severity"), severities);
    diagnostic.text = json.at("text").get<std::string>();
}

void to_json(Json& json, const SandboxLayer& layer)
{
    json = Json{{"name", layer.name}, {"active", layer.active}, {"reason", layer.reason}};
}

void from_json(const Json& json, SandboxLayer& layer)
{
    layer.name = json.at("name").get<std::string>();
    layer.active = json.at("active").get<bool>();
    layer.reason = json.at("reason").get<std::string>();
}

void to_json(Json& json, const WorkerInfo& info)
{
    json = Json{{"version", info.version}, {"torch", info.torch}, {"compiler", info.compiler}, {"cpu", info.cpu},
        {"protocol", info.protocol}, {"cores", info.cores}, {"kernel_threads", info.kernelThreads}, {"sandbox", info.sandbox},
        {"sandbox_sufficient", info.sandboxSufficient}};
}

void from_json(const Json& json, WorkerInfo& info)
{
    info.version = json.at("version").get<std::string>();
    info.torch = json.at("torch").get<std::string>();
    info.compiler = json.at("compiler").get<std::string>();
    info.cpu = json.at("cpu").get<std::string>();
    info.protocol = integerFrom<std::int32_t>(json.at("protocol"));
    info.cores = integerFrom<std::int32_t>(json.at("cores"));
    info.kernelThreads = integerFrom<std::int32_t>(json.at("kernel_threads"));
    info.sandbox = json.at("sandbox").get<std::vector<SandboxLayer>>();
    info.sandboxSufficient = json.at("sandbox_sufficient").get<bool>();
}

void to_json(Json& json, const LoadedModel& model)
{
    json = Json{{"graph", model.graph}, {"statistics", model.statistics}, {"sha256", model.sha256}, {"name", model.name},
        {"load_seconds", numberToJson(model.loadSeconds)}};
}

void from_json(const Json& json, LoadedModel& model)
{
    model.graph = json.at("graph").get<Graph>();
    model.statistics = json.at("statistics").get<std::vector<ValueStatistics>>();
    model.sha256 = json.at("sha256").get<std::string>();
    model.name = json.at("name").get<std::string>();
    model.loadSeconds = numberFrom(json.at("load_seconds"));
}

void to_json(Json& json, const ProfileOptions& options)
{
    json = Json{{"seconds", numberToJson(options.seconds)}, {"threads", options.threads}};
}

void from_json(const Json& json, ProfileOptions& options)
{
    options.seconds = numberFrom(json.at("seconds"));
    options.threads = integerFrom<std::int32_t>(json.at("threads"));
}

void to_json(Json& json, const BuildReport& report)
{
    json = Json{{"built", report.built}, {"artifact", report.artifact}, {"diagnostics", report.diagnostics},
        {"reason", report.reason}, {"failure", enumName(report.failure, failureKinds)},
        {"seconds", numberToJson(report.seconds)}, {"cached", report.cached}};
}

void from_json(const Json& json, BuildReport& report)
{
    report.built = json.at("built").get<bool>();
    report.artifact = json.at("artifact").get<std::string>();
    report.diagnostics = json.at("diagnostics").get<std::vector<Diagnostic>>();
    report.reason = json.at("reason").get<Message>();
    report.failure = enumFrom<FailureKind>(json.at("failure"), failureKinds);
    report.seconds = numberFrom(json.at("seconds"));
    report.cached = json.at("cached").get<bool>();
}

void to_json(Json& json, const VerifyOptions& options)
{
    json = Json{{"acceptance", options.acceptance}, {"seed", options.seed}};
}

void from_json(const Json& json, VerifyOptions& options)
{
    options.acceptance = json.at("acceptance").get<bool>();
    options.seed = integerFrom<std::uint64_t>(json.at("seed"));
}

void to_json(Json& json, const MeasureRequest& request)
{
    json = Json{{"problem", request.problem}, {"a", request.a}, {"b", request.b}, {"dimensions", request.dimensions},
        {"cache", enumName(request.cache, cacheStates)}, {"pairs", request.pairs}, {"blocks", request.blocks},
        {"batch_seconds", numberToJson(request.batchSeconds)}, {"keep_processes", request.keepProcesses},
        {"wall_limit", numberToJson(request.wallLimit)}};
}

void from_json(const Json& json, MeasureRequest& request)
{
    request.problem = json.at("problem").get<std::string>();
    request.a = json.at("a").get<Subject>();
    request.b = json.at("b").get<Subject>();
    request.dimensions = integersFrom<std::int64_t>(json.at("dimensions"));
    request.cache = enumFrom<CacheState>(json.at("cache"), cacheStates);
    request.pairs = integerFrom<std::int32_t>(json.at("pairs"));
    request.blocks = integerFrom<std::int32_t>(json.at("blocks"));
    request.batchSeconds = numberFrom(json.at("batch_seconds"));
    request.keepProcesses = json.at("keep_processes").get<bool>();
    request.wallLimit = numberFrom(json.at("wall_limit"));
}

void to_json(Json& json, const AppliedKernel& kernel)
{
    json = Json{{"problem", kernel.problem}, {"candidate", kernel.candidate}, {"sites", kernel.sites}};
}

void from_json(const Json& json, AppliedKernel& kernel)
{
    kernel.problem = json.at("problem").get<std::string>();
    kernel.candidate = json.at("candidate").get<Candidate>();
    kernel.sites = integersFrom<std::int32_t>(json.at("sites"));
}

void to_json(Json& json, const ApplyRequest& request)
{
    json = Json{{"kernels", request.kernels}, {"folder", request.folder.string()}};
}

void from_json(const Json& json, ApplyRequest& request)
{
    request.kernels = json.at("kernels").get<std::vector<AppliedKernel>>();
    request.folder = json.at("folder").get<std::string>();
}

void to_json(Json& json, const AppliedFiles& files)
{
    Json operators = Json::array();
    for (const AppliedOperator& applied : files.operators)
        operators.push_back({{"name", applied.name}, {"candidate", applied.candidate}, {"problem", applied.problem}});
    json = Json{{"library", files.library.string()}, {"model", files.model.string()}, {"namespace", files.operatorNamespace},
        {"operators", operators}, {"sites", files.sites}};
}

void from_json(const Json& json, AppliedFiles& files)
{
    files.library = json.at("library").get<std::string>();
    files.model = json.at("model").get<std::string>();
    files.operatorNamespace = json.at("namespace").get<std::string>();
    files.operators.clear();
    for (const Json& entry : json.at("operators"))
        files.operators.push_back({entry.at("name").get<std::string>(), entry.at("candidate").get<std::string>(),
            entry.at("problem").get<std::string>()});
    files.sites = integerFrom<std::int64_t>(json.at("sites"));
}

void to_json(Json& json, const OutputComparison& comparison)
{
    json = Json{{"name", comparison.name}, {"max_error", numberToJson(comparison.maxError)},
        {"allowed_error", numberToJson(comparison.allowedError)}, {"cosine", numberToJson(comparison.cosine)},
        {"same_non_finite", comparison.sameNonFinite}, {"same_type", comparison.sameType}, {"passed", comparison.passed},
        {"top1", numberToJson(comparison.top1)}};
}

void from_json(const Json& json, OutputComparison& comparison)
{
    comparison.name = json.at("name").get<std::string>();
    comparison.maxError = numberFrom(json.at("max_error"));
    comparison.allowedError = numberFrom(json.at("allowed_error"));
    comparison.cosine = numberFrom(json.at("cosine"));
    comparison.sameNonFinite = json.at("same_non_finite").get<bool>();
    comparison.sameType = json.at("same_type").get<bool>();
    comparison.passed = json.at("passed").get<bool>();
    comparison.top1 = numberFrom(json.at("top1"));
}

void to_json(Json& json, const ModelMeasureRequest& request)
{
    json = Json{{"a", enumName(request.a, variants)}, {"b", enumName(request.b, variants)},
        {"library", request.library.string()}, {"model", request.model.string()}, {"pairs", request.pairs},
        {"blocks", request.blocks}, {"wall_limit", numberToJson(request.wallLimit)}};
}

void from_json(const Json& json, ModelMeasureRequest& request)
{
    request.a = enumFrom<ModelVariant>(json.at("a"), variants);
    request.b = enumFrom<ModelVariant>(json.at("b"), variants);
    request.library = json.at("library").get<std::string>();
    request.model = json.at("model").get<std::string>();
    request.pairs = integerFrom<std::int32_t>(json.at("pairs"));
    request.blocks = integerFrom<std::int32_t>(json.at("blocks"));
    request.wallLimit = numberFrom(json.at("wall_limit"));
}

} // namespace kw
