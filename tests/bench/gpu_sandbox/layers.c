/* SPDX-License-Identifier: GPL-3.0-or-later
 * Puts chosen sandbox layers around a program and runs it, to learn which of them a GPU driver tolerates.
 * usage: layers LAYER[,LAYER...] PROGRAM ARGUMENT...
 * LAYER: none user pid net ipc uts mount (new root with /usr, /lib*, /dev/nvidia*, /proc, /sys read-only) mountnoproc
 *        mountnosys noshm freshproc (a /proc of the new pid namespace) landlock lockshm (landlock, but /dev and /tmp are writable) nosocket caps nofile=N nproc=N fsize=N as=GIB nodump seccomp (network, files for writing, process
 *        control and kernel interfaces answer EPERM) */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void need(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "layers: %s: %s\n", what, strerror(errno));
        exit(99);
    }
}

static void writeText(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY);
    need(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text), path);
    close(file);
}

static void makeFolders(char *path)
{
    for (char *at = path + 1; *at; ++at)
        if (*at == '/') {
            *at = 0;
            mkdir(path, 0755);
            *at = '/';
        }
}

static void bindInto(const char *root, const char *source, int device)
{
    struct stat status;
    char target[512];
    if (stat(source, &status) != 0)
        return;
    snprintf(target, sizeof target, "%s%s", root, source);
    makeFolders(target);
    if (S_ISDIR(status.st_mode))
        mkdir(target, 0755);
    else
        close(open(target, O_CREAT | O_WRONLY, 0644));
    need(mount(source, target, NULL, MS_BIND | MS_REC, NULL) == 0, target);
    if (!device)
        mount(NULL, target, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID, NULL);
}

static void newRoot(int proc, int sys, int shm, const char *folder)
{
    char root[] = "/tmp/layers.XXXXXX";
    need(mkdtemp(root) != NULL, "mkdtemp");
    need(mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0, "slave mounts");
    need(mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, "size=16m") == 0, "tmpfs");
    const char *folders[] = {"/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/usr/local", "/opt", NULL};
    for (int i = 0; folders[i]; ++i)
        bindInto(root, folders[i], 0);
    bindInto(root, folder, 0);
    glob_t devices;
    if (glob("/dev/nvidia*", 0, NULL, &devices) == 0)
        for (size_t i = 0; i < devices.gl_pathc; ++i)
            bindInto(root, devices.gl_pathv[i], 1);
    bindInto(root, "/dev/null", 1);
    bindInto(root, "/dev/urandom", 1);
    char place[600];
    snprintf(place, sizeof place, "%s/dev/shm", root);
    mkdir(place, 0777);
    if (shm)
        need(mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, "size=16m") == 0, place);
    snprintf(place, sizeof place, "%s/tmp", root);
    mkdir(place, 0777);
    snprintf(place, sizeof place, "%s/proc", root);
    mkdir(place, 0755);
    if (proc == 2)
        need(mount("proc", place, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0, "fresh /proc");
    if (proc == 1)
        bindInto(root, "/proc", 1);
    if (sys)
        bindInto(root, "/sys", 0);
    char old[600];
    snprintf(old, sizeof old, "%s/old", root);
    mkdir(old, 0700);
    need(syscall(SYS_pivot_root, root, old) == 0, "pivot_root");
    need(chdir("/") == 0 && umount2("/old", MNT_DETACH) == 0, "detach the old root");
    need(chdir(folder) == 0, "chdir");
}

static void landlock(int shm)
{
    const __u64 writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE
        | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK
        | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
    const __u64 reading = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    struct landlock_ruleset_attr attributes = {.handled_access_fs = writing | reading};
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0);
    need(rules >= 0, "landlock_create_ruleset");
    glob_t devices;
    memset(&devices, 0, sizeof devices);
    glob("/dev/nvidia*", 0, NULL, &devices);
    const char *readable[] = {"/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/proc", "/sys", "/dev/urandom", "/opt", ".", NULL};
    for (int i = 0; readable[i]; ++i) {
        struct stat status;
        struct landlock_path_beneath_attr path = {.parent_fd = open(readable[i], O_PATH | O_CLOEXEC)};
        if (path.parent_fd < 0 || fstat(path.parent_fd, &status) != 0)
            continue;
        path.allowed_access = S_ISDIR(status.st_mode) ? reading : LANDLOCK_ACCESS_FS_READ_FILE;
        need(syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &path, 0) == 0, readable[i]);
    }
    for (size_t i = 0; i <= devices.gl_pathc; ++i) {
        const char *name = i < devices.gl_pathc ? devices.gl_pathv[i] : "/dev/null";
        struct stat status;
        struct landlock_path_beneath_attr path = {.parent_fd = open(name, O_PATH | O_CLOEXEC)};
        if (path.parent_fd < 0 || fstat(path.parent_fd, &status) != 0)
            continue;
        path.allowed_access = S_ISDIR(status.st_mode) ? reading : LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
        need(syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &path, 0) == 0, name);
    }
    const char *writable[] = {"/dev", "/tmp", "/proc", NULL};
    for (int i = 0; shm && writable[i]; ++i) {
        struct landlock_path_beneath_attr path = {.allowed_access = writing | reading, .parent_fd = open(writable[i], O_PATH | O_CLOEXEC)};
        if (path.parent_fd >= 0)
            need(syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &path, 0) == 0, writable[i]);
    }
    need(syscall(SYS_landlock_restrict_self, rules, 0) == 0, "landlock_restrict_self");
}

