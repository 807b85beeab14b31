// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner/landlock.h"

#include "runner/namespaces.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace kw {
namespace {

// The kernel's interface, written out because the distribution's header may be older than its kernel.
constexpr std::uint64_t execute = 1U << 0, writeFile = 1U << 1, readFile = 1U << 2, readFolder = 1U << 3;
constexpr std::uint64_t firstVersionRights = (1U << 13) - 1, refer = 1U << 13, truncate = 1U << 14, ioctlDevice = 1U << 15;
constexpr std::uint64_t fileRights = execute | writeFile | readFile | truncate | ioctlDevice;
constexpr std::uint64_t tcpBindAndConnect = 3, abstractSocketAndSignal = 3;
constexpr unsigned versionFlag = 1U;
constexpr int pathBeneath = 1;

struct Ruleset {
    std::uint64_t files = 0, network = 0, scoped = 0;
};
struct __attribute__((packed)) PathRule {
    std::uint64_t allowed = 0;
    std::int32_t parent = -1;
};

std::uint64_t handledRights(int version)
{
    return firstVersionRights | (version >= 2 ? refer : 0) | (version >= 3 ? truncate : 0) | (version >= 5 ? ioctlDevice : 0);
}

/// Absent paths give no right and no failure.
bool allow(int ruleset, const char* path, std::uint64_t rights)
{
    const UniqueFd folder(::open(path, O_PATH | O_CLOEXEC));
    if (!folder)
        return errno == ENOENT;
    struct stat status {};
    if (::fstat(folder.get(), &status) != 0)
        return false;
    const PathRule rule{S_ISDIR(status.st_mode) ? rights : rights & fileRights, folder.get()};
    return ::syscall(SYS_landlock_add_rule, ruleset, pathBeneath, &rule, 0) == 0;
}

} // namespace

StepFailure applyLandlock(const wire::SpawnRequest& request, int& version)
{
    const auto fail = [](const char* step) { return failedStep(wire::Landlock, step); };
    version = static_cast<int>(::syscall(SYS_landlock_create_ruleset, nullptr, 0, versionFlag));
    if (version < 1)
        return fail("landlock version");
    const std::uint64_t handled = handledRights(version);
    const Ruleset wanted{handled, version >= 4 ? tcpBindAndConnect : 0, version >= 6 ? abstractSocketAndSignal : 0};
    const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    const UniqueFd ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &wanted, size, 0)));
    if (!ruleset)
        return fail("landlock_create_ruleset");
    const std::uint64_t read = execute | readFile | readFolder;
    for (const char* path : systemFolders) {
        if (!allow(ruleset.get(), path, read))
            return fail(path);
    }
    for (const char* path : systemDevices) {
        if (!allow(ruleset.get(), path, readFile | writeFile))
            return fail(path);
    }
    const bool ownRoot = (request.layers & wire::bit(wire::MountNamespace)) != 0;
    for (const SandboxBind& bind : request.policy.binds) {
        if (!allow(ruleset.get(), ownRoot ? bind.target.c_str() : bind.source.c_str(), read))
            return fail("bind");
    }
    const bool tool = request.policy.role == SandboxPolicy::Role::Tool;
    if ((ownRoot || !request.scratch.empty()) && !allow(ruleset.get(), ".", tool ? handled : read))
        return fail("scratch");
    if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
        return fail("landlock_restrict_self");
    return {};
}

} // namespace kw
