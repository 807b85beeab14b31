// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sandbox/policy.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kw::wire {

/// The layers of the sandbox, as bit numbers of SpawnRequest::layers and StatusMessage::layer.
enum Layer : std::uint32_t {
    UserNamespace, PidNamespace, NetworkNamespace, IpcNamespace, MountNamespace, Landlock, Limits, Capabilities, Seccomp, layerCount,
};
inline constexpr std::array<std::string_view, layerCount> layerNames{"user_namespace", "pid_namespace",
    "network_namespace", "ipc_namespace", "mount_namespace", "landlock", "limits", "capabilities", "seccomp"};
constexpr std::uint32_t bit(Layer layer) { return 1U << layer; }
inline constexpr std::uint32_t allLayers = (1U << layerCount) - 1;
/// seccomp, and Landlock or a mount namespace.
constexpr bool isMinimum(std::uint32_t layers)
{
    return (layers & bit(Seccomp)) && (layers & (bit(Landlock) | bit(MountNamespace)));
}

/// What the broker is asked to start. File contents travel in a shared file; `fileSizes` cut it.
struct SpawnRequest {
    std::uint32_t layers = allLayers;  ///< the layers to put up; each of them must stand or nothing runs
    SandboxPolicy policy;              ///< files without their bytes
    std::vector<std::uint64_t> fileSizes;
    std::vector<std::string> arguments;
    std::vector<std::int32_t> targets; ///< descriptor numbers in the child, in the order of the passed ones
    bool probe = false;                ///< put up the layers, report, end
    std::string scratch;               ///< folder of ours that serves as scratch when there is no mount namespace
};
std::string encode(const SpawnRequest& request);
std::optional<SpawnRequest> decode(std::string_view bytes);
inline constexpr std::size_t maxRequestBytes = 120'000;

/// Descriptors that accompany a request, before the passed ones.
enum FixedFd : std::uint32_t { StatusFd, BundleFd, CollectFd, InFd, OutFd, ErrorFd, fixedFdCount };
inline constexpr std::size_t maxPassedFds = 32;

/// The broker's answer; on success the init's pidfd comes with it.
struct SpawnReply {
    std::int32_t error = 0;            ///< errno; 0 = started
    std::int32_t layer = -1;           ///< the layer that failed, -1 = none of them
    std::int32_t pid = 0;              ///< of the init, in the broker's namespace
};

/// From inside a sandbox on its status socket.
struct StatusMessage {
    enum Kind : std::uint32_t { Started = 1, Failed, Ended };
    std::uint32_t kind = 0;
    std::int32_t layer = -1;           ///< Failed: Layer or -1
    std::int32_t error = 0;            ///< Failed: errno
    char step[48] = {};                ///< Failed: which call
    std::int32_t landlockVersion = 0;  ///< Started
    std::int32_t status = 0;           ///< Ended: as waitpid gives it
    double cpuSeconds = 0;             ///< Ended
    std::uint64_t peakBytes = 0;       ///< Ended
};

} // namespace kw::wire
