// SPDX-License-Identifier: GPL-3.0-or-later
// A full disk, a folder that cannot be written and a folder from elsewhere: a sentence each, and nothing is lost.
#include "stored_session.h"

#include "support/small_disk.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kw {
namespace {

namespace fs = std::filesystem;
using test::onASmallDisk;
using test::SmallDisk;

class CircumstancesTest : public test::StoredSession {
protected:
    static bool saysWhatFailed(const Error& error)
    {
        const std::set<std::string> known{"journal.disk_full", "journal.failed", "history.failed", "session.cannot_create", "file.cannot_write"};
        return known.contains(error.message.id);
    }
    static std::int64_t stored(Session& session) { return *session.journal().lastNumber(); }
};

TEST_F(CircumstancesTest, AFullDiskLosesNothingThatWasStored)
{
    onASmallDisk(m_temporary.path() / "disk", "3m", [this](SmallDisk& disk) {
        const fs::path folder = disk.place() / "session";
        std::int64_t told = 0;
        {
            auto session = Session::create(folder, m_model);
            ASSERT_TRUE(session) << debugText(session.error().message);
            Result<void> last;
            while (last && told < 5000) {
                last = append(*session, told + 1, told + 1);
                told += last.ok();
            }
            ASSERT_FALSE(last) << "the disk was never full";
            EXPECT_TRUE(saysWhatFailed(last.error())) << debugText(last.error().message);
            EXPECT_GT(told, 20);
            EXPECT_GE(stored(*session), told) << "it can still be read";
        }
        // What is full stays readable, or says why it is not.
        const fs::path ballast = disk.fill();
        if (auto session = Session::open(folder))
            EXPECT_GE(stored(*session), told);
        else
            EXPECT_TRUE(saysWhatFailed(session.error())) << debugText(session.error().message);
        fs::remove(ballast);
        auto session = Session::open(folder, SessionAccess::ReadOnly);
        ASSERT_TRUE(session) << debugText(session.error().message);
        EXPECT_GE(stored(*session), told);
        // Room again: the folder moves to a larger disk, and goes on.
        fs::copy(folder, m_folder, fs::copy_options::recursive);
        auto moved = Session::open(m_folder);
        ASSERT_TRUE(moved) << debugText(moved.error().message);
        const std::int64_t number = stored(*moved);
        EXPECT_LE(number, told + 1) << "at most the one whose answer was the error";
        expectWhole(*moved, told);
        ASSERT_TRUE(append(*moved, number + 1, number + 3));
        expectWhole(*moved, number + 3);
    });
}

TEST_F(CircumstancesTest, ASessionCannotBeMadeOnAFullDisk)
{
    onASmallDisk(m_temporary.path() / "disk", "1m", [this](SmallDisk& disk) {
        (void)disk.fill();
        const auto session = Session::create(disk.place() / "session", m_model);
        ASSERT_FALSE(session);
        EXPECT_TRUE(saysWhatFailed(session.error())) << debugText(session.error().message);
    });
}

// The log of a killed host is part of the truth; a disk that cannot be written cannot take it over into the main file.
TEST_F(CircumstancesTest, AReadOnlyDiskShowsEverythingAlsoWhatIsInTheLog)
{
    onASmallDisk(m_temporary.path() / "disk", "32m", [this](SmallDisk& disk) {
        {
            auto session = Session::create(m_folder, m_model);
            ASSERT_TRUE(session);
            ASSERT_TRUE(append(*session, 1, 9));
            fs::copy(m_folder, disk.place() / "killed", fs::copy_options::recursive);
        }
        fs::copy(m_folder, disk.place() / "closed", fs::copy_options::recursive);
        ASSERT_GT(fs::file_size(disk.place() / "killed" / "journal.sqlite-wal"), 0U);
        ASSERT_TRUE(disk.makeReadOnly());
        for (const char* name : {"closed", "killed"}) {
            SCOPED_TRACE(name);
            auto session = Session::open(disk.place() / name);
            ASSERT_TRUE(session) << debugText(session.error().message);
            EXPECT_EQ(session->access(), SessionAccess::ReadOnly);
            EXPECT_EQ(stored(*session), 9);
            expectWhole(*session, 9);
        }
        const auto created = Session::create(disk.place() / "new", m_model);
        ASSERT_FALSE(created);
        EXPECT_EQ(created.error().message.id, "session.cannot_create");
    });
}

} // namespace
} // namespace kw
