// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/apply/model_outputs.h"

#include "base/file.h"
#include "base/json_io.h"
#include "base/subprocess.h"
#include "worker/model.h"
#include "worker/torch_types.h"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>

#include <dlfcn.h>

#include <cstring>
#include <sstream>

namespace kw {
namespace {

constexpr double runSeconds = 300;
constexpr std::uint64_t headerBytes = 8;

ModelOutput outputOf(const c10::IValue& value, std::string name)
{
    ModelOutput output;
    output.name = std::move(name);
    output.isTensor = value.isTensor() && value.toTensor().defined();
    if (!output.isTensor) {
        std::ostringstream text;
        text << value;
        output.text = text.str();
        return output;
    }
    const at::Tensor tensor = value.toTensor().detach().contiguous();
    output.tensor = HostTensor(typeOf(tensor));
    std::memcpy(output.tensor.storage.data(), tensor.const_data_ptr(), static_cast<std::size_t>(tensor.nbytes()));
    return output;
}

std::string outputName(const Graph& graph, std::size_t index)
{
    const auto* value = std::get_if<ValueRef>(&graph.outputs.at(index).value);
    return value ? graph.values.at(static_cast<std::size_t>(value->id)).name : "output" + std::to_string(index);
}

Result<void> writeOutputs(const std::filesystem::path& path, const std::filesystem::path& library, const std::filesystem::path& out)
{
    if (!library.empty())
        KW_CHECK(loadOperatorLibrary(library));
    KW_TRY(Model model, loadModel(path, false));
    KW_TRY(const std::vector<ModelOutput> values, modelOutputs(*model.executor, model.inputs.values));
    Json outputs = Json::array();
    std::string payload;
    for (const ModelOutput& output : values) {
        Json json{{"name", output.name}};
        if (output.isTensor) {
            json["type"] = output.tensor.type;
            json["offset"] = payload.size();
            payload.append(reinterpret_cast<const char*>(output.tensor.storage.data()), output.tensor.storage.size());
        } else {
            json["text"] = output.text;
        }
        outputs.push_back(std::move(json));
    }
    const std::string header = dump(Json{{"outputs", outputs}});
    const std::uint64_t size = header.size();
    std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
    return writeFileAtomically(out, bytes + header + payload);
}

Result<ModelOutput> readOutput(const Json& json, std::string_view payload)
{
    ModelOutput output;
    output.name = json.at("name").get<std::string>();
    if (!json.contains("type")) {
        output.text = json.at("text").get<std::string>();
        return output;
    }
    output.isTensor = true;
    const auto type = json.at("type").get<TensorType>();
    const auto offset = json.at("offset").get<std::uint64_t>();
    const auto bytes = static_cast<std::uint64_t>(type.bytes());
    if (!type.contiguous() || offset > payload.size() || bytes > payload.size() - offset)
        return Error{Message("apply.model_failed").with("why", "its outputs are damaged"), {}};
    output.tensor.type = type;
    output.tensor.storage.resize(bytes);
    std::memcpy(output.tensor.storage.data(), payload.data() + offset, bytes);
    return output;
}

Result<std::vector<ModelOutput>> readOutputs(const std::string& bytes)
{
    std::uint64_t size = 0;
    if (bytes.size() >= headerBytes)
        std::memcpy(&size, bytes.data(), sizeof size);
    if (bytes.size() < headerBytes || size > bytes.size() - headerBytes)
        return Error{Message("apply.model_failed").with("why", "its outputs are damaged"), {}};
    KW_TRY(const Json header, parseJson(std::string_view(bytes).substr(headerBytes, size)));
    if (header.contains("error"))
        return fromJson<Error>(header.at("error")).ok() ? *fromJson<Error>(header.at("error")) : error("apply.model_failed");
    std::vector<ModelOutput> outputs;
    try {
        for (const Json& json : header.at("outputs")) {
            KW_TRY(ModelOutput output, readOutput(json, std::string_view(bytes).substr(headerBytes + size)));
            outputs.push_back(std::move(output));
        }
    } catch (const std::exception& exception) {
        return Error{Message("apply.model_failed").with("why", std::string(exception.what())), {}};
    }
    return outputs;
}

} // namespace

Result<std::vector<ModelOutput>> modelOutputs(Executor& executor, const std::vector<c10::IValue>& inputs, std::stop_token stop)
{
    KW_TRY(const std::vector<c10::IValue> values, executor.run(inputs, nullptr, stop));
    std::vector<ModelOutput> outputs;
    for (std::size_t i = 0; i < values.size(); ++i)
        outputs.push_back(outputOf(values[i], outputName(executor.graph(), i)));
    return outputs;
}

Result<void> loadOperatorLibrary(const std::filesystem::path& library)
{
    if (!::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
        const char* why = ::dlerror();
        return Error{Message("apply.library_failed").with("why", why ? why : ""), {}};
    }
    return {};
}

int writeModelOutputs(const std::filesystem::path& model, const std::filesystem::path& library, int threads,
    const std::filesystem::path& out)
{
    at::set_num_threads(threads);
    const auto written = writeOutputs(model, library, out);
    if (written)
        return 0;
    const std::string header = dump(Json{{"error", written.error()}});
    const std::uint64_t size = header.size();
    const std::string bytes = std::string(reinterpret_cast<const char*>(&size), sizeof size) + header;
    return writeFileAtomically(out, bytes) ? 0 : 1;
}

Result<std::vector<ModelOutput>> runModelOutputs(const std::filesystem::path& model, const std::filesystem::path& library,
    int threads, const std::filesystem::path& scratch, std::stop_token stop)
{
    std::error_code ignored;
    std::filesystem::create_directories(scratch, ignored);
    const std::filesystem::path out = scratch / "model-outputs.bin";
    std::filesystem::remove(out, ignored);
    SubprocessOptions options;
    options.program = executableFolder() / "kernelwright-worker";
    options.arguments = {"--role", "outputs", "--model", model.string(), "--threads", std::to_string(threads), "--out", out.string()};
    if (!library.empty())
        options.arguments.insert(options.arguments.end(), {"--library", library.string()});
    options.streams.error = 2;
    KW_TRY(Subprocess process, Subprocess::start(options));
    const ExitCause cause = process.waitFor(runSeconds, stop);
    if (stop.stop_requested())
        return error("judge.stopped");
    if (!cause.success()) {
        process.kill();
        return Error{Message("apply.model_failed").with("why", debugText(describe(cause))), {}};
    }
    KW_TRY(const std::string bytes, readFile(out));
    std::filesystem::remove(out, ignored);
    return readOutputs(bytes);
}

} // namespace kw
