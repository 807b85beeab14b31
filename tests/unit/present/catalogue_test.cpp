// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace kw {
namespace {

Message sample()
{
    Message message("no.such.id");
    message.with("name", "a\nb");
    message.with("seconds", 0.0123);
    message.with("count", std::int64_t{12345});
    message.with("gain", 1.5);
    return message;
}

TEST(Catalogue, FillsPatterns)
{
    EXPECT_EQ(renderPattern("{name}: {seconds:time}, {count:count}, {gain:ratio}", sample(), Language::English),
        "a␊b: 12.3 ms, 12,345, 1.50 ×");
    EXPECT_EQ(renderPattern("{seconds:time} {count:count} {gain:percent}", sample(), Language::Turkish),
        "12,3 ms 12.345 %150");
    EXPECT_EQ(renderPattern("{count} {count:bytes}", sample(), Language::English), "12345 12.1 KiB");
    EXPECT_EQ(renderPattern("{name:lines}", sample(), Language::English), "a\nb");
}

TEST(Catalogue, BracesAndFaultyPatternsLoseNothing)
{
    EXPECT_EQ(renderPattern("{{{count}}}", sample(), Language::English), "{12345}");
    EXPECT_EQ(renderPattern("open {count", sample(), Language::English), "open {count");
    EXPECT_EQ(renderPattern("{missing}", sample(), Language::English), "–");
}

TEST(Catalogue, ArgumentsAreNotPatterns)
{
    Message message("x");
    message.with("name", "{name}{other}");
    EXPECT_EQ(renderPattern("<{name}>", message, Language::English), "<{name}{other}>");
}

TEST(Catalogue, NumbersThatAreNoneAreNotShown)
{
    Message message("x");
    message.with("value", std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(renderPattern("{value:time} {value} {value:count}", message, Language::English), "– – –");
}

TEST(Catalogue, ChoosesThePlural)
{
    const auto text = [](int calls, Language language) {
        return render(Message("present.hot_spot.other").with("count", calls), language);
    };
    EXPECT_EQ(text(1, Language::English), "Other (1)");
    EXPECT_EQ(text(1200, Language::English), "Other (1,200)");
    Message one("present.measurement");
    one.with("outcome", "Faster").with("spread", "1.2").with("times", "t").with("samples", 60).with("pairs", 1);
    EXPECT_EQ(render(one, Language::English), "Faster 1.2, t, 60 samples in 1 process pair");
    Message many = one;
    many.arguments.back().second = std::int64_t{5};
    EXPECT_EQ(render(many, Language::English), "Faster 1.2, t, 60 samples in 5 process pairs");
    EXPECT_EQ(render(many, Language::Turkish), "Faster 1.2, t, 5 süreç çiftinde 60 örnek");
}

TEST(Catalogue, AnUnknownIdIsShownWhole)
{
    EXPECT_EQ(render(Message("no.such.id").with("path", "a\x1b"), Language::Turkish), "no.such.id path=a␛");
    EXPECT_EQ(render(Message(), Language::English), "");
}

TEST(Catalogue, AnErrorCarriesItsDetail)
{
    EXPECT_EQ(render(Error{Message("no.such.id"), "line 1\nline\a 2"}, Language::English), "no.such.id\nline 1\nline␇ 2");
}

TEST(Catalogue, LabelsInsideSentencesAreTranslated)
{
    Message message("x");
    message.with("stage", "label.stage.smoke");
    EXPECT_EQ(renderPattern("{stage:label}", message, Language::Turkish), "Duman testi");
    message.arguments[0].second = std::string("unknown\n");
    EXPECT_EQ(renderPattern("{stage:label}", message, Language::Turkish), "unknown␊");
}

TEST(Catalogue, IsSortedAndComplete)
{
    const auto ids = messageIds();
    ASSERT_FALSE(ids.empty());
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    for (const auto id : ids) {
        EXPECT_TRUE(hasMessage(id));
        EXPECT_FALSE(render(Message(std::string(id)), Language::English).empty()) << id;
        EXPECT_FALSE(render(Message(std::string(id)), Language::Turkish).empty()) << id;
    }
}

TEST(LanguageNames, ComeFromLocales)
{
    EXPECT_EQ(languageFromLocale("tr_TR.UTF-8"), Language::Turkish);
    EXPECT_EQ(languageFromLocale("tr"), Language::Turkish);
    EXPECT_EQ(languageFromLocale("C"), Language::English);
    EXPECT_EQ(languageFromLocale("true"), Language::English);
    EXPECT_EQ(languageFromLocale(""), Language::English);
}

} // namespace
} // namespace kw
