// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace kw {

TEST(File, RoundTripsBinaryContent)
{
    const TemporaryFolder folder;
    const std::string bytes("a\0b\n\xff", 5);
    ASSERT_TRUE(writeFileAtomically(folder.path() / "x", bytes));
    const auto read = readFile(folder.path() / "x");
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, bytes);
}

TEST(File, AtomicWriteLeavesNothingBeside)
{
    const TemporaryFolder folder;
    ASSERT_TRUE(writeFileAtomically(folder.path() / "x", "one"));
    ASSERT_TRUE(writeFileAtomically(folder.path() / "x", "two"));
    const std::vector<std::filesystem::directory_entry> entries{
        std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator()};
    EXPECT_EQ(entries.size(), 1u);
    EXPECT_EQ(*readFile(folder.path() / "x"), "two");
}

TEST(File, SaysWhyItCannotReadOrWrite)
{
    const TemporaryFolder folder;
    EXPECT_EQ(readFile(folder.path() / "none").error().message.id, "file.cannot_open");
    EXPECT_EQ(readFile(folder.path()).error().message.id, "file.cannot_open");
    EXPECT_EQ(writeFileAtomically(folder.path() / "no" / "x", "").error().message.id, "file.cannot_write");
    ASSERT_TRUE(writeFileAtomically(folder.path() / "x", "12345"));
    EXPECT_EQ(readFile(folder.path() / "x", 4).error().message.id, "file.too_large");
}

TEST(TemporaryFolder, DisappearsWithItsContent)
{
    std::filesystem::path path;
    {
        const TemporaryFolder folder;
        path = folder.path();
        ASSERT_TRUE(writeFileAtomically(path / "x", "x"));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

} // namespace kw
