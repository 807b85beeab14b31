// SPDX-License-Identifier: GPL-3.0-or-later
// The measurer with real sandboxed processes on both sides. Ratios are asserted with wide margins only: the machine may be busy.
#include "worker/measure/measurer.h"

#include "../verify/native_reference.h"

#include "base/cpu_lock.h"
#include "measure/comparison.h"
#include "measure/statistics.h"
#include "support/kernel_problems.h"
#include "support/kernel_texts.h"
#include "support/real_build.h"

#include <gtest/gtest.h>

#include <cmath>
#include <future>

namespace kw {
namespace {

/// A built kernel as a side.
struct BuiltSide {
    Candidate candidate;
    CandidateHeader header;
    Artifact artifact;
    MeasureSide side() const { return {&candidate, &header, &artifact}; }
};

class MeasurerTest : public testing::Test {
protected:
    static test::RealBuild& build()
    {
        static test::RealBuild shared;
        return shared;
    }

    BuiltSide built(const std::string& text, bool checked = true)
    {
        BuiltSide side;
        side.candidate = test::candidateOf(m_problem, text);
        side.header = parseHeader(text, m_problem).value();
        if (!checked) {
            side.artifact = test::uncheckedArtifact(text, m_problem, side.header);
            return side;
        }
        BuildOutcome outcome = build().backend().build(side.candidate, m_problem, side.header);
        EXPECT_TRUE(outcome.ok()) << (outcome.ok() ? "" : debugText(outcome.failure->reasons.at(0)));
        side.artifact = outcome.artifact;
        return side;
    }

    Result<MeasureOutcome> measure(const BuiltSide& a, const BuiltSide& b, int pairs = 2, int blocks = 4, bool keep = false)
    {
        MeasureRequest request;
        request.pairs = pairs;
        request.blocks = blocks;
        request.keepProcesses = keep;
        return m_measurer.measure(m_problem, a.side(), b.side(), request, {});
    }

