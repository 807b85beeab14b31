// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/model.h"

#include "worker/archive.h"
#include "worker/weights.h"

#include <chrono>

namespace kw {
namespace {
constexpr std::uint64_t graphLimit = std::uint64_t{256} << 20;
}

Result<Model> loadModel(const std::filesystem::path& path, bool hash)
{
    const auto start = std::chrono::steady_clock::now();
    Model model;
    model.path = path;
    KW_TRY(Archive archive, Archive::open(path));
    KW_TRY(const std::string name, archive.exportedModel());
    KW_TRY(const std::string text, archive.text("models/" + name + ".json", graphLimit));
    KW_TRY(model.imported, importModel(text));
    model.imported.graph.name = path.stem().string();
    KW_TRY(model.weights, loadWeights(archive, name, model.imported));
    for (auto& input : model.imported.graph.inputs)
        if (const auto weight = model.weights.find(input.target); weight != model.weights.end())
            input.requiresGrad = weight->second.requires_grad();
    KW_TRY(model.executor, Executor::prepare(model.imported.graph, model.weights));
    KW_TRY(model.inputs, sampleInputs(archive, name, model.imported));
    if (hash) {
        KW_TRY(model.sha256, hashFile(path));
    }
    model.loadSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return model;
}

} // namespace kw
