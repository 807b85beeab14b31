// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/arena.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

namespace kw {
namespace {

ArenaLayout layoutOf(std::vector<ArenaBuffer> buffers, std::uint32_t slots = 2)
{
    ArenaLayout layout;
    layout.buffers = std::move(buffers);
    layout.slots = slots;
    return layout;
}

/// How a child ends that does `work`; 0 = it lived.
template <typename Work> int signalOf(Work work)
{
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::signal(SIGSEGV, SIG_DFL);
        work();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(ArenaPlan, TensorsEndAtAGuardPageUpToTheirAlignment)
{
    for (const std::uint32_t alignment : {1U, 4U, 64U, 4096U}) {
        for (const std::uint64_t bytes : {0ULL, 1ULL, 4ULL, 63ULL, 4096ULL, 5000ULL, 100000ULL}) {
            for (const std::uint32_t offset : {0U, alignment / 4}) {
                const auto plan = planArena(layoutOf({{bytes, alignment, offset, BufferRole::Output, false}}));
                ASSERT_TRUE(plan.ok());
                for (const ArenaRegion& region : plan->regions) {
                    EXPECT_EQ(region.mapOffset % 4096, 0U);
                    EXPECT_EQ(region.pageBytes % 4096, 0U);
                    EXPECT_EQ((region.mapOffset + region.dataOffset) % alignment, offset);
                    const std::uint64_t tail = region.pageBytes - region.dataOffset - region.dataBytes;
                    EXPECT_LT(tail, alignment);
                    EXPECT_GE(region.dataOffset, 64U);
                }
                EXPECT_GE(plan->regions[1].mapOffset, plan->regions[0].mapOffset + plan->regions[0].pageBytes + 4096);
                EXPECT_GE(plan->mapBytes, plan->regions[1].mapOffset + plan->regions[1].pageBytes + 4096);
            }
        }
    }
}

TEST(ArenaPlan, RefusesBadLayouts)
{
    EXPECT_FALSE(planArena(layoutOf({})).ok());
    EXPECT_FALSE(planArena(layoutOf({{4, 3, 0, BufferRole::Input, false}})).ok());
    EXPECT_FALSE(planArena(layoutOf({{4, 64, 64, BufferRole::Input, false}})).ok());
    EXPECT_FALSE(planArena(layoutOf({{4, 8192, 0, BufferRole::Input, false}})).ok());
    EXPECT_FALSE(planArena(layoutOf({{~std::uint64_t{0}, 64, 0, BufferRole::Input, false}})).ok());
    EXPECT_FALSE(planArena(layoutOf({{4, 4, 0, BufferRole::Input, false}}, 0)).ok());
    EXPECT_FALSE(planArena(layoutOf({{4, 4, 0, BufferRole::Input, false}}, 100000)).ok());
    const auto large = planArena(layoutOf({{1 << 20, 64, 0, BufferRole::Input, false}}, 64), 1 << 20);
    ASSERT_FALSE(large.ok());
    EXPECT_EQ(large.error().message.id, "arena.too_large");
}

TEST(Arena, PoisonIsRecognisedUntilOneByteChanges)
{
    auto arena = Arena::create(layoutOf({{10, 64, 0, BufferRole::Input, false}, {1003, 64, 0, BufferRole::Output, false}, {0, 64, 0, BufferRole::Output, false},
        {64, 64, 0, BufferRole::Workspace, false}}));
    ASSERT_TRUE(arena.ok());
    for (const Poison kind : {Poison::AllOnes, Poison::QuietNan, Poison::Huge}) {
        arena->poison(1, kind);
        EXPECT_TRUE(arena->stillPoisoned(1, 1, kind));
        EXPECT_TRUE(arena->stillPoisoned(1, 3, kind));
        EXPECT_FALSE(arena->stillPoisoned(1, 2, kind));
        arena->bytes(1, 1)[1002] ^= std::byte{1};
        EXPECT_FALSE(arena->stillPoisoned(1, 1, kind));
    }
    EXPECT_FALSE(arena->stillPoisoned(1, 3, Poison::AllOnes));
    for (const std::byte byte : arena->bytes(0, 0))
        EXPECT_EQ(byte, std::byte{0});
}

TEST(Arena, CanariesStandOnBothSides)
{
    auto arena = Arena::create(layoutOf({{100, 64, 0, BufferRole::Output, false}}));
    ASSERT_TRUE(arena.ok());
    ASSERT_TRUE(arena->canaryIntact(0, 0));
    const std::span<std::byte> bytes = arena->bytes(0, 0);
    for (std::byte* beside : {bytes.data() - 1, bytes.data() + bytes.size()}) {
        *beside = std::byte{0};
        EXPECT_FALSE(arena->canaryIntact(0, 0));
        EXPECT_TRUE(arena->canaryIntact(1, 0));
        arena->poison(0, Poison::AllOnes);
        EXPECT_TRUE(arena->canaryIntact(0, 0));
    }
}

TEST(ArenaView, BothSidesSeeTheSameBytes)
{
    auto arena = Arena::create(layoutOf({{100, 64, 4, BufferRole::Input, false}, {5000, 32, 0, BufferRole::Output, false}}, 3));
    ASSERT_TRUE(arena.ok());
    auto view = ArenaView::map(arena->layout(), arena->inputFd(), arena->outputFd());
    ASSERT_TRUE(view.ok());
    for (std::uint32_t slot = 0; slot < 3; ++slot) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view->address(slot, 0)) % 64, 4U);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view->address(slot, 1)) % 32, 0U);
        arena->bytes(slot, 0)[99] = std::byte(slot + 1);
        EXPECT_EQ(static_cast<std::byte*>(view->address(slot, 0))[99], std::byte(slot + 1));
        static_cast<std::byte*>(view->address(slot, 1))[0] = std::byte(slot + 7);
        EXPECT_EQ(arena->bytes(slot, 1)[0], std::byte(slot + 7));
    }
}

