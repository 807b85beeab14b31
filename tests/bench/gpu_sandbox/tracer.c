/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs a program and reports, for each phase that it announces by prctl(0x4b57, n), which system calls it made and how
 * often, which files it opened, and which ioctl requests it sent. usage: tracer PROGRAM ARGUMENT... > JSON on stderr */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { phases = 8, calls = 512, maxPaths = 4096 };
static unsigned long counts[phases][calls];
static char *paths[maxPaths];
static int pathPhase[maxPaths], pathCount;

static void notePath(pid_t pid, unsigned long address, int phase, const char *what)
{
    char text[512] = "";
    struct iovec here = {text, sizeof text - 1}, there = {(void *)address, sizeof text - 1};
    ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);
    for (size_t size = 256; got < 0 && size >= 16; size /= 2) {
        here.iov_len = there.iov_len = size;
        got = process_vm_readv(pid, &here, 1, &there, 1, 0);
    }
    text[got > 0 ? got : 0] = 0;
    char line[640];
    snprintf(line, sizeof line, "%s %s", what, text);
    for (int i = 0; i < pathCount; ++i)
        if (pathPhase[i] == phase && strcmp(paths[i], line) == 0)
            return;
    if (pathCount < maxPaths) {
        pathPhase[pathCount] = phase;
        paths[pathCount++] = strdup(line);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
    ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
    ptrace(PTRACE_SYSCALL, child, 0, 0);
    static char entering[1 << 22];
    int phase = 0, result = 0;
    for (;;) {
        const pid_t pid = waitpid(-1, &status, __WALL);
        if (pid < 0)
            break;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (pid == child)
                result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int deliver = 0;
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            entering[pid] = !entering[pid];
            if (entering[pid]) {
                struct user_regs_struct regs;
                ptrace(PTRACE_GETREGS, pid, 0, &regs);
                const unsigned long number = regs.orig_rax;
                if (number == SYS_prctl && regs.rdi == 0x4b57 && regs.rsi < phases)
                    phase = (int)regs.rsi;
                if (number < calls)
                    ++counts[phase][number];
                if (number == SYS_openat)
                    notePath(pid, regs.rsi, phase, (regs.rdx & O_ACCMODE) == O_RDONLY ? "read" : "write");
                if (number == SYS_newfstatat || number == SYS_access || number == SYS_readlink || number == SYS_stat)
                    notePath(pid, number == SYS_newfstatat ? regs.rsi : regs.rdi, phase, "stat");
                if (number == SYS_execve)
                    notePath(pid, regs.rdi, phase, "exec");
            } else {
                struct user_regs_struct regs;
                ptrace(PTRACE_GETREGS, pid, 0, &regs);
                const long answer = (long)regs.rax;
                if (answer < 0 && answer > -4096 && answer != -EAGAIN && regs.orig_rax < calls) {
                    char what[64];
                    snprintf(what, sizeof what, "failed syscall %llu errno %ld", regs.orig_rax, -answer);
                    const unsigned long text = regs.orig_rax == SYS_openat || regs.orig_rax == SYS_newfstatat ? regs.rsi : regs.rdi;
                    notePath(pid, text > 4096 ? text : 0, phase, what);
                }
            }
        } else if (status >> 16 == 0 && WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP) {
            deliver = WSTOPSIG(status);
        }
        ptrace(PTRACE_SYSCALL, pid, 0, deliver);
    }
    fprintf(stderr, "{\"exit\": %d, \"phases\": [", result);
    for (int p = 0; p < phases; ++p) {
        fprintf(stderr, "%s{\"syscalls\": {", p ? ", " : "");
        const char *separator = "";
        for (int n = 0; n < calls; ++n)
            if (counts[p][n]) {
                fprintf(stderr, "%s\"%d\": %lu", separator, n, counts[p][n]);
                separator = ", ";
            }
        fprintf(stderr, "}, \"paths\": [");
        separator = "";
        for (int i = 0; i < pathCount; ++i)
            if (pathPhase[i] == p) {
                fprintf(stderr, "%s\"%s\"", separator, paths[i]);
                separator = ", ";
            }
        fprintf(stderr, "]}");
    }
    fprintf(stderr, "]}\n");
    return 0;
}
