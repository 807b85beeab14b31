// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/cases.h"

#include "support/kernel_problems.h"
#include "support/kernel_texts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace kw {
namespace {

CandidateHeader headerOf(const std::string& domain, const Problem& problem)
{
    const std::string text = (domain.empty() ? "" : "//! domain " + domain + "\n") + test::rmsNormText;
    const auto header = parseHeader(text, problem);
    EXPECT_TRUE(header.ok()) << (header ? "" : debugText(header.error().message));
    return header ? *header : CandidateHeader{};
}

TEST(Cases, CornersCoverOneZeroOddAndLarge)
{
    const Problem problem = test::rmsNormProblem();
    const auto corners = cornerSizes(problem, headerOf("", problem));
    const auto has = [&](auto condition) { return std::any_of(corners.begin(), corners.end(), condition); };
    EXPECT_TRUE(has([](const auto& sizes) { return sizes[0] == 1 && sizes[1] == 1; }));
    EXPECT_TRUE(has([](const auto& sizes) { return sizes[0] == 0; }));
    EXPECT_TRUE(has([](const auto& sizes) { return sizes[1] == 0; }));
    EXPECT_TRUE(has([](const auto& sizes) { return sizes[1] > 1000; }));
    EXPECT_TRUE(has([](const auto& sizes) { return sizes[0] > 1000; }));
    EXPECT_TRUE(has([](const auto& sizes) { return sizes[1] % 2 == 1 && sizes[1] > 8; }));
    for (const auto& sizes : corners)
        EXPECT_LE(totalElements(problem, sizes), caseElements);
}

TEST(Cases, CornersRespectWhatTheCandidateClaims)
{
    const Problem problem = test::rmsNormProblem();
    const CandidateHeader header = headerOf("d1 % 8 == 0, d0 >= 2", problem);
    const auto corners = cornerSizes(problem, header);
    EXPECT_FALSE(corners.empty());
    for (const auto& sizes : corners) {
        EXPECT_EQ(sizes[1] % 8, 0);
        EXPECT_GE(sizes[0], 2);
    }
    EXPECT_TRUE(cornerSizes(problem, headerOf("d0 == 48, d1 == 160", problem)).empty());
}

TEST(Cases, AcceptanceIsRedrawnAndDevelopmentIsNot)
{
    const Problem problem = test::rmsNormProblem();
    const CandidateHeader header = headerOf("", problem);
    const auto first = planCases(problem, header, {1, 100}, true);
    const auto second = planCases(problem, header, {1, 200}, true);
    EXPECT_EQ(first, planCases(problem, header, {1, 100}, true));
    const auto only = [](std::vector<CaseSpec> cases, CaseTier tier) {
        std::erase_if(cases, [tier](const CaseSpec& spec) { return spec.tier != tier; });
        return cases;
    };
    EXPECT_EQ(only(first, CaseTier::Development), only(second, CaseTier::Development));
    std::set<std::uint64_t> seeds;
    for (const CaseSpec& spec : only(first, CaseTier::Acceptance))
        seeds.insert(spec.seed);
    for (const CaseSpec& spec : only(second, CaseTier::Acceptance))
        EXPECT_EQ(seeds.count(spec.seed), 0u);
    EXPECT_TRUE(only(planCases(problem, header, {1, 100}, false), CaseTier::Acceptance).empty());
}

TEST(Cases, StagesComeInOrderAndEveryOneIsThere)
{
    const Problem problem = test::rmsNormProblem();
    const auto cases = planCases(problem, headerOf("", problem), {1, 2}, true);
    std::set<Stage> stages;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        stages.insert(cases[i].stage);
        if (i > 0) {
            EXPECT_LE(cases[i - 1].stage, cases[i].stage);
        }
    }
    EXPECT_EQ(stages, (std::set<Stage>{Stage::Smoke, Stage::Shapes, Stage::Stability, Stage::Determinism, Stage::Edges}));
    for (const Pattern pattern : {Pattern::Zeros, Pattern::Huge, Pattern::Denormal, Pattern::NotANumber, Pattern::Infinite, Pattern::ConstantRows})
        EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [&](const CaseSpec& spec) { return spec.pattern == pattern; }));
}

TEST(Cases, LargeFixedProblemsGetFewCases)
{
    Problem problem = test::rmsNormProblem(3240, 1920);
    for (Dimension& dimension : problem.dimensions)
        dimension.free = false;
    std::int64_t elements = 0;
    const auto cases = planCases(problem, headerOf("", problem), {1, 2}, true);
    for (const CaseSpec& spec : cases)
        elements += totalElements(problem, spec.dimensions) * spec.draws;
    EXPECT_LE(elements, 10 * totalElements(problem, {3240, 1920}));
}

TEST(Cases, ClaimsCoverLayoutAndAlignment)
{
    Problem problem = test::rmsNormProblem();
    EXPECT_TRUE(claims(headerOf("contiguous(x), align(x, 64)", problem), problem, {48, 160}));
    EXPECT_FALSE(claims(headerOf("align(x, 128)", problem), problem, {48, 160}));
    EXPECT_FALSE(claims(headerOf("d1 % 7 == 0", problem), problem, {48, 160}));
    problem.inputs[0].strides = {320, 1};
    EXPECT_FALSE(claims(headerOf("contiguous(x)", problem), problem, {48, 160}));
}

} // namespace
} // namespace kw
