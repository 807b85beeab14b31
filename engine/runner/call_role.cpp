// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner/call_role.h"

#include "base/runner_server.h"
#include "runner/confine.h"
#include "runner/filters.h"
#include "runner/sandbox_init.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kw {
namespace {

using LaunchFunction = void (*)(void* const* tensors, const std::int64_t* dimensions, void* const* workspaces);

/// The candidate's entry and the pointers of every slot, computed once.
struct Candidate {
    LaunchFunction launch = nullptr;
    const std::int64_t* dimensions = nullptr;
    std::size_t perSlot = 0, tensors = 0;
    std::vector<void*> pointers;       ///< slot-major: tensors, then workspaces
};

std::optional<wire::SpawnRequest> readRequest()
{
    std::string bytes(wire::maxRequestBytes, '\0');
    const ssize_t count = ::pread(callRequestFd, bytes.data(), bytes.size(), 0);
    ::close(callRequestFd);
    return count > 0 ? wire::decode({bytes.data(), static_cast<std::size_t>(count)}) : std::nullopt;
}

Candidate bindSlots(const RunnerServer& server, LaunchFunction launch)
{
    Candidate candidate;
    const ArenaLayout& layout = server.arena().layout();
    candidate.launch = launch;
    candidate.dimensions = server.dimensions().data();
    candidate.perSlot = layout.buffers.size();
    while (candidate.tensors < layout.buffers.size() && layout.buffers[candidate.tensors].role != BufferRole::Workspace)
        ++candidate.tensors;
    for (std::uint32_t slot = 0; slot < layout.slots; ++slot) {
        for (std::uint32_t buffer = 0; buffer < layout.buffers.size(); ++buffer)
            candidate.pointers.push_back(server.arena().address(slot, buffer));
    }
    return candidate;
}

void launchSlot(void* context, std::uint32_t slot)
{
    const Candidate& candidate = *static_cast<Candidate*>(context);
    void* const* pointers = candidate.pointers.data() + slot * candidate.perSlot;
    candidate.launch(pointers, candidate.dimensions, pointers + candidate.tensors);
}

} // namespace

int runCall()
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    const auto request = readRequest();
    if (!request)
        return 124;
    int landlockVersion = 0;
    if (const StepFailure failure = confine(*request, landlockVersion); failure.failed()) {
        reportFailure(callStatusFd, failure);
        return 125;
    }
    sendStarted(callStatusFd, landlockVersion);
    ::close(callStatusFd);
    auto server = RunnerServer::open();
    if (!server)
        return 123;
    void* library = ::dlopen("./candidate.so", RTLD_NOW | RTLD_LOCAL);
    void* entry = library ? ::dlsym(library, "kw_launch") : nullptr;
    if (!entry) {
        const char* why = ::dlerror();
        server->refuse(why ? why : "kw_launch");
        return 122;
    }
    Candidate candidate = bindSlots(*server, reinterpret_cast<LaunchFunction>(entry));
    if ((request->layers & wire::bit(wire::Seccomp)) != 0 && tightenFilter().failed())
        return 121;
    if (!server->ready())
        return 0;
    return server->serve(&launchSlot, &candidate);
}

} // namespace kw
