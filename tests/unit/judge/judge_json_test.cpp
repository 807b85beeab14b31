// SPDX-License-Identifier: GPL-3.0-or-later
#include "judge/judge_json.h"

#include "base/json_io.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kw {
namespace {

template <typename Value> Value there(const Value& value)
{
    const auto text = dump(Json(value));
    auto back = parseAs<Value>(text);
    EXPECT_TRUE(back.ok()) << text;
    return *std::move(back);
}

TEST(JudgeJson, MeasureRequestSurvivesTheTrip)
{
    MeasureRequest request;
    request.problem = "0123";
    request.b = Subject{Subject::Kind::Candidate, "c"};
    request.dimensions = {3, 0, 1'000'000'000'000};
    request.cache = CacheState::Cold;
    request.pairs = 30;
    request.keepProcesses = true;
    const auto back = there(request);
    EXPECT_EQ(back.problem, request.problem);
    EXPECT_EQ(back.b, request.b);
    EXPECT_EQ(back.dimensions, request.dimensions);
    EXPECT_EQ(back.cache, CacheState::Cold);
    EXPECT_EQ(back.pairs, 30);
    EXPECT_TRUE(back.keepProcesses);
}

TEST(JudgeJson, BuildReportKeepsDiagnosticsAndKind)
{
    BuildReport report;
    report.diagnostics = {Diagnostic{3, 7, Diagnostic::Severity::Warning, "unused \"x\""}};
    report.failure = FailureKind::ArtifactRefused;
    report.reason = Message("artifact.symbol").with("symbol", "system");
    const auto back = there(report);
    EXPECT_EQ(back.diagnostics, report.diagnostics);
    EXPECT_EQ(back.failure, FailureKind::ArtifactRefused);
    EXPECT_EQ(back.reason, report.reason);
}

TEST(JudgeJson, NonFiniteNumbersOfAComparisonArrive)
{
    OutputComparison comparison;
    comparison.maxError = std::numeric_limits<double>::infinity();
    comparison.cosine = std::numeric_limits<double>::quiet_NaN();
    const auto back = there(comparison);
    EXPECT_TRUE(std::isinf(back.maxError));
    EXPECT_TRUE(std::isnan(back.cosine));
}

TEST(JudgeJson, VariantsAndSeedsOfFullWidthArrive)
{
    ModelMeasureRequest request;
    request.a = ModelVariant::OriginalDefault;
    request.b = ModelVariant::AppliedDefault;
    EXPECT_EQ(there(request).a, ModelVariant::OriginalDefault);
    EXPECT_EQ(there(request).b, ModelVariant::AppliedDefault);
    VerifyOptions options;
    options.seed = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(there(options).seed, options.seed);
}

TEST(JudgeJson, UnknownWordsAndFractionsAreRefused)
{
    Json json = MeasureRequest{};
    json["cache"] = "lukewarm";
    EXPECT_FALSE(fromJson<MeasureRequest>(json).ok());
    json = MeasureRequest{};
    json["pairs"] = 2.5;
    EXPECT_FALSE(fromJson<MeasureRequest>(json).ok());
    json["pairs"] = std::int64_t{1} << 40;
    EXPECT_FALSE(fromJson<MeasureRequest>(json).ok());
}

} // namespace
} // namespace kw
