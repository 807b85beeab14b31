// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kw {

/// Limits of everything inside one sandbox. Zero means: no limit of ours.
struct SandboxLimits {
    std::uint64_t memoryBytes = std::uint64_t{4} << 30; ///< address space of each process
    std::uint64_t cpuSeconds = 60;                      ///< CPU time of each process
    std::uint64_t fileBytes = std::uint64_t{256} << 20; ///< largest file that can be written; also the scratch folder's size
    std::uint64_t processes = 64;                       ///< processes and threads together
    std::uint64_t openFiles = 128;
    std::uint64_t stackBytes = std::uint64_t{64} << 20;
    friend bool operator==(const SandboxLimits&, const SandboxLimits&) = default;
};

/// A folder or file of ours that is visible (read-only) inside, at the same or another absolute path.
struct SandboxBind {
    std::string source;
    std::string target;
    friend bool operator==(const SandboxBind&, const SandboxBind&) = default;
};

/// A file that is written into the scratch folder before the program starts. Name without folders.
struct SandboxFile {
    std::string name;
    std::string bytes;
    friend bool operator==(const SandboxFile&, const SandboxFile&) = default;
};

/// What a sandboxed program may do. Always there: /usr and what belongs to it read-only, /dev/null, /dev/urandom,
/// no network, no other process, no capability, an environment of exactly `environment`.
/// A value type.
struct SandboxPolicy {
    enum class Role : std::uint8_t {
        Call, ///< the runner that holds a candidate; started by RunnerClient only
        Tool, ///< a program such as a compiler: may start others; its working folder is the writable scratch folder
    };
    Role role = Role::Tool;
    SandboxLimits limits;
    std::vector<SandboxBind> binds;
    std::vector<SandboxFile> files;
    std::vector<std::string> collect;  ///< names in the scratch folder that are handed back when the program has exited
    std::vector<std::string> environment; ///< "NAME=value"
    std::vector<int> cpus;             ///< empty: every CPU
    bool unsafe = false;               ///< run even without the minimum of layers; stamped on every record
    friend bool operator==(const SandboxPolicy&, const SandboxPolicy&) = default;
};

/// One layer of protection, as it really stands.
struct SandboxLayer {
    std::string name;                  ///< "user_namespace", "pid_namespace", "network_namespace", "mount_namespace",
                                       ///< "landlock", "limits", "capabilities", "seccomp"
    bool active = false;
    std::string reason;                ///< why not (an errno text); empty when active
    friend bool operator==(const SandboxLayer&, const SandboxLayer&) = default;
};

struct SandboxReport {
    std::vector<SandboxLayer> layers;
    int landlockVersion = 0;

    bool active(const std::string& layer) const;
    /// seccomp, and Landlock or a mount namespace: below that nothing runs unless the policy says unsafe.
    bool minimum() const;
    friend bool operator==(const SandboxReport&, const SandboxReport&) = default;
};

void to_json(Json& json, const SandboxReport& report);
void from_json(const Json& json, SandboxReport& report);

} // namespace kw
