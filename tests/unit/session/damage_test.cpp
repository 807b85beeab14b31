// SPDX-License-Identifier: GPL-3.0-or-later
// The journal is the truth: whatever is cut, lost or altered below history/, or off the journal's write-ahead log, ends in a whole session.
#include "stored_session.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

namespace kw {
namespace {

namespace fs = std::filesystem;

struct Damage {
    const char* name;
    std::function<void(const fs::path&)> apply;
};

void flip(const fs::path& file)
{
    fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
    std::string bytes = *readFile(file);
    if (bytes.empty())
        return;
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

void cut(const fs::path& file, std::uintmax_t size)
{
    fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
    fs::resize_file(file, size);
}

const Damage damages[] = {
    {"lost", [](const fs::path& file) { fs::remove(file); }},
    {"emptied", [](const fs::path& file) { cut(file, 0); }},
    {"cut", [](const fs::path& file) { cut(file, fs::file_size(file) / 2); }},
    {"its last byte cut", [](const fs::path& file) { cut(file, fs::file_size(file) - 1); }},
    {"altered", flip},
};

std::vector<fs::path> filesBelow(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.file_size() > 0)
            files.push_back(fs::relative(entry.path(), folder));
    }
    std::sort(files.begin(), files.end());
    return files;
}

class DamageTest : public test::StoredSession {
protected:
    void fill(std::int64_t count, bool packed)
    {
        auto session = Session::create(m_folder, m_model);
        ASSERT_TRUE(session) << debugText(session.error().message);
        const auto stored = append(*session, 1, count);
        ASSERT_TRUE(stored) << debugText(stored.error().message);
        if (packed) {
            ASSERT_TRUE(session->history()->packWhenNeeded(0));
        }
    }
    /// Every file of the history in turn, each in every way, on a fresh copy.
    void damageEveryFile(std::int64_t count)
    {
        for (const fs::path& file : filesBelow(m_folder / "history")) {
            for (const Damage& damage : damages) {
                SCOPED_TRACE(file.string() + " " + damage.name);
                const fs::path copy = m_temporary.path() / "copy";
                fs::remove_all(copy);
                fs::copy(m_folder, copy, fs::copy_options::recursive);
                damage.apply(copy / "history" / file);
                auto session = Session::open(copy);
                ASSERT_TRUE(session) << debugText(session.error().message);
                expectWhole(*session, count);
                ASSERT_TRUE(append(*session, count + 1, count + 3)) << "and it goes on";
                expectWhole(*session, count + 3);
                if (HasFatalFailure())
                    return;
            }
        }
    }
};

TEST_F(DamageTest, AnyFileOfALooseHistory)
{
    fill(4, false);
    damageEveryFile(4);
}

TEST_F(DamageTest, AnyFileOfAPackedHistory)
{
    fill(9, true);
    damageEveryFile(9);
}

TEST_F(DamageTest, TheWholeHistoryOrAFileInItsPlace)
{
    fill(6, false);
    fs::remove_all(m_folder / "history");
    {
        auto session = Session::open(m_folder);
        ASSERT_TRUE(session) << debugText(session.error().message);
        expectWhole(*session, 6);
    }
    fs::remove_all(m_folder / "history");
    ASSERT_TRUE(writeFileAtomically(m_folder / "history", "no repository"));
    auto session = Session::open(m_folder);
    ASSERT_TRUE(session) << debugText(session.error().message);
    expectWhole(*session, 6);
}

// What a crash of the machine may leave of a log whose last writes had not reached the disk: any part of it.
TEST_F(DamageTest, TheJournalsLogCutAnywhere)
{
    const fs::path copy = m_temporary.path() / "copy", crashed = m_temporary.path() / "crashed";
    {
        auto session = Session::create(m_folder, m_model);
        ASSERT_TRUE(session);
        ASSERT_TRUE(append(*session, 1, 9));
        fs::copy(m_folder, crashed, fs::copy_options::recursive);
    }
    const fs::path log = crashed / "journal.sqlite-wal";
    ASSERT_TRUE(fs::exists(log)) << "the journal was copied while it was open";
    const std::uintmax_t size = fs::file_size(log);
    std::set<std::int64_t> lengths;
    for (std::uintmax_t part = 0; part <= 40; ++part) {
        SCOPED_TRACE(part);
        fs::remove_all(copy);
        fs::copy(crashed, copy, fs::copy_options::recursive);
        fs::remove(copy / "journal.sqlite-shm");
        fs::resize_file(copy / "journal.sqlite-wal", size * part / 40);
        auto session = Session::open(copy);
        ASSERT_TRUE(session) << debugText(session.error().message);
        const std::int64_t left = *session->journal().lastNumber();
        lengths.insert(left);
        expectWhole(*session, left);
        ASSERT_TRUE(append(*session, left + 1, left + 2)) << "and it goes on";
        expectWhole(*session, left + 2);
        if (HasFatalFailure())
            return;
    }
    EXPECT_EQ(*lengths.rbegin(), 9) << "the whole log gives everything";
    EXPECT_GT(lengths.size(), 5U) << "the cuts were at different places";
}

} // namespace
} // namespace kw
