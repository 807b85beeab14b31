// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/error_control.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kw {
namespace {

TEST(ErrorControl, AllConfirmationsTogetherSpendNoMoreThanTheSessionsAlpha)
{
    double spent = 0;
    constexpr std::int64_t many = 5'000'000;
    for (std::int64_t index = 1; index <= many; ++index)
        spent += confirmationAlpha(0.05, index);
    // The rest of the series is below the integral from n: 1 / ln(n).
    const double rest = 0.05 / 2.1098 / std::log(static_cast<double>(many + 1));
    EXPECT_LE(spent + rest, 0.05 * 1.0001);
    EXPECT_GT(spent + rest, 0.05 * 0.999); // and little is wasted
}

TEST(ErrorControl, DecreasesAndStaysUsable)
{
    for (std::int64_t index = 1; index < 1000; ++index)
        EXPECT_GT(confirmationAlpha(0.05, index), confirmationAlpha(0.05, index + 1));
    EXPECT_GT(confirmationAlpha(0.05, 1000), 4e-7);
    EXPECT_GT(confirmationAlpha(0.05, 1), 0.01);
}

} // namespace
} // namespace kw
