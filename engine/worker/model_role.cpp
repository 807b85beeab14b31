// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/model_role.h"

#include "base/file.h"
#include "base/json_io.h"
#include "worker/frame_server.h"
#include "worker/host_tensors.h"
#include "worker/measure/machine.h"
#include "worker/model.h"
#include "worker/node_times.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace kw {
namespace {

constexpr int warmUps = 3, mostRuns = 100000;

Error processFailed(std::string why)
{
    return Error{Message("model_process.failed").with("why", std::move(why)), {}};
}

/// The side that holds the model.
class ServedModel {
public:
    explicit ServedModel(const ModelProcessSpec& spec) : m_spec(spec) {}

    Result<ServedReply> answer(const std::string& method, const Json& arguments, std::stop_token stop)
    {
        if (method == "load")
            return load(stop);
        if (!m_model)
            return processFailed("no model is loaded");
        if (method == "run")
            return run(arguments, stop);
        return outputs(stop);
    }

private:
    Result<ServedReply> load(const std::stop_token& stop)
    {
        // The operators must be known before the model is bound to them. The handle is kept for the life of the process.
        if (!m_spec.library.empty() && !::dlopen(m_spec.library.c_str(), RTLD_NOW | RTLD_LOCAL))
            return processFailed(::dlerror());
        KW_TRY(m_model, loadModel(m_spec.model, false));
        for (int count = 0; count < warmUps; ++count) {
            KW_TRY([[maybe_unused]] const auto ignored, m_model->executor->run(m_model->inputs.values, nullptr, stop));
        }
        return ServedReply{};
    }

    Result<ServedReply> run(const Json& arguments, const std::stop_token& stop)
    {
        const auto count = arguments.value("count", Json());
        if (!count.is_number_integer() || count.get<std::int64_t>() < 1 || count.get<std::int64_t>() > mostRuns)
            return processFailed("a number of runs is expected");
        for (std::int64_t index = 0; index < count.get<std::int64_t>(); ++index) {
            KW_TRY([[maybe_unused]] const auto ignored, m_model->executor->run(m_model->inputs.values, nullptr, stop));
        }
        return ServedReply{};
    }

    Result<ServedReply> outputs(const std::stop_token& stop)
    {
        KW_TRY(const auto results, m_model->executor->run(m_model->inputs.values, nullptr, stop));
        Json types = Json::array();
        ServedReply reply;
        for (const auto& result : results) {
            if (!result.isTensor()) {
                types.push_back(nullptr);
                continue;
            }
            const HostTensor host = rowMajorCopy(result.toTensor());
            types.push_back(host.type);
            reply.blobs.emplace_back(reinterpret_cast<const char*>(host.storage.data()), host.storage.size());
        }
        reply.json = dump(types);
        return reply;
    }

    ModelProcessSpec m_spec;
    std::optional<Model> m_model;
};

Result<Json> resultOf(const Frame& frame)
{
    KW_TRY(Json json, parseJson(frame.text));
    if (json.is_object() && json.contains("error") && json["error"].is_object() && json["error"].contains("message")) {
        KW_TRY(Message message, fromJson<Message>(json["error"]["message"]));
        return Error{std::move(message), {}};
    }
    if (!json.is_object() || !json.contains("result"))
        return processFailed("its reply has another form");
    return Json(std::move(json["result"]));
}

} // namespace

int runModelRole(const ModelProcessSpec& spec, UniqueFd input, UniqueFd output)
{
    setLibraryThreads(spec.threads);
    ServedModel served(spec);
    return serveFrames(FrameChannel(std::move(input), std::move(output)),
        [&served](const std::string& method, const Json& arguments, const ProgressCallback&, std::stop_token stop) {
            return served.answer(method, arguments, stop);
        });
}

