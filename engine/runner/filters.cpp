// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner/filters.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>
#include <memory>

namespace kw {
namespace {

class Filter {
public:
    explicit Filter(std::uint32_t otherwise) : m_context(::seccomp_init(otherwise), &::seccomp_release)
    {
        if (m_context)
            ::seccomp_attr_set(m_context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    }
    void add(std::uint32_t action, std::initializer_list<const char*> names)
    {
        for (const char* name : names)
            add(action, name, {});
    }
    /// A call that this architecture does not know needs no rule.
    void add(std::uint32_t action, const char* name, std::initializer_list<scmp_arg_cmp> conditions)
    {
        const int number = ::seccomp_syscall_resolve_name(name);
        if (number < 0 || !m_context)
            return;
        if (::seccomp_rule_add_array(m_context.get(), action, number, static_cast<unsigned>(conditions.size()), conditions.begin()) != 0)
            m_failed = true;
    }
    void everyThread() { ::seccomp_attr_set(m_context.get(), SCMP_FLTATR_CTL_TSYNC, 1); }
    StepFailure load()
    {
        if (!m_context || m_failed)
            return {wire::Seccomp, EINVAL, "seccomp rules"};
        const int result = ::seccomp_load(m_context.get());
        return result == 0 ? StepFailure{} : StepFailure{wire::Seccomp, result < 0 ? -result : EINVAL, "seccomp_load"};
    }

private:
    std::unique_ptr<void, void (*)(scmp_filter_ctx)> m_context;
    bool m_failed = false;
};

/// What no program of ours has a reason to try: the attempt itself ends it.
void killHostile(Filter& filter)
{
    filter.add(SCMP_ACT_KILL_PROCESS, {"ptrace", "process_vm_readv", "process_vm_writev", "bpf", "perf_event_open", "userfaultfd",
        "io_uring_setup", "io_uring_enter", "io_uring_register", "kexec_load", "init_module", "finit_module", "delete_module",
        "mount", "umount2", "pivot_root", "move_mount", "open_tree", "fsopen", "fsmount", "mount_setattr", "setns", "unshare",
        "keyctl", "add_key", "request_key", "open_by_handle_at", "reboot", "swapon", "iopl", "ioperm", "pidfd_getfd",
        "process_madvise", "acct", "quotactl", "settimeofday", "clock_settime", "adjtimex", "clock_adjtime"});
}

/// Threads yes, processes no. clone3 has its flags in memory, where a filter cannot look: ENOSYS makes libc use clone.
void allowThreads(Filter& filter)
{
    filter.add(SCMP_ACT_ERRNO(ENOSYS), {"clone3"});
    filter.add(SCMP_ACT_ALLOW, "clone", {SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM)});
}

void callRules(Filter& filter)
{
    constexpr scmp_datum_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    filter.add(SCMP_ACT_ALLOW, {"mmap", "munmap", "mprotect", "mremap", "brk", "madvise", "close", "read", "pread64", "lseek",
        "fstat", "newfstatat", "futex", "rt_sigprocmask", "rt_sigaction", "rt_sigreturn", "sigaltstack", "sched_getaffinity",
        "set_robust_list", "rseq", "recvfrom", "sendto", "exit", "exit_group", "sched_yield", "clock_gettime", "clock_nanosleep",
        "nanosleep", "gettid", "getpid", "write", "writev", "getrandom", "sysinfo", "getcpu", "restart_syscall", "seccomp", "prctl"});
    filter.add(SCMP_ACT_ALLOW, "openat", {SCMP_A2(SCMP_CMP_MASKED_EQ, writing, O_RDONLY)});
    filter.add(SCMP_ACT_ALLOW, "prlimit64", {SCMP_A2(SCMP_CMP_EQ, 0)});
    // abort() sends itself a signal; anybody else is out of reach, with or without a pid namespace.
    filter.add(SCMP_ACT_ALLOW, "tgkill", {SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(::getpid()))});
    allowThreads(filter);
    filter.add(SCMP_ACT_KILL_PROCESS, {"socket", "socketpair", "connect", "bind", "execve", "execveat", "kill", "tkill", "fork", "vfork",
        "pidfd_send_signal", "pidfd_open", "rt_sigqueueinfo", "rt_tgsigqueueinfo"});
    killHostile(filter);
}

void toolRules(Filter& filter)
{
    filter.add(SCMP_ACT_ALLOW, {"read", "write", "open", "close", "stat", "fstat", "lstat", "newfstatat", "statx", "statfs", "fstatfs",
        "poll", "ppoll", "select", "pselect6", "lseek", "mmap", "mprotect", "munmap", "mremap", "brk", "madvise", "msync", "mincore",
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend", "sigaltstack", "ioctl", "pread64", "pwrite64", "readv",
        "writev", "preadv", "pwritev", "access", "faccessat", "faccessat2", "pipe", "pipe2", "sched_yield", "dup", "dup2", "dup3",
        "nanosleep", "clock_nanosleep", "getitimer", "setitimer", "alarm", "getpid", "getppid", "gettid", "getpgrp", "getpgid",
        "getsid", "sendfile", "copy_file_range", "execve", "execveat", "exit", "exit_group", "wait4", "waitid", "uname", "fcntl",
        "flock", "fsync", "fdatasync", "sync_file_range", "truncate", "ftruncate", "fallocate", "getdents", "getdents64", "getcwd",
        "chdir", "fchdir", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "rmdir", "creat", "link", "linkat", "unlink",
        "unlinkat", "symlink", "symlinkat", "readlink", "readlinkat", "chmod", "fchmod", "fchmodat", "umask", "utime", "utimes",
        "utimensat", "futimesat", "gettimeofday", "time", "clock_gettime", "clock_getres", "getrlimit", "setrlimit", "prlimit64",
        "getrusage", "sysinfo", "times", "getuid", "getgid", "geteuid", "getegid", "getresuid", "getresgid", "getgroups", "arch_prctl",
        "set_tid_address", "set_robust_list", "get_robust_list", "rseq", "futex", "sched_getaffinity", "sched_setaffinity",
        "sched_getparam", "sched_getscheduler", "getpriority", "getcpu", "getrandom", "memfd_create", "eventfd2", "epoll_create1",
        "epoll_ctl", "epoll_wait", "epoll_pwait", "openat", "fadvise64", "readahead", "getxattr", "lgetxattr", "vfork", "fork",
        "restart_syscall", "membarrier", "sendto", "sendmsg", "recvfrom", "recvmsg", "prctl", "tgkill", "pause"});
    filter.add(SCMP_ACT_ERRNO(ENOSYS), {"clone3"});
    constexpr scmp_datum_t namespaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    filter.add(SCMP_ACT_ALLOW, "clone", {SCMP_A0(SCMP_CMP_MASKED_EQ, namespaces, 0)});
    killHostile(filter);
}

} // namespace

StepFailure applyFilter(SandboxPolicy::Role role)
{
    Filter filter(SCMP_ACT_ERRNO(EPERM));
    if (role == SandboxPolicy::Role::Call)
        callRules(filter);
    else
        toolRules(filter);
    return filter.load();
}

StepFailure tightenFilter()
{
    Filter filter(SCMP_ACT_ALLOW);
    filter.add(SCMP_ACT_ERRNO(EPERM), {"openat", "seccomp", "prctl", "newfstatat"});
    filter.add(SCMP_ACT_KILL_PROCESS, "mmap", {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC)});
    filter.add(SCMP_ACT_KILL_PROCESS, "mprotect", {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC)});
    filter.everyThread();
    return filter.load();
}

} // namespace kw
