// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/numbers.h"

#include <gtest/gtest.h>

#include <limits>

namespace kw {
namespace {

constexpr auto english = Language::English;
constexpr auto turkish = Language::Turkish;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(Numbers, TimesHaveThreeDigitsAndAUnit)
{
    EXPECT_EQ(timeText(78.94e-9, english), "78.9 ns");
    EXPECT_EQ(timeText(1.234e-6, english), "1.23 µs");
    EXPECT_EQ(timeText(0.0456, english), "45.6 ms");
    EXPECT_EQ(timeText(0.456, english), "456 ms");
    EXPECT_EQ(timeText(12.34, english), "12.3 s");
    EXPECT_EQ(timeText(0.0456, turkish), "45,6 ms");
    EXPECT_EQ(timeText(0, english), "0 s");
}

TEST(Numbers, RoundingNeverMakesAFourthDigitOrA1000)
{
    EXPECT_EQ(timeText(9.996e-3, english), "10.0 ms");
    EXPECT_EQ(timeText(99.97e-3, english), "100 ms");
    EXPECT_EQ(timeText(999.7e-6, english), "1.00 ms");
    EXPECT_EQ(timeText(59.97, english), "1 min");
}

TEST(Numbers, LongTimesAreWords)
{
    EXPECT_EQ(timeText(125, english), "2 min 5 s");
    EXPECT_EQ(timeText(120, english), "2 min");
    EXPECT_EQ(timeText(3600 * 3 + 12 * 60, english), "3 h 12 min");
    EXPECT_EQ(timeText(125, turkish), "2 dk 5 sn");
}

TEST(Numbers, ARatioThatWasNotMeasuredIsNotShownAsZero)
{
    EXPECT_EQ(ratioText(0, english), noNumber());
    EXPECT_EQ(spreadText(0, 0, infinite, english), noNumber());
    EXPECT_EQ(spreadText(0, 0.9, 1.1, english), noNumber());
}

TEST(Numbers, WhatIsNoNumberIsNeverShownAsOne)
{
    for (const double bad : {nan, infinite, -infinite}) {
        EXPECT_EQ(timeText(bad, english), noNumber());
        EXPECT_EQ(bytesText(bad, english), noNumber());
        EXPECT_EQ(percentText(bad, english), noNumber());
        EXPECT_EQ(ratioText(bad, english), noNumber());
        EXPECT_EQ(plainNumber(bad, english), noNumber());
        EXPECT_EQ(spreadText(bad, 1, 2, english), noNumber());
        EXPECT_EQ(hourlyText(bad, english), noNumber());
        EXPECT_EQ(bandwidthText(bad, english), noNumber());
    }
    EXPECT_EQ(spreadText(1.5, nan, 2, english), "1.50 ×");
}

TEST(Numbers, BytesCountIn1024)
{
    EXPECT_EQ(bytesText(512, english), "512 B");
    EXPECT_EQ(bytesText(1024, english), "1.00 KiB");
    EXPECT_EQ(bytesText(1.5 * 1024 * 1024, turkish), "1,50 MiB");
    EXPECT_EQ(bytesText(3.0 * 1024 * 1024 * 1024, english), "3.00 GiB");
}

TEST(Numbers, PercentAndRatio)
{
    EXPECT_EQ(percentText(0.12, english), "12 %");
    EXPECT_EQ(percentText(0.12, turkish), "%12");
    EXPECT_EQ(percentText(0.0123, english), "1.2 %");
    EXPECT_EQ(percentText(0, english), "0 %");
    EXPECT_EQ(ratioText(1.234, english), "1.23 ×");
    EXPECT_EQ(ratioText(1.234, turkish), "1,23 ×");
    EXPECT_EQ(ratioText(12.34, english), "12.3 ×");
}

TEST(Numbers, SpreadHasOnePrecision)
{
    EXPECT_EQ(spreadText(1.23, 1.21, 1.25, english), "1.23 × (1.21–1.25)");
    EXPECT_EQ(spreadText(9.9, 9.8, 10.1, english), "9.9 × (9.8–10.1)");
    EXPECT_EQ(spreadText(1.23, 1.21, 1.25, turkish), "1,23 × (1,21–1,25)");
    EXPECT_EQ(spreadText(1, 1, 1, english), "1.00 ×"); // nothing was measured
}

TEST(Numbers, CountsAreGrouped)
{
    EXPECT_EQ(countText(1234567, english), "1,234,567");
    EXPECT_EQ(countText(1234567, turkish), "1.234.567");
    EXPECT_EQ(countText(-1234, english), "-1,234");
    EXPECT_EQ(countText(999, english), "999");
    EXPECT_EQ(countText(std::numeric_limits<std::int64_t>::min(), english), "-9,223,372,036,854,775,808");
}

TEST(Numbers, FromToKeepsOneUnit)
{
    EXPECT_EQ(fromToTime(1.3e-3, 0.98e-3, english), "1.30 ms → 0.98 ms");
    EXPECT_EQ(fromToTime(900e-6, 30e-6, english), "900 µs → 30 µs");
}

TEST(Numbers, RatesKeepTheirUnits)
{
    EXPECT_EQ(bandwidthText(12.34e9, english), "12.3 GB/s");
    EXPECT_EQ(flopRateText(38.4e9, turkish), "38,4 GFLOP/s");
    EXPECT_EQ(hourlyText(1640.4, english), "1,640/h");
}

} // namespace
} // namespace kw
