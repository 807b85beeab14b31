// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "history/history.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace kw {
namespace {

CommitContent content(const std::string& path, const std::string& text, std::int64_t time)
{
    return {path, text, "Keep " + path + "\n", time};
}

class HistoryTest : public testing::Test {
protected:
    std::string commit(HistoryBranch branch, const CommitContent& what)
    {
        const auto id = m_history.writeCommit(branch, *m_history.head(branch), what);
        EXPECT_TRUE(id) << debugText(id.error().message);
        EXPECT_TRUE(m_history.moveHead(branch, *id));
        return *id;
    }

    TemporaryFolder m_folder;
    History m_history = *History::open(m_folder.path() / "history", History::Access::Write);
};

TEST_F(HistoryTest, StartsWithoutCommits)
{
    EXPECT_EQ(*m_history.head(HistoryBranch::Main), "");
    EXPECT_TRUE(m_history.log(HistoryBranch::Main, 10)->empty());
}

// The ids are what git itself computes: a blob, tree and commit with a known content have one name everywhere.
TEST_F(HistoryTest, GivesTheCommitIdsOfGit)
{
    const std::string id = commit(HistoryBranch::Main, {"kernels/p.cpp", "text\n", "Keep\n", 1700000000});
    const std::string command = "cd '" + m_folder.path().string() + "' && git init -q --bare other && export GIT_DIR=other"
        " GIT_AUTHOR_NAME=Kernelwright GIT_AUTHOR_EMAIL=kernelwright@localhost GIT_AUTHOR_DATE='1700000000 +0000'"
        " GIT_COMMITTER_NAME=Kernelwright GIT_COMMITTER_EMAIL=kernelwright@localhost GIT_COMMITTER_DATE='1700000000 +0000'"
        " && b=$(printf 'text\\n' | git hash-object -w --stdin) && i=$(printf '100644 blob %s\\tp.cpp\\n' $b | git mktree)"
        " && t=$(printf '040000 tree %s\\tkernels\\n' $i | git mktree) && printf 'Keep\\n' | git commit-tree $t > id";
    if (std::system("git --version > /dev/null 2>&1") != 0)
        GTEST_SKIP() << "git is not installed";
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(id + "\n", *readFile(m_folder.path() / "id"));
}

TEST_F(HistoryTest, MainKeepsOneFilePerProblem)
{
    commit(HistoryBranch::Main, content("kernels/p.cpp", "one", 1));
    const std::string second = commit(HistoryBranch::Main, content("kernels/q.cpp", "two", 2));
    EXPECT_EQ(*m_history.file(second, "kernels/p.cpp"), "one");
    EXPECT_EQ(*m_history.file(second, "kernels/q.cpp"), "two");
    const std::string third = commit(HistoryBranch::Main, {"kernels/p.cpp", std::nullopt, "Roll back\n", 3});
    EXPECT_FALSE(m_history.file(third, "kernels/p.cpp"));
    EXPECT_EQ(*m_history.file(third, "kernels/q.cpp"), "two");
    EXPECT_EQ(*m_history.log(HistoryBranch::Main, 2), (std::vector<std::string>{third, second}));
}

TEST_F(HistoryTest, TheLastFileCanGoToo)
{
    commit(HistoryBranch::Main, content("kernels/p.cpp", "one", 1));
    const std::string empty = commit(HistoryBranch::Main, {"kernels/p.cpp", std::nullopt, "Roll back\n", 3});
    EXPECT_TRUE(m_history.intact(empty));
    const std::string again = commit(HistoryBranch::Main, {"kernels/p.cpp", std::nullopt, "Roll back\n", 4});
    EXPECT_TRUE(m_history.intact(again));
}

TEST_F(HistoryTest, TheAtticDoesNotTouchMain)
{
    const std::string kept = commit(HistoryBranch::Main, content("kernels/p.cpp", "one", 1));
    commit(HistoryBranch::Attic, content("kernels/p.cpp", "bad", 2));
    const std::string worse = commit(HistoryBranch::Attic, content("kernels/q.cpp", "worse", 3));
    EXPECT_EQ(*m_history.head(HistoryBranch::Main), kept);
    EXPECT_FALSE(m_history.file(worse, "kernels/p.cpp"));
    EXPECT_EQ(m_history.log(HistoryBranch::Attic, 10)->size(), 2U);
}

TEST_F(HistoryTest, WritingACommitMovesNothing)
{
    ASSERT_TRUE(m_history.writeCommit(HistoryBranch::Main, "", content("kernels/p.cpp", "one", 1)));
    EXPECT_EQ(*m_history.head(HistoryBranch::Main), "");
}

TEST_F(HistoryTest, PacksKeepEveryCommitReadableAndFilesFew)
{
    std::vector<std::string> ids;
    for (int number = 0; number < 300; ++number) {
        ids.push_back(commit(HistoryBranch::Attic, content("kernels/p.cpp", "text " + std::to_string(number), number)));
        ASSERT_TRUE(m_history.packWhenNeeded(30));
    }
    // 900 objects; at most 30 + 3 loose ones and 25 packs of two files remain.
    EXPECT_LT(m_history.objectFiles(), 33U + 2 * 26U);
    const History again = *History::open(m_folder.path() / "history", History::Access::ReadOnly);
    for (const History* history : {static_cast<const History*>(&m_history), &again}) {
        for (std::size_t number = 0; number < ids.size(); ++number)
            ASSERT_EQ(*history->file(ids[number], "kernels/p.cpp"), "text " + std::to_string(number));
    }
    EXPECT_EQ(again.log(HistoryBranch::Attic, 2000)->size(), 300U);
}

TEST_F(HistoryTest, ACutObjectIsNoticed)
{
    const std::string id = commit(HistoryBranch::Main, content("kernels/p.cpp", "one", 1));
    EXPECT_TRUE(m_history.intact(id));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(m_folder.path() / "history" / "objects")) {
        if (entry.is_regular_file())
            std::filesystem::resize_file(entry.path(), entry.file_size() / 2);
    }
    EXPECT_FALSE(History::open(m_folder.path() / "history", History::Access::ReadOnly)->intact(id));
    EXPECT_FALSE(m_history.intact("not an id"));
}

TEST_F(HistoryTest, ReadOnlyAccessCreatesNothing)
{
    EXPECT_FALSE(History::open(m_folder.path() / "missing", History::Access::ReadOnly));
    EXPECT_FALSE(std::filesystem::exists(m_folder.path() / "missing"));
}

} // namespace
} // namespace kw