/* The first `few` of the list stay allowed: 6 are the socket calls, 31 everything up to folders. */
static void seccompFilter(int few)
{
    const int refused[] = {SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_ptrace, SYS_process_vm_readv,
        SYS_process_vm_writev, SYS_bpf, SYS_perf_event_open, SYS_io_uring_setup, SYS_userfaultfd, SYS_keyctl, SYS_add_key,
        SYS_kexec_load, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_unshare, SYS_setns, SYS_fork, SYS_vfork, SYS_kill,
        SYS_memfd_create, SYS_mknod, SYS_mknodat, SYS_unlink, SYS_unlinkat, SYS_rename, SYS_renameat2, SYS_mkdir, SYS_mkdirat,
        SYS_symlink, SYS_link, SYS_chmod, SYS_fchmod, SYS_truncate, SYS_ftruncate, SYS_shmget, SYS_msgget, SYS_mq_open, SYS_swapon,
        SYS_personality, SYS_setuid, SYS_setgid};
    enum { count = sizeof refused / sizeof *refused };
    struct sock_filter code[count * 2 + 8];
    int n = 0;
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = few; i < count; ++i) {
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)refused[i], 0, 1);
        code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    }
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {(unsigned short)n, code};
    need(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0, "seccomp");
}

static int has(const char *layers, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = layers; (at = strstr(at, name)) != NULL; ++at)
        if ((at == layers || at[-1] == ',') && (at[length] == ',' || at[length] == 0 || at[length] == '='))
            return 1;
    return 0;
}

static void limit(const char *layers, const char *name, int resource, unsigned long unit)
{
    const char *at = strstr(layers, name);
    if (!at || !has(layers, name))
        return;
    const unsigned long value = strtoul(at + strlen(name) + 1, NULL, 10) * unit;
    const struct rlimit bound = {value, value};
    need(setrlimit(resource, &bound) == 0, name);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    const char *layers = argv[1];
    char folder[512];
    need(getcwd(folder, sizeof folder) != NULL, "getcwd");
    int flags = 0;
    const int uid = (int)getuid(), gid = (int)getgid();
    const int mounts = has(layers, "mount") || has(layers, "mountnoproc") || has(layers, "mountnosys") || has(layers, "noshm");
    if (has(layers, "user")) flags |= CLONE_NEWUSER;
    if (has(layers, "pid")) flags |= CLONE_NEWPID;
    if (has(layers, "net")) flags |= CLONE_NEWNET;
    if (has(layers, "ipc")) flags |= CLONE_NEWIPC;
    if (has(layers, "uts")) flags |= CLONE_NEWUTS;
    if (mounts || has(layers, "freshproc")) flags |= CLONE_NEWNS;
    if (flags)
        need(unshare(flags) == 0, "unshare");
    if (flags & CLONE_NEWUSER) {
        char text[64];
        snprintf(text, sizeof text, "0 %d 1", uid);
        writeText("/proc/self/setgroups", "deny");
        writeText("/proc/self/uid_map", text);
        snprintf(text, sizeof text, "0 %d 1", gid);
        writeText("/proc/self/gid_map", text);
    }
    const pid_t child = fork();
    if (child == 0) {
        if (mounts)
            newRoot(has(layers, "freshproc") ? 2 : !has(layers, "mountnoproc"), !has(layers, "mountnosys"), !has(layers, "noshm"), folder);
        else if (has(layers, "freshproc"))
            need(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && mount("proc", "/proc", "proc", 0, NULL) == 0, "fresh /proc");
        limit(layers, "nofile", RLIMIT_NOFILE, 1);
        limit(layers, "fsize", RLIMIT_FSIZE, 1);
        limit(layers, "as", RLIMIT_AS, 1ul << 30);
        limit(layers, "nproc", RLIMIT_NPROC, 1);
        need(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
        if (has(layers, "landlock") || has(layers, "lockshm"))
            landlock(has(layers, "lockshm"));
        if (has(layers, "caps"))
            for (int capability = 0; capability < 64; ++capability)
                prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
        if (has(layers, "nodump"))
            prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        if (has(layers, "seccomp"))
            seccompFilter(0);
        if (has(layers, "nosocket"))
            seccompFilter(6);
        execv(argv[2], argv + 2);
        need(0, argv[2]);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
