// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_io.h"

#include <gtest/gtest.h>

namespace kw {

TEST(JsonIo, RefusesDeepNesting)
{
    const std::string deep = std::string(100000, '[') + std::string(100000, ']');
    const auto parsed = parseJson(deep);
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().message.id, "json.malformed");
    EXPECT_TRUE(parseJson(std::string(50, '[') + std::string(50, ']')));
}

TEST(JsonIo, RefusesTrailingGarbageAndEmptyText)
{
    EXPECT_FALSE(parseJson(""));
    EXPECT_FALSE(parseJson("{} x"));
    EXPECT_FALSE(parseJson("{\"a\":"));
}

TEST(JsonIo, DumpSurvivesInvalidUtf8)
{
    EXPECT_NO_THROW({ EXPECT_FALSE(dump(Json(std::string("\xff\xfe"))).empty()); });
}

} // namespace kw