    Problem m_problem = test::rmsNormProblem(64, 512);
    test::NativeReference m_reference;
    Measurer m_measurer{build().launcher(), m_reference, MeasurerOptions::forThisMachine()};
};

/// Each row is computed `times` times over: beyond the first time it lies in the nearest cache, so arithmetic decides.
std::string repeated(int times)
{
    return test::replaced(test::rmsNormText, "for (std::int64_t r = 0; r < rows; ++r) {",
        "for (std::int64_t r = 0; r < rows; ++r) for (int again = 0; again < " + std::to_string(times)
            + "; ++again) { asm volatile(\"\" ::: \"memory\");");
}

TEST_F(MeasurerTest, FourTimesTheWorkTakesAboutFourTimesTheTime)
{
    const auto outcome = measure(built(repeated(128)), built(repeated(32)));
    ASSERT_TRUE(outcome.ok()) << debugText(outcome.error().message);
    ASSERT_FALSE(outcome->failure) << debugText(outcome->failure->reason);
    ASSERT_EQ(outcome->pairs.size(), 2u);
    std::vector<double> a, b;
    for (const PairBlock& pair : outcome->pairs) {
        ASSERT_EQ(pair.a.size(), 4u);
        for (const Sample& sample : pair.a)
            a.push_back(sample.cpuSeconds);
        for (const Sample& sample : pair.b)
            b.push_back(sample.cpuSeconds);
    }
    // By the CPU clock, which a busy machine disturbs less; theory: 4.
    EXPECT_GT(median(a) / median(b), 2.5);
    EXPECT_LT(median(a) / median(b), 6);
    EXPECT_GE(outcome->inspected, 16);
}

TEST_F(MeasurerTest, SkippingAfterManyCallsFailsTheTiming)
{
    // Honest while it is looked at, idle afterwards: the artifact check would refuse the counter, here timing alone sees it.
    const std::string skips = test::replaced(test::rmsNormText, "#pragma omp parallel for", "    static int calls = 0;\n    if (++calls > 60) return;\n");
    const auto outcome = measure(built(test::rmsNormText), built(skips, false));
    ASSERT_TRUE(outcome.ok());
    ASSERT_TRUE(outcome->failure);
    EXPECT_EQ(outcome->failure->failure, FailureKind::NotWritten);
    EXPECT_EQ(outcome->failure->reason.id, "verify.timed_call_skipped");
}

TEST_F(MeasurerTest, RememberedAnswersFailTheTiming)
{
    // Keeps the answer by content of the first element only, which late patches change elsewhere.
    const std::string remembers = test::replaced(test::replaced(test::rmsNormText, "#pragma omp parallel for",
        "    static float keys[64]; static float kept[64][64 * 512]; static int used = 0;\n"
        "    for (int k = 0; k < used; ++k) if (keys[k] == x[0]) { __builtin_memcpy(y, kept[k], sizeof kept[k]); return; }\n"),
        "            out[c] = in[c] * scale * weight[c];\n    }",
        "            out[c] = in[c] * scale * weight[c];\n    }\n    if (used < 64) { keys[used] = x[0]; __builtin_memcpy(kept[used++], y, sizeof kept[0]); }");
    const auto outcome = measure(built(test::rmsNormText), built(remembers, false), 3, 8);
    ASSERT_TRUE(outcome.ok());
    ASSERT_TRUE(outcome->failure);
    EXPECT_EQ(outcome->failure->failure, FailureKind::WrongValue);
}

TEST_F(MeasurerTest, CrashWhileTimedIsTheCandidatesFailure)
{
    const std::string crashes = test::replaced(test::rmsNormText, "#pragma omp parallel for", "    static int calls = 0;\n    if (++calls > 60) __builtin_trap();\n");
    const auto crashing = built(crashes, false);
    const auto outcome = measure(built(test::rmsNormText), crashing);
    ASSERT_TRUE(outcome.ok());
    ASSERT_TRUE(outcome->failure);
    EXPECT_EQ(outcome->failure->failure, FailureKind::Crashed);
    EXPECT_EQ(outcome->failure->candidate, crashing.candidate.id);
}

TEST_F(MeasurerTest, ImpossiblyFastIsRefused)
{
    Calibration slow;
    slow.bandwidth = {{1e3, 1e6, 1e6, 1e6}}; // a machine of one megabyte a second: 262 kB take a quarter of a second
    m_measurer.setCalibration(slow);
    const auto outcome = measure(built(repeated(4)), built(test::rmsNormText), 1, 2);
    ASSERT_TRUE(outcome.ok());
    ASSERT_TRUE(outcome->failure);
    EXPECT_EQ(outcome->failure->failure, FailureKind::TooFast);
}

TEST_F(MeasurerTest, ScreeningKeepsTheFirstSideAlive)
{
    const BuiltSide best = built(test::rmsNormText);
    const auto first = measure(best, built(repeated(4)), 1, 3, true);
    ASSERT_TRUE(first.ok() && !first->failure);
    const auto second = measure(best, built(repeated(4)), 1, 3, true);
    ASSERT_TRUE(second.ok() && !second->failure);
    EXPECT_TRUE(screenedOut(second->pairs, 0.01) || second->pairs[0].disturbed);
}

TEST_F(MeasurerTest, StopEndsAMeasurement)
{
    std::stop_source source;
    source.request_stop();
    const BuiltSide side = built(test::rmsNormText);
    const auto outcome = m_measurer.measure(m_problem, side.side(), side.side(), {}, source.get_token());
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().message.id, "judge.stopped");
}

TEST(CpuLock, OneAloneManyShared)
{
    auto first = CpuLock::acquire(CpuLock::Mode::Shared);
    auto second = CpuLock::acquire(CpuLock::Mode::Shared);
    ASSERT_TRUE(first.ok() && second.ok());
    std::stop_source source;
    auto alone = std::async(std::launch::async, [&] { return CpuLock::acquire(CpuLock::Mode::Alone, source.get_token()).ok(); });
    EXPECT_EQ(alone.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    source.request_stop();
    EXPECT_FALSE(alone.get());
}

} // namespace
} // namespace kw