TEST(ArenaView, GuardPagesTrapAndInputsAreReadOnly)
{
    auto arena = Arena::create(layoutOf({{4096, 64, 0, BufferRole::Input, false}, {4096, 64, 0, BufferRole::Output, false}}));
    ASSERT_TRUE(arena.ok());
    auto view = ArenaView::map(arena->layout(), arena->inputFd(), arena->outputFd());
    ASSERT_TRUE(view.ok());
    auto* input = static_cast<volatile char*>(view->address(0, 0));
    auto* output = static_cast<volatile char*>(view->address(0, 1));
    EXPECT_EQ(signalOf([&] { output[4095] = 1; }), 0);
    EXPECT_EQ(signalOf([&] { output[4096] = 1; }), SIGSEGV);
    EXPECT_EQ(signalOf([&] { static_cast<void>(input[4096]); }), SIGSEGV);
    EXPECT_EQ(signalOf([&] { static_cast<void>(input[-4097]); }), SIGSEGV);
    EXPECT_EQ(signalOf([&] { input[0] = 1; }), SIGSEGV);
}

TEST(Arena, TheRunnerCanNeverWriteInputsNorCutTheFiles)
{
    auto arena = Arena::create(layoutOf({{4096, 64, 0, BufferRole::Input, false}, {4096, 64, 0, BufferRole::Output, false}}));
    ASSERT_TRUE(arena.ok());
    EXPECT_EQ(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, arena->inputFd(), 0), MAP_FAILED);
    void* readable = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, arena->inputFd(), 0);
    ASSERT_NE(readable, MAP_FAILED);
    EXPECT_NE(::mprotect(readable, 4096, PROT_READ | PROT_WRITE), 0);
    ::munmap(readable, 4096);
    for (const int file : {arena->inputFd(), arena->outputFd()}) {
        EXPECT_NE(::ftruncate(file, 0), 0);
        EXPECT_NE(::ftruncate(file, 1 << 20), 0);
    }
    // Our own mapping still writes.
    arena->bytes(0, 0)[0] = std::byte{9};
    EXPECT_EQ(arena->bytes(0, 0)[0], std::byte{9});
}

} // namespace
} // namespace kw
