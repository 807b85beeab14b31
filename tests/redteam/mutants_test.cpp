// SPDX-License-Identifier: GPL-3.0-or-later
// Mutants of honest kernels through the real worker: LibTorch's operators are the library, its fp64 run the reference.
#include "judge/worker_judge.h"

#include "record/agent_view.h"
#include "record/names.h"
#include "support/kernel_mutants.h"
#include "support/kernel_problems.h"
#include "support/real_build.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kw {
namespace {

Problem problemOf(test::Kernel kernel)
{
    return kernel == test::Kernel::RmsNorm ? test::rmsNormProblem()
        : kernel == test::Kernel::Softmax ? test::softmaxProblem() : test::geluProblem();
}

/// One worker for all tests: it has to survive every mutant.
class RedTeam : public testing::Test {
protected:
    static WorkerJudge& judge()
    {
        static WorkerJudge shared;
        return shared;
    }

    static Verdict verdictOf(const Problem& problem, const std::string& text, bool acceptance = true)
    {
        const auto defined = judge().define(problem);
        EXPECT_TRUE(defined.ok()) << (defined ? "" : debugText(defined.error().message));
        const auto verdict = judge().verify(test::candidateOf(problem, text), {acceptance, 0}, {}, {});
        EXPECT_TRUE(verdict.ok()) << (verdict ? "" : debugText(verdict.error().message) + " " + verdict.error().detail);
        return verdict ? *verdict : Verdict{};
    }
};

std::string describe(const Verdict& verdict)
{
    return std::string(nameOf(verdict.failedStage)) + " " + std::string(nameOf(verdict.failure)) + " " + debugText(verdict.reason);
}

class Honest : public RedTeam, public testing::WithParamInterface<test::Kernel> {};

TEST_P(Honest, TwinIsAcceptedWithEverySeed)
{
    for (int round = 0; round < 10; ++round) {
        const Verdict verdict = verdictOf(problemOf(GetParam()), test::textOf(GetParam()));
        EXPECT_TRUE(verdict.passed) << describe(verdict) << " seed " << verdict.seed;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Honest, testing::Values(test::Kernel::RmsNorm, test::Kernel::Softmax, test::Kernel::Gelu),
    [](const auto& instance) { return problemOf(instance.param).name; });

class Mutants : public RedTeam, public testing::WithParamInterface<test::Mutant> {};

TEST_P(Mutants, AreRejectedForTheRightReason)
{
    const test::Mutant& mutant = GetParam();
    const std::string text = test::textOf(mutant);
    ASSERT_FALSE(text.empty()) << "the mutation does not apply";
    const Verdict verdict = verdictOf(problemOf(mutant.kernel), text);
    EXPECT_FALSE(verdict.passed);
    EXPECT_NE(std::find(mutant.stages.begin(), mutant.stages.end(), verdict.failedStage), mutant.stages.end()) << describe(verdict);
    EXPECT_NE(std::find(mutant.failures.begin(), mutant.failures.end(), verdict.failure), mutant.failures.end()) << describe(verdict);
    EXPECT_FALSE(verdict.reason.empty());
}

INSTANTIATE_TEST_SUITE_P(All, Mutants, testing::ValuesIn(test::kernelMutants()),
    [](const auto& instance) { return instance.param.name; });

} // namespace
} // namespace kw
