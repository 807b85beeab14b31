// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/apply_model.h"

#include "base/file.h"
#include "support/fake_judge.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

class ApplyModelTest : public testing::Test {
protected:
    ApplyModelTest()
    {
        m_options.folder = m_temporary.path() / "applied";
        m_options.expectedSpeedup = 2;
        AppliedKernel kernel;
        kernel.problem = kernel.candidate.problem = "p";
        kernel.candidate.source = "time 0.5"; // the fake model takes 4 ms, and 2 ms with it
        kernel.candidate.id = candidateId(kernel.candidate);
        m_kernels = {kernel};
    }
    Result<ModelApplication> apply() { return applyModel(m_judge, m_kernels, m_options, m_stop.get_token(), nullptr); }

    TemporaryFolder m_temporary;
    test::FakeJudge m_judge{test::FakeOptions{}};
    ApplyOptions m_options;
    std::vector<AppliedKernel> m_kernels;
    std::stop_source m_stop;
};

TEST_F(ApplyModelTest, ComparesWithTheModuleAsItsUserRunsIt)
{
    int kept = 0, defaults = 0;
    m_options.eager = [&](bool keepMemory, std::stop_token) -> Result<double> {
        ++(keepMemory ? kept : defaults);
        return keepMemory ? 5e-3 : 6e-3;
    };
    const auto applied = apply();
    ASSERT_TRUE(applied);
    EXPECT_EQ(kept, m_options.eagerRounds);
    EXPECT_EQ(defaults, m_options.eagerDefaultRounds);
    EXPECT_EQ(applied->summary.eagerSeconds, 5e-3);
    EXPECT_EQ(applied->summary.eagerDefaultSeconds, 6e-3);
    EXPECT_NEAR(applied->summary.eagerRatio, 2.5, 0.02);
    EXPECT_LE(applied->summary.eagerLow, applied->summary.eagerRatio);
    EXPECT_GE(applied->summary.eagerHigh, applied->summary.eagerRatio);
    EXPECT_NEAR(applied->summary.ratio, 2, 0.02) << "the executor's own baseline is another figure";
    EXPECT_TRUE(applied->summary.eagerAbsent.empty());
}

TEST_F(ApplyModelTest, SaysWhyThereIsNoPython)
{
    int calls = 0;
    m_options.eager = [&](bool, std::stop_token) -> Result<double> {
        ++calls;
        return error("eager.no_python");
    };
    const auto applied = apply();
    ASSERT_TRUE(applied);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(applied->summary.eagerAbsent.id, "eager.no_python");
    EXPECT_EQ(applied->summary.eagerSeconds, 0);
    EXPECT_NEAR(applied->summary.ratio, 2, 0.02);
}

TEST_F(ApplyModelTest, AStopIsNoAbsence)
{
    m_options.eager = [&](bool, std::stop_token) -> Result<double> {
        m_stop.request_stop();
        return error("judge.stopped");
    };
    const auto applied = apply();
    ASSERT_FALSE(applied);
    EXPECT_EQ(applied.error().message.id, "judge.stopped");
}

} // namespace
} // namespace kw
