// SPDX-License-Identifier: GPL-3.0-or-later
// The disassembly is written by hand in objdump's form; encodings are those of the processor's manual.
#include "build/artifact_check.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

const std::string head = "\nunit.o:     file format elf64-x86-64\n\n\nDisassembly of section .text:\n\n0000000000000000 <scale>:\n";

std::vector<std::string> idsOf(const std::vector<Message>& messages)
{
    std::vector<std::string> ids;
    for (const Message& message : messages)
        ids.push_back(message.id);
    return ids;
}

TEST(InstructionCheck, HonestCodePasses)
{
    EXPECT_TRUE(checkInstructions(head +
        "   0:\ttest   %rdx,%rdx\n   3:\tjle    1f <scale+0x1f>\n   9:\tvmovups (%rdi,%rax,4),%ymm0\n   e:\tvfmadd132ps %ymm1,%ymm2,%ymm0\n"
        "  13:\tcall   18 <scale+0x18>\n  18:\trep stos %al,%es:(%rdi)\n  1a:\tjmp    9 <scale+0x9>\n  1f:\tjmp    24 <scale+0x24>\n").empty());
}

TEST(InstructionCheck, EachForbiddenInstructionIsNamedWithItsAddress)
{
    for (const char* one : {"syscall", "sysenter", "int    $0x80", "rdtsc", "rdtscp", "wrpkru", "cpuid", "rdrand %eax", "(bad)", "lock rdtsc", "notrack syscall"}) {
        const auto findings = checkInstructions(head + "   0:\tnop\n  1a:\t" + one + "\n  20:\tret\n");
        ASSERT_EQ(findings.size(), 1U) << one;
        EXPECT_EQ(findings[0].id, "artifact.instruction") << one;
        EXPECT_EQ(findings[0].arguments[1].second, MessageValue("0x1a"));
    }
    EXPECT_EQ(idsOf(checkInstructions(head + "   0:\tvldmxcsr (%rsp)\n")), std::vector<std::string>{"artifact.control_register"});
    EXPECT_EQ(idsOf(checkInstructions(head + "   0:\tmov    %fs:0x28,%rax\n")), std::vector<std::string>{"artifact.segment"});
}

TEST(InstructionCheck, BranchesMustBeDirectAndHitABoundary)
{
    for (const char* one : {"jmp    *%rax", "call   *0x8(%rdi)", "notrack jmp *%rax", "bnd call *%rdx"})
        EXPECT_EQ(idsOf(checkInstructions(head + "   0:\t" + one + "\n   8:\tret\n")), std::vector<std::string>{"artifact.indirect_branch"}) << one;
    EXPECT_EQ(idsOf(checkInstructions(head + "   0:\tjmp    3 <scale+0x3>\n   2:\tmov    $0x90050f,%eax\n   7:\tret\n")),
        std::vector<std::string>{"artifact.branch_into_instruction"});
    // Addresses count per section.
    EXPECT_TRUE(checkInstructions(head + "   0:\tjmp    4 <scale+0x4>\n   4:\tret\n\nDisassembly of section .text.unlikely:\n\n0000000000000000 <scale.cold>:\n   0:\tud2\n").empty());
}

TEST(InstructionCheck, NothingDecodedIsNoPass) { EXPECT_EQ(idsOf(checkInstructions("garbage\n")), std::vector<std::string>{"artifact.no_code"}); }

TEST(AssemblyCheck, OnlyEmptyTemplatesPass)
{
    const std::string before = "scale:\n\tmovl $1, %eax\n#APP\n# 33 \"/kernel/kw/math.h\" 1\n\t";
    const std::string after = "\n# 0 \"\" 2\n#NO_APP\n\tret\n";
    EXPECT_TRUE(checkAssembly(before + after).empty());
    const auto findings = checkAssembly(before + "syscall" + after);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0], Message("artifact.inline_assembly").with("place", "33 \"/kernel/kw/math.h\"").with("text", "syscall"));
}

TEST(Symbols, ArithmeticAndThreadsOnly)
{
    for (const char* name : {"expf", "exp", "expl", "powf", "sincosf", "memcpy", "memset", "GOMP_parallel", "GOMP_barrier", "GOMP_loop_nonmonotonic_dynamic_start",
             "omp_get_thread_num", "__powisf2"})
        EXPECT_TRUE(symbolAllowed(name)) << name;
    for (const char* name : {"dlopen", "pthread_create", "syscall", "mprotect", "mmap", "malloc", "_Znwm", "open", "exit", "omp_get_wtime", "omp_set_num_threads",
             "GOMP_target", "clock_gettime", "f", "l", "", "expff", "__cxa_atexit", "environ"})
        EXPECT_FALSE(symbolAllowed(name)) << name;
}

} // namespace
} // namespace kw
