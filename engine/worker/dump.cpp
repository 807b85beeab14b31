// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/dump.h"

#include "base/file.h"
#include "base/json_io.h"
#include "worker/capture.h"
#include "worker/host_tensors.h"
#include "worker/node_times.h"

#include <cstdio>

namespace kw {
namespace {

int fail(const Error& error)
{
    std::fprintf(stderr, "%s\n%s\n", debugText(error.message).c_str(), error.detail.c_str());
    return 1;
}

Json scalarJson(const c10::IValue& value)
{
    if (value.isInt())
        return value.toInt();
    if (value.isDouble())
        return value.toDouble();
    if (value.isBool())
        return value.toBool();
    return value.isString() ? Json(value.toStringRef()) : Json();
}

Result<Json> writeOutput(const c10::IValue& value, const std::filesystem::path& folder, std::size_t number)
{
    if (!value.isTensor())
        return Json{{"value", scalarJson(value)}};
    const HostTensor host = rowMajorCopy(value.toTensor());
    const std::string name = "output" + std::to_string(number) + ".bin";
    KW_CHECK(writeFileAtomically(folder / name, std::string_view(reinterpret_cast<const char*>(host.storage.data()), host.storage.size())));
    return Json{{"dtype", dtypeName(host.type.dtype)}, {"shape", host.type.shape}, {"file", name}};
}

Result<void> runAndWrite(const std::filesystem::path& path, const std::filesystem::path& folder)
{
    KW_TRY(Model model, loadModel(path, false));
    KW_TRY(const auto outputs, model.executor->run(model.inputs.values));
    Json index = Json::array();
    for (std::size_t number = 0; number < outputs.size(); ++number) {
        if (model.executor->graph().outputs[number].kind != OutputKind::User)
            continue;
        KW_TRY(Json entry, writeOutput(outputs[number], folder, index.size()));
        index.push_back(std::move(entry));
    }
    return writeFileAtomically(folder / "outputs.json", dump(index, 1) + "\n");
}

} // namespace

int dumpGraph(const std::filesystem::path& path)
{
    auto model = loadModel(path);
    if (!model)
        return fail(model.error());
    const auto seen = capture(*model);
    if (!seen)
        return fail(seen.error());
    const std::string text = dump(Json{{"graph", seen->graph}, {"statistics", seen->statistics}, {"sha256", model->sha256}}, 1);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fputc('\n', stdout);
    return 0;
}

int dumpOutputs(const std::filesystem::path& path, const std::filesystem::path& folder, int threads)
{
    setLibraryThreads(threads);
    const auto written = runAndWrite(path, folder);
    return written ? 0 : fail(written.error());
}

} // namespace kw
