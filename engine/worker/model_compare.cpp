// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/model_compare.h"

#include "base/cpu_lock.h"
#include "base/random.h"
#include "worker/host_tensors.h"
#include "worker/model_role.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

namespace kw {
namespace {

constexpr double blockSeconds = 0.25;        ///< aimed length of one sample
constexpr int mostRunsPerBlock = 1000;
/// Above this many involuntary switches a second and thread, somebody else was computing.
constexpr double quietSwitches = 60;

using Clock = std::chrono::steady_clock;

std::vector<std::optional<HostTensor>> tensorsOf(const std::vector<c10::IValue>& values)
{
    std::vector<std::optional<HostTensor>> tensors;
    for (const auto& value : values)
        tensors.push_back(value.isTensor() && value.toTensor().defined() ? std::optional(rowMajorCopy(value.toTensor())) : std::nullopt);
    return tensors;
}

std::string outputName(const Graph& graph, std::size_t index)
{
    const auto* ref = std::get_if<ValueRef>(&graph.outputs[index].value);
    return ref ? graph.values[static_cast<std::size_t>(ref->id)].name : "output " + std::to_string(index);
}

ModelProcessSpec specOf(ModelVariant variant, const std::filesystem::path& original, const ModelMeasureRequest& request, int threads)
{
    ModelProcessSpec spec;
    const bool applied = variant == ModelVariant::Applied || variant == ModelVariant::AppliedDefault;
    spec.model = applied ? request.model : original;
    if (applied)
        spec.library = request.library;
    spec.keepMemory = variant == ModelVariant::Original || variant == ModelVariant::Applied;
    spec.threads = threads;
    return spec;
}

void markDisturbed(Sample& sample, int threads)
{
    const double wall = sample.seconds * sample.calls;
    sample.rejected = sample.contextSwitches > quietSwitches * wall * threads + 4 || sample.stolenSeconds > 0.05 * wall * threads;
}

struct Pair {
    ModelProcess a, b;
    int runs = 1;
};

Result<Pair> startPair(const ModelProcessSpec& a, const ModelProcessSpec& b, bool bFirst, const std::stop_token& stop)
{
    // Placement in memory differs from process to process and may depend on who came first, so the order is random too.
    KW_TRY(ModelProcess first, ModelProcess::start(bFirst ? b : a, stop));
    KW_TRY(ModelProcess second, ModelProcess::start(bFirst ? a : b, stop));
    Pair pair{std::move(bFirst ? second : first), std::move(bFirst ? first : second), 1};
    KW_TRY(const Sample one, pair.a.run(1, stop));
    pair.runs = std::clamp(static_cast<int>(std::lround(blockSeconds / std::max(one.seconds, 1e-6))), 1, mostRunsPerBlock);
    return pair;
}

Result<PairBlock> measurePair(Pair& pair, int blocks, int threads, std::mt19937_64& random, const std::stop_token& stop)
{
    PairBlock block;
    for (int index = 0; index < blocks; ++index) {
        const bool bFirst = random() % 2 == 1;
        for (int turn = 0; turn < 2; ++turn) {
            const bool isB = (turn == 1) != bFirst;
            KW_TRY(Sample sample, (isB ? pair.b : pair.a).run(pair.runs, stop));
            markDisturbed(sample, threads);
            (isB ? block.b : block.a).push_back(sample);
        }
    }
    const auto rejected = [](const std::vector<Sample>& samples) {
        return std::count_if(samples.begin(), samples.end(), [](const Sample& sample) { return sample.rejected; });
    };
    block.disturbed = rejected(block.a) * 2 > std::ssize(block.a) || rejected(block.b) * 2 > std::ssize(block.b);
    return block;
}

} // namespace

Result<ModelOutputs> modelOutputs(Model& model, std::stop_token stop)
{
    ModelOutputs outputs;
    const Graph& graph = model.executor->graph();
    for (std::size_t index = 0; index < graph.outputs.size(); ++index)
        outputs.names.push_back(outputName(graph, index));
    KW_TRY(const auto library, model.executor->run(model.inputs.values, nullptr, stop));
    outputs.library = tensorsOf(library);
    ExecutorOptions options;
    options.fp64 = true;
    KW_TRY(Executor exact, Executor::prepare(graph, model.weights, options));
    KW_TRY(const auto values, exact.run(model.inputs.values, nullptr, stop));
    outputs.exact = tensorsOf(values);
    return outputs;
}

Result<std::vector<OutputComparison>> compareModel(const ModelOutputs& expected, const AppliedFiles& files, int threads,
    std::stop_token stop)
{
    ModelProcessSpec spec;
    spec.model = files.model;
    spec.library = files.library;
    spec.threads = threads;
    KW_TRY(ModelProcess process, ModelProcess::start(spec, stop));
    KW_TRY(const auto applied, process.outputs(stop));
    if (applied.size() != expected.library.size())
        return Error{Message("model_process.failed").with("why", "the number of outputs differs"), {}};
    std::vector<OutputComparison> comparisons;
    for (std::size_t index = 0; index < applied.size(); ++index)
        if (expected.library[index] && expected.exact[index])
            comparisons.push_back(compareOutput(expected.names[index], *expected.library[index], *expected.exact[index],
                applied[index], ErrorBudget{}));
    return comparisons;
}

Result<std::vector<PairBlock>> measureModel(const std::filesystem::path& original, const ModelMeasureRequest& request, int threads,
    std::stop_token stop)
{
    const auto start = Clock::now();
    KW_TRY(const CpuLock lock, CpuLock::acquire(CpuLock::Mode::Alone, stop));
    std::mt19937_64 random(secretSeed());
    const auto a = specOf(request.a, original, request, threads), b = specOf(request.b, original, request, threads);
    std::vector<PairBlock> pairs;
    for (int index = 0; index < std::clamp(request.pairs, 1, 100); ++index) {
        if (index > 0 && std::chrono::duration<double>(Clock::now() - start).count() > request.wallLimit)
            break;
        KW_TRY(Pair pair, startPair(a, b, random() % 2 == 1, stop));
        KW_TRY(PairBlock block, measurePair(pair, std::clamp(request.blocks, 1, 100), threads, random, stop));
        pairs.push_back(std::move(block));
    }
    return pairs;
}

} // namespace kw
