// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cpu_lock.h"

#include "base/file.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>

namespace kw {
namespace {

class CpuLockTest : public testing::Test {
protected:
    CpuLockTest()
    {
        if (const char* before = std::getenv("XDG_RUNTIME_DIR"))
            m_before = before;
        ::setenv("XDG_RUNTIME_DIR", m_folder.path().c_str(), 1);
    }
    ~CpuLockTest() override
    {
        if (m_before)
            ::setenv("XDG_RUNTIME_DIR", m_before->c_str(), 1);
        else
            ::unsetenv("XDG_RUNTIME_DIR");
    }

    TemporaryFolder m_folder;
    std::optional<std::string> m_before;
};

TEST_F(CpuLockTest, ManyShareAndOneIsAlone)
{
    std::optional<CpuLock> first, second;
    first.emplace(*CpuLock::acquire(CpuLock::Mode::Shared));
    second.emplace(*CpuLock::acquire(CpuLock::Mode::Shared));
    std::stop_source stop;
    std::jthread impatient([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        stop.request_stop();
    });
    const auto alone = CpuLock::acquire(CpuLock::Mode::Alone, stop.get_token());
    ASSERT_FALSE(alone);
    EXPECT_EQ(alone.error().message.id, "judge.stopped");
    first.reset();
    second.reset();
    EXPECT_TRUE(CpuLock::acquire(CpuLock::Mode::Alone));
}

TEST_F(CpuLockTest, WhoMeasuresAgainAndAgainLetsOthersIn)
{
    // Without a turn for those who wait, this thread would take the lock back before anybody else looks.
    std::atomic<bool> served = false;
    std::optional<CpuLock> held(*CpuLock::acquire(CpuLock::Mode::Alone));
    std::jthread other([&] {
        const auto turn = CpuLock::acquire(CpuLock::Mode::Shared);
        served = turn.ok();
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    int rounds = 0;
    while (!served && rounds < 1000) {
        held.reset();
        held.emplace(*CpuLock::acquire(CpuLock::Mode::Alone));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ++rounds;
    }
    EXPECT_LE(rounds, 5);
}

} // namespace
} // namespace kw
