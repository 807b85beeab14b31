// SPDX-License-Identifier: GPL-3.0-or-later
// A session keeps the machine awake exactly while it works.
#include "host_fixture.h"

#include "base/sleep_guard.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

namespace kw {
namespace {

namespace fs = std::filesystem;

/// Puts a systemd-inhibit of our own first in PATH; it says when it begins and when it has ended.
class SleepTest : public test::HostTest {
protected:
    SleepTest() : m_path(std::getenv("PATH")) {}
    ~SleepTest() override { ::setenv("PATH", m_path.c_str(), 1); }

    void install()
    {
        const fs::path tools = m_folder.path() / "tools", program = tools / "systemd-inhibit";
        fs::create_directories(tools);
        ASSERT_TRUE(writeFileAtomically(program, "#!/bin/sh\necho \"$*\" >> '" + m_begun.string() + "'\ncat\necho >> '" + m_ended.string() + "'\n"));
        fs::permissions(program, fs::perms::owner_all);
        ::setenv("PATH", (tools.string() + ":" + m_path).c_str(), 1);
    }
    static bool comes(const fs::path& file)
    {
        for (int round = 0; round < 500 && !fs::exists(file); ++round)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return fs::exists(file);
    }

    std::string m_path;
    fs::path m_begun = m_folder.path() / "begun", m_ended = m_folder.path() / "ended";
};

TEST_F(SleepTest, TheMachineStaysAwakeWhileASearchRunsAndNoLonger)
{
    install();
    m_fake.delaySeconds = 0.2; // long enough to be seen
    const auto host = start(options({"time 0.5", "wrong"}));
    ASSERT_TRUE(search(*host->client()));
    ASSERT_TRUE(comes(m_begun));
    EXPECT_NE(readFile(m_begun)->find("--what=sleep:idle"), std::string::npos);
    EXPECT_TRUE(comes(m_ended)) << "the search is over, the host is still there";
}

TEST_F(SleepTest, AGuardEndsWithItsOwnerAndIsTakenOnce)
{
    install();
    {
        SleepGuard guard;
        guard.hold();
        guard.hold();
        ASSERT_TRUE(comes(m_begun));
        EXPECT_TRUE(guard.held());
        EXPECT_FALSE(fs::exists(m_ended));
    }
    EXPECT_FALSE(SleepGuard().held());
    const std::string begun = *readFile(m_begun);
    EXPECT_EQ(std::count(begun.begin(), begun.end(), '\n'), 1);
}

TEST_F(SleepTest, AMachineWithoutASessionManagerIsNotTroubled)
{
    ::setenv("PATH", m_folder.path().c_str(), 1);
    SleepGuard guard;
    guard.hold();
    for (int round = 0; round < 500 && guard.held(); ++round)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(guard.held());
    guard.release();
    const auto host = start(options({"time 0.5"}));
    const auto last = search(*host->client());
    ASSERT_TRUE(last);
    EXPECT_EQ(last->state, LoopState::Done);
    EXPECT_FALSE(last->error);
}

} // namespace
} // namespace kw
