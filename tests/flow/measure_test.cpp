// SPDX-License-Identifier: GPL-3.0-or-later
// Verification and measurement through the real worker: LibTorch in its own process as the library's side.
#include "judge/worker_judge.h"

#include "base/sanitizer.h"
#include "measure/comparison.h"
#include "record/timing_failure.h"
#include "support/kernel_problems.h"
#include "support/kernel_texts.h"
#include "support/real_build.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

namespace kw {
namespace {

/// Keeps every CPU busy while it lives.
class Hog {
public:
    Hog()
    {
        for (unsigned i = 0; i < 2 * std::max(1u, std::thread::hardware_concurrency()); ++i)
            m_threads.emplace_back([](std::stop_token stop) {
                volatile double value = 1;
                while (!stop.stop_requested())
                    value = value * 1.0000001;
            });
    }

private:
    std::vector<std::jthread> m_threads;
};

class MeasureFlow : public testing::Test {
protected:
    static WorkerJudge& judge()
    {
        static WorkerJudge shared;
        return shared;
    }

    Candidate verified(const std::string& text)
    {
        EXPECT_TRUE(judge().define(m_problem).ok());
        const Candidate candidate = test::candidateOf(m_problem, text);
        const auto verdict = judge().verify(candidate, {}, {}, {});
        EXPECT_TRUE(verdict.ok()) << (verdict ? "" : debugText(verdict.error().message));
        EXPECT_TRUE(verdict.ok() && verdict->passed) << (verdict ? debugText(verdict->reason) : "");
        return candidate;
    }

    static Subject subject(const Candidate& candidate) { return {Subject::Kind::Candidate, candidate.id}; }

    Result<std::vector<PairBlock>> measure(const Subject& a, const Subject& b, int pairs, CacheState cache = CacheState::Warm)
    {
        MeasureRequest request;
        request.problem = m_problem.id;
        request.a = a;
        request.b = b;
        request.pairs = pairs;
        request.cache = cache;
        return judge().measure(request, {});
    }

    Problem m_problem = test::rmsNormProblem(256, 512);
};

TEST_F(MeasureFlow, LibraryAgainstCandidateGivesEverySample)
{
    const Candidate candidate = verified(test::rmsNormText);
    for (const CacheState cache : {CacheState::Warm, CacheState::Cold}) {
        const auto pairs = measure({}, subject(candidate), 2, cache);
        ASSERT_TRUE(pairs.ok()) << debugText(pairs.error().message) << pairs.error().detail;
        ASSERT_EQ(pairs->size(), 2u);
        for (const PairBlock& pair : *pairs) {
            EXPECT_EQ(pair.a.size(), pair.b.size());
            if (shadowMemory) // a sanitizer's blocks take so long that fewer say enough
                EXPECT_GE(pair.a.size(), 3u);
            else
                EXPECT_EQ(pair.a.size(), 8u);
            for (const Sample& sample : pair.b)
                EXPECT_GT(sample.calls, 0);
        }
        const Measurement result = compare(*pairs);
        EXPECT_FALSE(std::isnan(result.ratio));
    }
}

TEST_F(MeasureFlow, ACandidateAgainstItselfIsNotFaster)
{
    const Candidate candidate = verified(test::rmsNormText);
    const auto pairs = measure(subject(candidate), subject(candidate), 5);
    ASSERT_TRUE(pairs.ok()) << debugText(pairs.error().message);
    EXPECT_NE(compare(*pairs, {0.9999, 0.01, 1}).outcome, Comparison::Faster);
}

TEST_F(MeasureFlow, ABusyMachineMakesTheResultUnsureNotWrong)
{
    const Candidate candidate = verified(test::rmsNormText);
    const Hog hog;
    const auto pairs = measure(subject(candidate), subject(candidate), 5);
    ASSERT_TRUE(pairs.ok()) << debugText(pairs.error().message);
    const Comparison outcome = compare(*pairs, {0.9999, 0.01, 1}).outcome;
    EXPECT_TRUE(outcome == Comparison::Unsure || outcome == Comparison::Same);
}

} // namespace
} // namespace kw
