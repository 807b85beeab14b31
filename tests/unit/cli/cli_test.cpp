// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/applied_text.h"
#include "cli/arguments.h"
#include "cli/context.h"

#include <gtest/gtest.h>

namespace kw::cli {
namespace {

TEST(Arguments, ATimeIsANumberWithUnits)
{
    for (const auto& [text, seconds] : {std::pair{"90", 90.0}, {"90s", 90.0}, {"3m", 180.0}, {"1h30m", 5400.0}, {"0.5s", 0.5}, {"1h2m3s", 3723.0}})
        EXPECT_EQ(secondsOf(text), seconds) << text;
    for (const char* text : {"", "soon", "3x", "m", "-3s", "3m soon", "inf", "nan", "1h-2m"})
        EXPECT_LT(secondsOf(text), 0) << text;
}

TEST(Table, ColumnsAreAsWideAsTheirWidestCell)
{
    EXPECT_EQ(table({"name", "ms"}, {{"çekirdek", "1.5"}, {"b", "10"}}, {1}), "name       ms\nçekirdek  1.5\nb          10\n");
    EXPECT_EQ(table({"a", "b"}, {{"1"}}, {}), "a  b\n1\n");
}

AppliedSummary applied()
{
    AppliedSummary summary;
    summary.seconds = 1e-3;
    summary.baselineSeconds = 2e-3;
    summary.ratio = 2;
    summary.low = 1.9;
    summary.high = 2.1;
    summary.kernels = 3;
    summary.sites = 4;
    return summary;
}

TEST(AppliedText, SaysPythonEagerOrWhyNot)
{
    const Options options;
    const std::string own = "The whole model is 2.00 × (1.90–2.10) faster: 2.00 ms became 1.00 ms, with 3 kernels in 4 places.\n";
    EXPECT_EQ(appliedText(options, applied()), own);
    AppliedSummary with = applied();
    with.eagerSeconds = 2.5e-3;
    with.eagerDefaultSeconds = 3e-3;
    with.eagerRatio = 2.5;
    with.eagerLow = 2.4;
    with.eagerHigh = 2.6;
    EXPECT_EQ(appliedText(options, with), own + "Against Python eager with kept memory: 2.50 × (2.40–2.60). Python eager takes 2.50 ms, and 3.00 ms with the allocator's defaults.\n");
    AppliedSummary without = applied();
    without.eagerAbsent = Message("eager.no_inputs");
    EXPECT_EQ(appliedText(options, without), own + "Python eager: Not timed: the model file holds no example inputs.\n");
}

} // namespace
} // namespace kw::cli
