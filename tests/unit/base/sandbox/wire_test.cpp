// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sandbox/wire.h"

#include <gtest/gtest.h>

#include <random>

namespace kw::wire {
namespace {

SpawnRequest sample()
{
    SpawnRequest request;
    request.layers = bit(Seccomp) | bit(Landlock);
    request.policy.role = SandboxPolicy::Role::Call;
    request.policy.limits = {1, 2, 3, 4, 5, 6};
    request.policy.binds = {{"/a b", "/c"}};
    request.policy.files = {{"one", ""}, {"two", ""}};
    request.fileSizes = {7, 8};
    request.policy.collect = {"out"};
    request.policy.environment = {"A=1", std::string("B=\0x", 4)};
    request.policy.cpus = {0, 3};
    request.policy.unsafe = true;
    request.arguments = {"/bin/true", ""};
    request.targets = {3, 9};
    request.scratch = "/scratch";
    return request;
}

TEST(SandboxWire, RequestsComeBackAsTheyWere)
{
    const auto decoded = decode(encode(sample()));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->policy, sample().policy);
    EXPECT_EQ(decoded->layers, sample().layers);
    EXPECT_EQ(decoded->fileSizes, sample().fileSizes);
    EXPECT_EQ(decoded->arguments, sample().arguments);
    EXPECT_EQ(decoded->targets, sample().targets);
    EXPECT_EQ(decoded->scratch, sample().scratch);
}

TEST(SandboxWire, EveryCutAndEveryExtraByteIsRefused)
{
    const std::string whole = encode(sample());
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(decode(std::string_view(whole).substr(0, size))) << size;
    EXPECT_FALSE(decode(whole + "x"));
}

TEST(SandboxWire, HostileBytesNeitherCrashNorAllocate)
{
    std::mt19937_64 random(7);
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = encode(sample());
        for (int change = 0; change < 4; ++change)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        decode(bytes);
    }
}

TEST(SandboxWire, MinimumNeedsAFilterAndAFileBarrier)
{
    EXPECT_TRUE(isMinimum(bit(Seccomp) | bit(Landlock)));
    EXPECT_TRUE(isMinimum(bit(Seccomp) | bit(MountNamespace)));
    EXPECT_FALSE(isMinimum(bit(Seccomp) | bit(UserNamespace) | bit(PidNamespace) | bit(NetworkNamespace)));
    EXPECT_FALSE(isMinimum(allLayers & ~bit(Seccomp)));
}

} // namespace
} // namespace kw::wire