Result<ModelProcess> ModelProcess::start(const ModelProcessSpec& spec, std::stop_token stop)
{
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return processFailed(std::strerror(errno));
    UniqueFd ours(ends[0]);
    UniqueFd theirs(ends[1]);
    SubprocessOptions options;
    options.program = executableFolder() / "kernelwright-worker";
    options.arguments = {"--role", "model", "--threads", std::to_string(spec.threads), "--model", spec.model.string(),
        "--memory", spec.keepMemory ? "kept" : "default"};
    if (!spec.library.empty())
        options.arguments.insert(options.arguments.end(), {"--library", spec.library.string()});
    options.environment = {"OMP_NUM_THREADS=" + std::to_string(spec.threads), "MKL_NUM_THREADS=" + std::to_string(spec.threads)};
    options.streams = {theirs.get(), theirs.get(), STDERR_FILENO};
    KW_TRY(Subprocess process, Subprocess::start(options));
    theirs.reset();
    UniqueFd copy(::fcntl(ours.get(), F_DUPFD_CLOEXEC, 0));
    ModelProcess started(std::move(process), FrameChannel(std::move(ours), std::move(copy)));
    const auto deadline = FrameChannel::Clock::now()
        + std::chrono::duration_cast<FrameChannel::Clock::duration>(std::chrono::duration<double>(spec.startSeconds));
    if (const auto met = started.greet(stop, deadline); !met)
        return met.error().message.id == "protocol.stopped" ? error("judge.stopped") : processFailed(debugText(met.error().message));
    KW_TRY(const Frame loaded, started.ask("load", "{}", stop));
    KW_TRY([[maybe_unused]] const Json result, resultOf(loaded));
    return started;
}

Result<void> ModelProcess::greet(const std::stop_token& stop, FrameChannel::Clock::time_point deadline)
{
    KW_TRY(const Frame greeting, m_channel.receive(stop, deadline));
    KW_TRY([[maybe_unused]] const Hello hello, readHello(greeting));
    return m_channel.send(helloFrame(), stop, deadline);
}

Result<Frame> ModelProcess::ask(const char* method, std::string_view arguments, std::stop_token stop)
{
    auto sent = m_channel.send(requestFrame({++m_lastRequest, method}, arguments), stop);
    if (sent) {
        auto reply = m_channel.receive(stop);
        if (reply)
            return reply;
        sent = reply.error();
    }
    if (sent.error().message.id == "protocol.stopped")
        return error("judge.stopped");
    const ExitCause cause = m_process.waitFor(1);
    return processFailed(cause.ended() ? debugText(describe(cause)) : debugText(sent.error().message));
}

Result<Sample> ModelProcess::run(int count, std::stop_token stop)
{
    const std::string arguments = "{\"count\":" + std::to_string(count) + "}";
    const auto before = processActivity(m_process.pid());
    const double stolen = stolenSeconds();
    const auto start = std::chrono::steady_clock::now();
    KW_TRY(const Frame frame, ask("run", arguments, stop));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto after = processActivity(m_process.pid());
    KW_TRY([[maybe_unused]] const Json result, resultOf(frame));
    Sample sample;
    sample.seconds = seconds / count;
    sample.cpuSeconds = (after.cpuSeconds - before.cpuSeconds) / count;
    sample.calls = count;
    sample.contextSwitches = static_cast<std::int32_t>(after.involuntarySwitches - before.involuntarySwitches);
    sample.stolenSeconds = stolenSeconds() - stolen;
    return sample;
}

Result<std::vector<std::optional<HostTensor>>> ModelProcess::outputs(std::stop_token stop)
{
    KW_TRY(Frame frame, ask("outputs", "{}", stop));
    KW_TRY(const Json types, resultOf(frame));
    std::vector<std::optional<HostTensor>> outputs;
    std::size_t next = 0;
    for (const Json& entry : types) {
        if (entry.is_null()) {
            outputs.emplace_back();
            continue;
        }
        KW_TRY(TensorType type, fromJson<TensorType>(entry));
        if (next >= frame.blobs.size() || static_cast<std::int64_t>(frame.blobs[next].size()) != storageBytes(type))
            return processFailed("an output has another size than it says");
        HostTensor host(std::move(type));
        if (!host.storage.empty())
            std::memcpy(host.storage.data(), frame.blobs[next].data(), host.storage.size());
        ++next;
        outputs.emplace_back(std::move(host));
    }
    return outputs;
}

} // namespace kw
