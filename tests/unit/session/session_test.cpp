// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include "base/file.h"
#include "history/history.h"
#include "journal/journal.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

class SessionTest : public testing::Test {
protected:
    SessionTest() { EXPECT_TRUE(writeFileAtomically(m_model, "model")); }
    std::string errorOf(const Result<Session>& result) { return result ? "" : result.error().message.id; }

    TemporaryFolder m_temporary;
    std::filesystem::path m_model = m_temporary.path() / "m.pt2", m_folder = m_temporary.path() / "a session";
};

TEST_F(SessionTest, IsCreatedOnceAndOpenedAgain)
{
    std::string id;
    {
        auto created = Session::create(m_folder, m_model);
        ASSERT_TRUE(created) << debugText(created.error().message);
        id = created->info().id;
        EXPECT_EQ(created->access(), SessionAccess::Write);
        EXPECT_TRUE(created->history());
        EXPECT_EQ(created->journal().lastNumber().value(), 0);
        EXPECT_TRUE(std::filesystem::is_directory(created->scratchFolder()));
    }
    EXPECT_EQ(errorOf(Session::create(m_folder, m_model)), "session.folder_in_use");
    const auto opened = Session::open(m_folder);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->info().id, id);
    EXPECT_EQ(opened->info().model, m_model);
    EXPECT_FALSE(opened->info().foreign);
}

TEST_F(SessionTest, SaysWhyItCannotBeOpened)
{
    EXPECT_EQ(errorOf(Session::open(m_temporary.path())), "session.not_a_session");
    EXPECT_EQ(errorOf(Session::create(m_folder, m_temporary.path() / "missing.pt2")), "session.no_model");
    EXPECT_EQ(errorOf(Session::create(m_model, m_model)), "session.folder_in_use");
    ASSERT_TRUE(Session::create(m_folder, m_model));
    const std::string good = *readFile(m_folder / "session.json");
    const auto with = [&](const std::string& text) {
        EXPECT_TRUE(writeFileAtomically(m_folder / "session.json", text));
        return errorOf(Session::open(m_folder));
    };
    for (const char* text : {"", "{", "[]", "{}", "{\"format\":\"kernelwright session\"}"})
        EXPECT_EQ(with(text), "session.damaged") << text;
    std::string newer = good, evil = good;
    newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 2");
    EXPECT_EQ(with(newer), "session.newer_version");
    evil.replace(evil.find("\"id\": \"") + 7, 4, "/../");
    EXPECT_EQ(with(evil), "session.damaged");
    EXPECT_EQ(with(good), "");
}

TEST_F(SessionTest, TheLockHoldsOffASecondWriterButNoReader)
{
    auto first = Session::create(m_folder, m_model);
    ASSERT_TRUE(first);
    const auto second = Session::open(m_folder);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().message.id, "session.locked");
    EXPECT_TRUE(Session::open(m_folder, SessionAccess::ReadOnly));
    first = error("closed");
    EXPECT_TRUE(Session::open(m_folder));
}

TEST_F(SessionTest, BindsToOneModel)
{
    {
        auto session = *Session::create(m_folder, m_model);
        EXPECT_TRUE(session.bindModel("abc"));
        EXPECT_TRUE(session.bindModel("abc"));
    }
    auto session = *Session::open(m_folder);
    EXPECT_EQ(session.info().modelSha256, "abc");
    EXPECT_EQ(session.bindModel("def").error().message.id, "session.model_changed");
}

TEST_F(SessionTest, ASessionOfAnotherMachineIsOnlyLookedAt)
{
    ASSERT_TRUE(Session::create(m_folder, m_model));
    std::string text = *readFile(m_folder / "session.json");
    const std::size_t at = text.find("\"machine\": \"") + 12;
    text[at] = text[at] == '0' ? '1' : '0';
    ASSERT_TRUE(writeFileAtomically(m_folder / "session.json", text));
    const auto session = Session::open(m_folder);
    ASSERT_TRUE(session);
    EXPECT_TRUE(session->info().foreign);
    EXPECT_EQ(session->access(), SessionAccess::ReadOnly);
}

} // namespace
} // namespace kw
