// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_session.h"

namespace kw::test {
namespace {

HotSpot spot(std::string problem, std::string name, std::string module, std::int64_t calls, double milliseconds, double saving)
{
    constexpr double total = 38.4;
    HotSpot made;
    made.problem = std::move(problem);
    made.name = std::move(name);
    made.modulePath = std::move(module);
    made.moduleClass = "LlamaRMSNorm";
    made.source.file = "modeling_llama.py";
    made.source.line = 71;
    made.calls = calls;
    made.seconds = milliseconds * 1e-3;
    made.share = milliseconds / total;
    made.headroomSeconds = saving * 1e-3;
    made.floorSeconds = (milliseconds - saving) * 0.8e-3;
    made.bytes = milliseconds * 1e7;
    made.flops = milliseconds * 1e6;
    made.nodes = {static_cast<std::int32_t>(calls)};
    return made;
}

ProblemRow problem(std::string id, std::string name, std::string module, RegionKind kind, std::int64_t calls, double milliseconds, double saving)
{
    ProblemRow made;
    made.id = std::move(id);
    made.name = std::move(name);
    made.modulePath = std::move(module);
    made.kind = kind;
    made.calls = calls;
    made.seconds = milliseconds * 1e-3;
    made.predictedSeconds = (milliseconds - saving) * 1e-3;
    made.floorSeconds = (milliseconds - saving) * 0.8e-3;
    return made;
}

Measurement measurement(double ratio, double half)
{
    Measurement made;
    made.a.kind = Subject::Kind::Library;
    made.b.kind = Subject::Kind::Candidate;
    made.ratio = ratio;
    made.low = ratio - half;
    made.high = ratio + half;
    made.secondsA = 412e-6;
    made.secondsB = made.secondsA / ratio;
    made.outcome = made.low > 1.01 ? Comparison::Faster : made.high < 0.99 ? Comparison::Slower : Comparison::Same;
    made.method = "worker clock, batches, fresh pairs";
    made.environment = {"Example CPU 8 cores", "6.1", "g++ 12.2.0", "2.11.0", "host", 8, 7, 2900, "kept", false};
    for (int pair = 0; pair < 5; ++pair) {
        PairBlock block;
        for (int batch = 0; batch < 6; ++batch) {
            block.a.push_back({made.secondsA * (1 + 0.004 * batch), made.secondsA, 40, 0, 0, false});
            block.b.push_back({made.secondsB * (1 + 0.004 * batch), made.secondsB, 40, 0, 0, batch == 5 && pair == 2});
        }
        made.pairs.push_back(block);
    }
    made.rejectedSamples = 1;
    return made;
}

CaseResult passedCase(std::string id, CaseTier tier, double used)
{
    CaseResult made;
    made.name = Message(std::move(id));
    made.name.with("d0", 17);
    made.tier = tier;
    made.passed = true;
    made.budgetUsed = used;
    made.worst = WorstElement{"y", {3, 17}, 1.25, 1.2500001, 1e-7, 1e-7 / used, 5e-8};
    return made;
}

Verdict passedVerdict()
{
    Verdict made;
    made.passed = true;
    made.factor = 4;
    made.floorUlps = 16;
    for (int stage = 0; stage < stageCount; ++stage) {
        StageResult result;
        result.stage = static_cast<Stage>(stage);
        result.run = result.passed = true;
        result.seconds = 0.02 * (stage + 1);
        if (stage > 0)
            result.cases = {passedCase("case.development", CaseTier::Development, 0.21), passedCase("case.acceptance", CaseTier::Acceptance, 0.34)};
        made.stages.push_back(result);
    }
    return made;
}

} // namespace

std::shared_ptr<const ProfileReport> sampleReport()
{
    auto report = std::make_shared<ProfileReport>();
    report->model = "llama.pt2";
    report->seconds = 38.4e-3;
    report->predictedSeconds = 34.6e-3;
    report->hotSpots = {spot("p1", "pow_mean_rsqrt_mul", "model.layers", 17, 2.9, 1.9), spot("p2", "silu_mul", "model.layers.mlp", 8, 2.4, 1.2),
        spot("p3", "rotary_embedding", "model.layers.self_attn", 16, 1.6, 0.7), spot("", "linear (up, gate)", "model.layers.mlp", 16, 15.1, 0),
        spot("", "linear (down)", "model.layers.mlp.down_proj", 8, 7.6, 0), spot("", "linear (q, k, v, o)", "model.layers.self_attn", 32, 5.8, 0),
        spot("", "scaled_dot_product_attention", "model.layers.self_attn", 8, 2.2, 0), spot("", "embedding", "model.embed_tokens", 1, 0.02, 0),
        spot("p4", "add", "model.layers", 16, 0.7, 0.02), spot("", "arange", "model", 1, 0.004, 0)};
    report->advice = {Message("no_such_advice").with("share", 0.12)};
    return report;
}

std::vector<ProblemRow> sampleProblems()
{
    std::vector<ProblemRow> rows{problem("p1", "pow_mean_rsqrt_mul", "model.layers", RegionKind::RowReduction, 17, 2.9, 1.9),
        problem("p2", "silu_mul", "model.layers.mlp", RegionKind::Pointwise, 8, 2.4, 1.2),
        problem("p3", "rotary_embedding", "model.layers.self_attn", RegionKind::Pointwise, 16, 1.6, 0.7),
        problem("p4", "add", "model.layers", RegionKind::Pointwise, 16, 0.7, 0.02)};
    rows[0].state = ProblemState::Active;
    rows[3].state = ProblemState::NearFloor;
    return rows;
}

std::string sampleSource(int variant)
{
    const std::string rows = variant == 0 ? "1" : std::to_string(variant * 2);
    return "// Root-mean-square norm of every row: pow, mean, rsqrt, mul.\n"
           "//! kernel    rms_norm\n"
           "//! domain    d1 == 512, layout(x)\n"
           "//! launch    rms_norm(x, weight, y, d0)\n"
           "#include \"kw/vec.h\"\n\n"
           "extern \"C\" void rms_norm(const float* x, const float* weight, float* y, std::int64_t rows)\n{\n"
           "    constexpr int columns = 512;\n"
           "    constexpr int rowsPerTask = " + rows + ";\n"
           "#pragma omp parallel for schedule(static, rowsPerTask)\n"
           "    for (std::int64_t row = 0; row < rows; ++row) {\n"
           "        const float* in = x + row * columns;\n"
           "        float* out = y + row * columns;\n"
           "        kw::v8 sum = {};\n"
           "        for (int column = 0; column < columns; column += 8) {\n"
           "            const kw::v8 value = kw::load(in + column);\n"
           "            sum += value * value;\n"
           "        }\n"
           "        const float scale = 1.0f / std::sqrt(kw::total(sum) / columns + 1e-6f);\n"
           "        for (int column = 0; column < columns; column += 8)\n"
           "            kw::store(out + column, kw::load(in + column) * scale * kw::load(weight + column));\n"
           "    }\n}\n";
}

Candidate sampleCandidate(int variant)
{
    Candidate made;
    made.problem = "p1";
    made.source = sampleSource(variant);
    made.id = candidateId(made);
    if (variant > 0)
        made.parent = sampleCandidate(variant - 1).id;
    made.hypothesis = Message("no_such_hypothesis").with("rows", variant * 2);
    if (variant > 0) {
        Move move;
        move.choice = "rows_per_task";
        move.from = variant == 1 ? "1" : std::to_string(variant * 2 - 2);
        move.to = std::to_string(variant * 2);
        move.expectedGain = 1.08;
        made.moves = {move};
    }
    return made;
}

TextDiff sampleDifference()
{
    TextDiff difference;
    Hunk first;
    first.oldStart = first.newStart = 9;
    first.oldCount = first.newCount = 3;
    first.rows = {{LineKind::Context, 9, 9, "    constexpr int columns = 512;", {}, false},
        {LineKind::Removed, 10, 0, "    constexpr int rowsPerTask = 1;", {{32, 1}}, false},
        {LineKind::Added, 0, 10, "    constexpr int rowsPerTask = 2;", {{32, 1}}, false},
        {LineKind::Context, 11, 11, "#pragma omp parallel for schedule(static, rowsPerTask)", {}, false}};
    Hunk second;
    second.oldStart = second.newStart = 17;
    second.oldCount = 1;
    second.newCount = 2;
    second.rows = {{LineKind::Context, 17, 17, "            const kw::v8 value = kw::load(in + column);", {}, false},
        {LineKind::Added, 0, 18, "            kw::prefetch(in + column + 64);", {}, false}};
    difference.hunks = {first, second};
    difference.added = 2;
    difference.removed = 1;
    return difference;
}

Verdict failedVerdict()
{
    Verdict made = passedVerdict();
    made.passed = false;
    made.failure = FailureKind::WrongValue;
    made.failedStage = Stage::Shapes;
    made.reason = Message("no_such_reason");
    for (int stage = static_cast<int>(Stage::Shapes); stage < stageCount; ++stage) {
        StageResult& result = made.stages[static_cast<std::size_t>(stage)];
        result.passed = false;
        result.run = result.stage == Stage::Shapes;
        if (!result.run)
            result.cases.clear();
    }
    CaseResult& wrong = made.stages[static_cast<std::size_t>(Stage::Shapes)].cases[1];
    wrong.passed = false;
    wrong.failure = FailureKind::WrongValue;
    wrong.budgetUsed = 1234;
    wrong.worst = WorstElement{"y", {16, 511}, 0.75, 1.5, 0.75, 6.1e-4, 1.2e-7};
    return made;
}

Experiment sampleExperiment(std::int64_t number, const std::string& problem, Decision decision, double ratio)
{
    Experiment made;
    made.number = number;
    made.problem = problem;
    made.candidate = sampleCandidate(static_cast<int>(number % 5));
    made.candidate.problem = problem;
    made.decision = decision;
    made.seconds = 4.2;
    made.startTime = 1.7e9 + static_cast<double>(number) * 5;
    if (decision == Decision::Rejected) {
        made.verdict = failedVerdict();
        return made;
    }
    made.verdict = passedVerdict();
    made.screening = measurement(ratio, 0.06);
    made.measurement = measurement(ratio, 0.02);
    if (decision == Decision::Kept || decision == Decision::Pending) {
        made.confirmation = measurement(ratio, 0.015);
        made.total = measurement(ratio, 0.015);
    }
    return made;
}

ExperimentRow rowOf(const Experiment& experiment, double modelSpeedup)
{
    ExperimentRow row;
    row.number = experiment.number;
    row.problem = experiment.problem;
    row.candidate = experiment.candidate.id;
    row.parent = experiment.candidate.parent.value_or(std::string());
    row.author = experiment.candidate.author;
    row.decision = experiment.decision;
    row.failure = experiment.verdict.failure;
    row.failedStage = experiment.verdict.failedStage;
    row.hypothesis = experiment.candidate.hypothesis;
    if (experiment.measurement) {
        row.ratio = experiment.measurement->ratio;
        row.low = experiment.measurement->low;
        row.high = experiment.measurement->high;
    }
    row.modelSpeedup = modelSpeedup;
    row.seconds = experiment.seconds;
    row.startTime = experiment.startTime;
    return row;
}

} // namespace kw::test
