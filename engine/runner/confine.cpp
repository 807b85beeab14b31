// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner/confine.h"

#include "base/sanitizer.h"
#include "runner/filters.h"
#include "runner/landlock.h"

#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace kw {
namespace {

bool limit(decltype(RLIMIT_AS) resource, std::uint64_t value)
{
    if (value == 0)
        return true;
    rlimit current{};
    if (::getrlimit(resource, &current) != 0)
        return false;
    rlimit wanted{value, value};
    // The soft limit warns with a signal that tells the cause; the hard one kills.
    if (resource == RLIMIT_CPU)
        wanted.rlim_max = value + 1;
    if (current.rlim_max != RLIM_INFINITY && wanted.rlim_max > current.rlim_max)
        wanted = {std::min(wanted.rlim_cur, current.rlim_max), current.rlim_max};
    return ::setrlimit(resource, &wanted) == 0;
}

StepFailure setLimits(const wire::SpawnRequest& request)
{
    const SandboxLimits& limits = request.policy.limits;
    // The count is per uid: outside a user namespace an ordinary user's other processes would count as well.
    const bool ownIdentity = (request.layers & wire::bit(wire::UserNamespace)) != 0;
    const rlimit none{0, 0};
    const std::uint64_t memoryBytes = shadowMemory ? 0 : limits.memoryBytes;
    if (!limit(RLIMIT_AS, memoryBytes) || !limit(RLIMIT_CPU, limits.cpuSeconds) || !limit(RLIMIT_FSIZE, limits.fileBytes) ||
        !limit(RLIMIT_NOFILE, limits.openFiles) || !limit(RLIMIT_STACK, limits.stackBytes) ||
        (ownIdentity && !limit(RLIMIT_NPROC, limits.processes)) || ::setrlimit(RLIMIT_CORE, &none) != 0 ||
        ::setrlimit(RLIMIT_MSGQUEUE, &none) != 0)
        return failedStep(wire::Limits, "setrlimit");
    return {};
}

bool holdsCapabilities()
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    return ::syscall(SYS_capget, &header, data) != 0 || data[0].permitted != 0 || data[1].permitted != 0;
}

} // namespace

bool dropCapabilities()
{
    for (unsigned long capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0 && capability < 64; ++capability)
        ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    // Refused to an ordinary user outside a user namespace, who has nothing to give up.
    ::prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED, 0, 0, 0);
    ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    const __user_cap_data_struct data[2] = {};
    return ::syscall(SYS_capset, &header, data) == 0 && !holdsCapabilities();
}

StepFailure confine(const wire::SpawnRequest& request, int& landlockVersion)
{
    const auto wants = [&](wire::Layer layer) { return (request.layers & wire::bit(layer)) != 0; };
    if (!request.policy.unsafe && !wire::isMinimum(request.layers))
        return {-1, EPERM, "below the minimum of layers"};
    for (const wire::Layer layer : {wire::Landlock, wire::Limits, wire::Capabilities, wire::Seccomp}) {
        if (wants(layer) && switchedOff(layer))
            return {static_cast<int>(layer), ENOSYS, "switched off by a test"};
    }
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return failedStep(wire::Capabilities, "no_new_privs");
    if (wants(wire::Landlock)) {
        if (const StepFailure failure = applyLandlock(request, landlockVersion); failure.failed())
            return failure;
    }
    if (wants(wire::Limits)) {
        if (const StepFailure failure = setLimits(request); failure.failed())
            return failure;
    }
    if (wants(wire::Capabilities) && !dropCapabilities()) {
        errno = EPERM;
        return failedStep(wire::Capabilities, "capset");
    }
    // A process of the same user could otherwise attach and stop us.
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (wants(wire::Seccomp))
        return applyFilter(request.policy.role);
    return {};
}

} // namespace kw
