// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner/namespaces.h"

#include "runner/sandbox_init.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

namespace kw {
namespace {

struct NamespaceFlag {
    wire::Layer layer;
    std::uint64_t flags;
};
// The user namespace first: an ordinary user gets the others only inside one.
constexpr std::array<NamespaceFlag, 5> namespaceFlags{{{wire::UserNamespace, CLONE_NEWUSER}, {wire::PidNamespace, CLONE_NEWPID},
    {wire::NetworkNamespace, CLONE_NEWNET}, {wire::IpcNamespace, CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP},
    {wire::MountNamespace, CLONE_NEWNS}}};

pid_t cloneWith(std::uint64_t flags, int* pidfd)
{
    clone_args arguments{};
    arguments.flags = flags | (pidfd ? CLONE_PIDFD : 0);
    arguments.pidfd = reinterpret_cast<std::uint64_t>(pidfd);
    arguments.exit_signal = SIGCHLD;
    return static_cast<pid_t>(::syscall(SYS_clone3, &arguments, sizeof arguments));
}

/// Which of the namespaces is to blame: tried one by one.
int blamedLayer(const SandboxContext& context)
{
    const int error = errno;
    const std::uint64_t base = context.wants(wire::UserNamespace) ? CLONE_NEWUSER : 0;
    for (const NamespaceFlag& one : namespaceFlags) {
        if (!context.wants(one.layer))
            continue;
        const pid_t pid = cloneWith(base | one.flags, nullptr);
        if (pid == 0)
            ::_exit(0);
        if (pid < 0)
            return static_cast<int>(one.layer);
        ::waitpid(pid, nullptr, 0);
    }
    errno = error;
    return -1;
}

bool writeFileOnce(const std::string& path, const std::string& text)
{
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool mapIdentity(pid_t pid, uid_t outsideUid, gid_t outsideGid, bool privileged)
{
    const std::string folder = "/proc/" + std::to_string(pid);
    if (!privileged && !writeFileOnce(folder + "/setgroups", "deny"))
        return false;
    return writeFileOnce(folder + "/uid_map", "0 " + std::to_string(outsideUid) + " 1") &&
           writeFileOnce(folder + "/gid_map", "0 " + std::to_string(outsideGid) + " 1");
}

bool makeFolders(const std::string& path)
{
    for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
        if (::mkdir(path.substr(0, slash).c_str(), 0755) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

bool makeReadOnly(const char* path, std::uint64_t attributes)
{
    mount_attr attribute{};
    attribute.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | attributes;
    return ::syscall(SYS_mount_setattr, AT_FDCWD, path, AT_RECURSIVE, &attribute, sizeof attribute) == 0;
}

/// Shows what `source` (O_PATH) refers to at `target` below the new root, read-only.
bool bindReadOnly(int source, const std::string& target, std::uint64_t attributes)
{
    struct stat status {};
    if (::fstat(source, &status) != 0 || !makeFolders(target))
        return false;
    if (S_ISDIR(status.st_mode)) {
        if (::mkdir(target.c_str(), 0755) != 0 && errno != EEXIST)
            return false;
    } else {
        const UniqueFd file(::open(target.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0444));
        if (!file)
            return false;
    }
    const std::string from = "/proc/self/fd/" + std::to_string(source);
    return ::mount(from.c_str(), target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0 &&
           makeReadOnly(target.c_str(), attributes);
}

/// /bin and /lib* are links into /usr on a merged system and folders elsewhere: shown as they are.
bool showSystemPath(const std::string& root, const char* path, std::uint64_t attributes)
{
    struct stat status {};
    if (::lstat(path, &status) != 0)
        return true;
    const std::string target = root + path;
    if (S_ISLNK(status.st_mode)) {
        char link[256] = {};
        if (::readlink(path, link, sizeof link - 1) < 0 || !makeFolders(target))
            return false;
        return ::symlink(link, target.c_str()) == 0;
    }
    const UniqueFd source(::open(path, O_PATH | O_CLOEXEC));
    return source && bindReadOnly(source.get(), target, attributes);
}

} // namespace

Spawned cloneInit(SandboxContext& context)
{
    Spawned spawned;
    std::uint64_t flags = 0;
    for (const NamespaceFlag& one : namespaceFlags) {
        if (!context.wants(one.layer))
            continue;
        if (switchedOff(one.layer)) {
            spawned.failure = {static_cast<int>(one.layer), ENOSYS, "switched off by a test"};
            return spawned;
        }
        flags |= one.flags;
    }
    int gate[2] = {-1, -1};
    if (::pipe2(gate, O_CLOEXEC) != 0) {
        spawned.failure = failedStep(-1, "pipe");
        return spawned;
    }
    UniqueFd hold(gate[0]), release(gate[1]);
    spawned.pid = cloneWith(flags, &spawned.pidfd);
    if (spawned.pid == 0) {
        release.reset();
        runInit(context, hold.get());
    }
    if (spawned.pid < 0) {
        const int error = errno;
        const int layer = blamedLayer(context);
        spawned.failure = {layer, layer < 0 ? error : errno, "clone"};
        return spawned;
    }
    if (context.wants(wire::UserNamespace)) {
        const bool privileged = context.privateUid != 0;
        bool mapped = privileged && mapIdentity(spawned.pid, context.privateUid, context.privateUid, true);
        // A container may own only few identities; its own uid is then the best there is.
        mapped = mapped || mapIdentity(spawned.pid, ::geteuid(), ::getegid(), false);
        if (!mapped) {
            spawned.failure = failedStep(wire::UserNamespace, "uid_map");
            ::kill(spawned.pid, SIGKILL);
            ::close(std::exchange(spawned.pidfd, -1));
            return spawned;
        }
    }
    const char go = 1;
    [[maybe_unused]] const ssize_t written = ::write(release.get(), &go, 1);
    return spawned;
}

StepFailure enterIdentity(const SandboxContext& context)
{
    if (!context.wants(wire::UserNamespace))
        return {};
    // Refused where setgroups is denied, and then there is nothing to give up.
    ::setgroups(0, nullptr);
    if (::setresgid(0, 0, 0) != 0 || ::setresuid(0, 0, 0) != 0)
        return failedStep(wire::UserNamespace, "setresuid");
    return {};
}

StepFailure enterRoot(const SandboxContext& context)
{
    if (!context.wants(wire::MountNamespace)) {
        const std::string& scratch = context.request.scratch;
        return scratch.empty() || ::chdir(scratch.c_str()) == 0 ? StepFailure{} : failedStep(-1, "chdir");
    }
    const auto fail = [](const char* step) { return failedStep(wire::MountNamespace, step); };
    const std::string root = "/tmp";
    const std::uint64_t size = std::max<std::uint64_t>(context.request.policy.limits.fileBytes, 1 << 20);
    const std::string options = "mode=0755,nr_inodes=65536,size=" + std::to_string(size);
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0)
        return fail("mount slave");
    if (::mount("tmpfs", root.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) != 0)
        return fail("mount tmpfs");
    for (const char* path : systemFolders) {
        if (!showSystemPath(root, path, MOUNT_ATTR_NODEV))
            return fail(path);
    }
    for (const char* path : systemDevices) {
        if (!showSystemPath(root, path, MOUNT_ATTR_NOEXEC))
            return fail(path);
    }
    for (std::size_t i = 0; i < context.bindSources.size(); ++i) {
        const std::string& target = context.request.policy.binds[i].target;
        if (target.empty() || target.front() != '/' || target.find("..") != std::string::npos) {
            errno = EINVAL;
            return fail("bind target");
        }
        if (!bindReadOnly(context.bindSources[i].get(), root + target, MOUNT_ATTR_NODEV))
            return fail("bind");
    }
    if (::mkdir((root + scratchInside).c_str(), 0700) != 0)
        return fail("mkdir scratch");
    if (::chdir(root.c_str()) != 0 || ::syscall(SYS_pivot_root, ".", ".") != 0)
        return fail("pivot_root");
    if (::umount2(".", MNT_DETACH) != 0 || ::chdir(scratchInside) != 0)
        return fail("umount old root");
    return {};
}

} // namespace kw
