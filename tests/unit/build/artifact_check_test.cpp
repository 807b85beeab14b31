// SPDX-License-Identifier: GPL-3.0-or-later
#include "build/artifact_check.h"

#include "base/file.h"

#include <gtest/gtest.h>

#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <random>

namespace kw {
namespace {

/// What the system's assembler makes of a text; tests only.
std::string assembled(const std::string& assembly)
{
    const TemporaryFolder folder;
    const std::string source = (folder.path() / "a.s").string(), object = (folder.path() / "a.o").string();
    EXPECT_TRUE(writeFileAtomically(source, assembly).ok());
    EXPECT_EQ(std::system(("as " + source + " -o " + object).c_str()), 0);
    auto bytes = readFile(object);
    return bytes.ok() ? *bytes : "";
}

const std::string function = ".text\n.globl f\n.type f,@function\nf: ret\n.size f,.-f\n";
const std::string stack = ".section .note.GNU-stack,\"\",@progbits\n";

std::vector<std::string> findingsOf(const std::string& assembly)
{
    std::vector<std::string> ids;
    for (const Message& message : checkObject(assembled(assembly)))
        ids.push_back(message.id);
    return ids;
}
using Ids = std::vector<std::string>;

TEST(ArtifactCheck, PlainFunctionPasses)
{
    EXPECT_EQ(findingsOf(function + stack), Ids{});
    EXPECT_EQ(findingsOf(function + ".section .rodata\n.long 1\n.section .data.rel.ro,\"aw\"\n.quad f\n" + stack), Ids{});
    EXPECT_EQ(findingsOf(".text\nf: call powf@PLT\ncall GOMP_barrier@PLT\n" + stack), Ids{});
}

TEST(ArtifactCheck, EachRuleFindsItsOwn)
{
    EXPECT_EQ(findingsOf(function + ".data\n.long 1\n" + stack), Ids{"artifact.writable_data"});
    EXPECT_EQ(findingsOf(function + ".bss\n.zero 4\n" + stack), Ids{"artifact.writable_data"});
    EXPECT_EQ(findingsOf(function + ".comm shared,8,8\n" + stack), Ids{"artifact.writable_data"});
    EXPECT_EQ(findingsOf(function + ".section .tbss,\"awT\",@nobits\n.zero 4\n" + stack), Ids{"artifact.thread_local"});
    EXPECT_EQ(findingsOf(function + ".section .init_array,\"aw\"\n.quad f\n" + stack), Ids{"artifact.constructor"});
    EXPECT_EQ(findingsOf(function + ".section .ctors,\"aw\"\n.quad f\n" + stack), Ids{"artifact.constructor"});
    EXPECT_EQ(findingsOf(function + ".section .fini_array.00001,\"aw\",@fini_array\n.quad f\n" + stack), Ids{"artifact.constructor"});
    EXPECT_EQ(findingsOf(function + ".section .wx,\"awx\"\n.long 1\n" + stack), Ids{"artifact.writable_code"});
    EXPECT_EQ(findingsOf(function), Ids{"artifact.executable_stack"});
    EXPECT_EQ(findingsOf(function + ".section .note.GNU-stack,\"x\",@progbits\n"), Ids{"artifact.executable_stack"});
    EXPECT_EQ(findingsOf(".text\n.globl f\n.type f,@gnu_indirect_function\nf: ret\n" + stack), Ids{"artifact.indirect_function"});
    EXPECT_EQ(findingsOf(function + ".type data,@object\ndata: .long 1\n.size data,4\n" + stack), Ids{"artifact.data_in_code"});
    EXPECT_EQ(findingsOf(".text\nf: call system@PLT\n" + stack), Ids{"artifact.symbol"});
}

TEST(ArtifactCheck, OtherFilesAreNoObjects)
{
    for (const std::string& bytes : {std::string(), std::string("\x7f""ELF"), std::string(4096, '\0'), std::string("#!/bin/sh\n")}) {
        ASSERT_FALSE(checkObject(bytes).empty());
        EXPECT_EQ(checkObject(bytes)[0].id, "artifact.not_elf");
        EXPECT_EQ(checkLibrary(bytes)[0].id, "artifact.not_elf");
    }
    EXPECT_EQ(checkLibrary(assembled(function + stack))[0].id, "artifact.not_elf") << "an object is no library";
}

TEST(ArtifactCheck, DamagedFilesNeitherCrashNorHang)
{
    const std::string whole = assembled(function + ".data\n.long 1\n" + stack);
    for (std::size_t size = 0; size < whole.size(); size += 7)
        checkObject(std::string_view(whole).substr(0, size));
    std::mt19937_64 random(11);
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = whole;
        for (int change = 0; change < 8; ++change)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        checkObject(bytes);
        bytes[16] = ET_DYN;
        checkLibrary(bytes);
    }
}

} // namespace
} // namespace kw
