// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_io.h"
#include "base/message.h"

#include <gtest/gtest.h>

#include <limits>

namespace kw {

TEST(Message, KeepsTypesThroughJson)
{
    const Message sent = Message("verify.wrong").with("count", 3).with("error", 0.25).with("where", "y[3]");
    const auto received = fromJson<Message>(Json(sent));
    ASSERT_TRUE(received);
    EXPECT_EQ(*received, sent);
}

TEST(Message, NonFiniteNumbersTravelAsText)
{
    const Message sent = Message("m").with("a", std::numeric_limits<double>::quiet_NaN())
                             .with("b", -std::numeric_limits<double>::infinity());
    const auto received = parseAs<Message>(dump(Json(sent)));
    ASSERT_TRUE(received);
    EXPECT_EQ(std::get<std::string>(received->arguments[0].second), "nan");
    EXPECT_EQ(std::get<std::string>(received->arguments[1].second), "-inf");
}

TEST(Message, MalformedJsonIsAnErrorNotAnException)
{
    EXPECT_FALSE(parseAs<Message>("{\"id\": 3}"));
    EXPECT_FALSE(parseAs<Message>("{\"id\": \"x\", \"arguments\": [[1]]}"));
    EXPECT_FALSE(parseAs<Message>("["));
}

} // namespace kw
