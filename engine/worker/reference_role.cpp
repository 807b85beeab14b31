// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/reference_role.h"

#include "base/json_io.h"
#include "base/runner_server.h"
#include "worker/executor.h"
#include "worker/node_times.h"
#include "worker/torch_types.h"

#include <ATen/ops/from_blob.h>

#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace kw {
namespace {

constexpr int descriptionFd = 8;

Result<std::string> readDescription()
{
    std::string text;
    char buffer[65536];
    for (;;) {
        const ssize_t count = ::read(descriptionFd, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return error("reference.no_description");
        if (count == 0)
            break;
        text.append(buffer, static_cast<std::size_t>(count));
    }
    ::close(descriptionFd);
    return text;
}

/// The prepared graph and, per slot of the arena, its inputs without a copy.
struct Reference {
    Executor executor;
    std::vector<std::vector<c10::IValue>> slots;
    bool failed = false;
};

Result<Reference> prepare(const RunnerServer& server)
{
    KW_TRY(const std::string text, readDescription());
    KW_TRY(const Json json, parseJson(text));
    if (!json.is_object() || !json.contains("graph") || !json.contains("inputs"))
        return error("reference.no_description");
    KW_TRY(const Graph graph, fromJson<Graph>(json["graph"]));
    KW_TRY(const auto types, fromJson<std::vector<TensorType>>(json["inputs"]));
    KW_TRY(Executor executor, Executor::prepare(graph));
    Reference reference{std::move(executor), {}, false};
    for (std::uint32_t slot = 0; slot < server.arena().layout().slots; ++slot) {
        std::vector<c10::IValue> inputs;
        for (std::uint32_t buffer = 0; buffer < types.size(); ++buffer)
            inputs.emplace_back(at::from_blob(server.arena().address(slot, buffer), types[buffer].shape, types[buffer].strides,
                toTorch(types[buffer].dtype)));
        reference.slots.push_back(std::move(inputs));
    }
    return reference;
}

void call(void* context, std::uint32_t slot)
{
    auto& reference = *static_cast<Reference*>(context);
    // A call that fails here would look like a very fast one: the process must not go on answering.
    if (const auto outputs = reference.executor.run(reference.slots[slot]); !outputs) {
        std::fprintf(stderr, "%s\n", debugText(outputs.error().message).c_str());
        ::_exit(3);
    }
}

} // namespace

int runReferenceRole(int threads)
{
    setLibraryThreads(threads);
    auto server = RunnerServer::open();
    if (!server) {
        std::fprintf(stderr, "%s\n", debugText(server.error().message).c_str());
        return 1;
    }
    auto reference = prepare(*server);
    if (!reference) {
        server->refuse(debugText(reference.error().message).c_str());
        return 1;
    }
    for (std::uint32_t slot = 0; slot < reference->slots.size(); ++slot)
        call(&*reference, slot);
    if (!server->ready())
        return 0;
    return server->serve(call, &*reference);
}

} // namespace kw
