/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a runner of GPU candidates does, step by step, with the time of each: initialise the driver, make a context, load a
 * cubin, allocate, launch, copy back. Prints one JSON object. usage: probe CUBIN [FUNCTION]; the default function is fill, spin never ends,
 * late closes the door (Landlock without any rule, no capability, a strict seccomp list) before the first launch
 * Phase changes are visible to a tracer as prctl(0x4b57, phase). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef int CUresult;
typedef int CUdevice;
typedef void *CUcontext, *CUmodule, *CUfunction, *CUstream;
typedef unsigned long long CUdeviceptr;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double started;
static const char *failed;
static int code, steps;

static void step(const char *name, CUresult result)
{
    const double t = now();
    printf("%s\"%s\": {\"result\": %d, \"seconds\": %.6f}", steps++ ? ", " : "", name, result, t - started);
    fflush(stdout);
    if (result != 0 && failed == NULL) {
        failed = name;
        code = result;
    }
    started = now();
}

static void phase(int number) { prctl(0x4b57, number, 0, 0, 0); }

/* Returns 0 when every layer stands. */
static int closeTheDoor(void)
{
    struct landlock_ruleset_attr attributes = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0);
    if (rules < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_landlock_restrict_self, rules, 0) != 0)
        return errno;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    const int allowed[] = {SYS_read, SYS_write, SYS_close, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_madvise, SYS_brk, SYS_futex, SYS_ioctl,
        SYS_poll, SYS_sched_yield, SYS_clock_gettime, SYS_exit_group, SYS_exit, SYS_prctl, SYS_rt_sigprocmask, SYS_rt_sigreturn};
    enum { count = sizeof allowed / sizeof *allowed };
    struct sock_filter filter[count * 2 + 8];
    int n = 0;
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < count; ++i) {
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i], 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    struct sock_fprog program = {(unsigned short)n, filter};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0 ? 0 : errno;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const int late = argc > 2 && strcmp(argv[2], "late") == 0;
    static char image[1 << 20];
    FILE *file = fopen(argv[1], "rb");
    const size_t size = file ? fread(image, 1, sizeof image, file) : 0;
    if (file)
        fclose(file);
    printf("{");
    started = now();
    void *cuda = dlopen("libcuda.so.1", RTLD_NOW);
    if (!cuda) {
        printf("\"error\": \"libcuda.so.1 cannot be loaded\"}\n");
        return 3;
    }
#define CU(name) CUresult (*name)() = (CUresult(*)())dlsym(cuda, #name)
    CU(cuInit); CU(cuDeviceGet); CU(cuCtxCreate_v2); CU(cuModuleLoadData); CU(cuModuleGetFunction); CU(cuMemAlloc_v2);
    CU(cuLaunchKernel); CU(cuCtxSynchronize); CU(cuMemcpyDtoH_v2);
    phase(1);
    step("init", cuInit(0));
    CUdevice device = 0;
    CUcontext context = NULL;
    if (!failed)
        step("device", cuDeviceGet(&device, 0));
    if (!failed)
        step("context", cuCtxCreate_v2(&context, 0u, device));
    CUmodule module = NULL;
    CUfunction function = NULL;
    CUdeviceptr memory = 0;
    phase(2);
    if (!failed)
        step("load", size ? cuModuleLoadData(&module, image) : -1);
    if (!failed)
        step("function", cuModuleGetFunction(&function, module, argc > 2 && !late ? argv[2] : "fill"));
    if (!failed)
        step("allocate", cuMemAlloc_v2(&memory, (size_t)1 << 30));
    phase(3);
    if (late && !failed)
        step("close the door", closeTheDoor());
    int count = 1 << 20;
    void *arguments[] = {&memory, &count};
    if (!failed)
        step("launch", cuLaunchKernel(function, 1024u, 1u, 1u, 1024u, 1u, 1u, 0u, (CUstream)NULL, arguments, (void **)NULL));
    if (!failed)
        step("synchronise", cuCtxSynchronize());
    int *host = malloc(sizeof(int) << 20);
    if (!failed)
        step("copy", cuMemcpyDtoH_v2(host, memory, sizeof(int) << 20));
    phase(4);
    for (int i = 0; i < 200 && !failed; ++i) {
        const CUresult result = cuLaunchKernel(function, 1024u, 1u, 1u, 1024u, 1u, 1u, 0u, (CUstream)NULL, arguments, (void **)NULL);
        if (result != 0 || cuCtxSynchronize() != 0)
            step("steady", result ? result : -2);
    }
    if (!failed)
        step("steady", 0);
    phase(5);
    int right = !failed;
    for (int i = 0; right && i < count; ++i)
        right = host[i] == i * 3 + 1;
    printf(", \"right\": %s}\n", right ? "true" : "false");
    return right ? 0 : 1;
}
