// SPDX-License-Identifier: GPL-3.0-or-later
// The verifier with the real compiler, sandbox and runner, against references that are written down once more by hand.
#include "worker/verify/verifier.h"

#include "worker/verify/cases.h"

#include "native_reference.h"

#include "base/json_io.h"
#include "build/cpp_backend.h"
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

/// Builds and verifies texts; one broker and one compiler for all tests.
class VerifierTest : public testing::Test {
protected:
    static test::RealBuild& build()
    {
        static test::RealBuild shared;
        return shared;
    }

    Verdict verdictOf(const Problem& problem, const std::string& text, bool acceptance = true, std::uint64_t seed = 0)
    {
        const Candidate candidate = test::candidateOf(problem, text);
        const auto header = parseHeader(text, problem);
        EXPECT_TRUE(header.ok()) << (header ? "" : debugText(header.error().message));
        const BuildOutcome built = build().backend().build(candidate, problem, *header);
        if (!built.ok())
            return Verifier::unbuilt(problem, candidate, *built.failure, 0.1);
        return verify(problem, candidate, *header, built.artifact, acceptance, seed);
    }

    Verdict verify(const Problem& problem, const Candidate& candidate, const CandidateHeader& header, const Artifact& artifact,
        bool acceptance = true, std::uint64_t seed = 0)
    {
        const auto verdict = m_verifier.verify(problem, candidate, header, artifact, {acceptance, seed}, {}, {});
        EXPECT_TRUE(verdict.ok()) << (verdict ? "" : debugText(verdict.error().message));
        return verdict ? *verdict : Verdict{};
    }

    test::NativeReference m_reference;
    Verifier m_verifier{build().launcher(), m_reference, VerifierOptions{}};
};

std::string describe(const Verdict& verdict)
{
    std::string text = std::string(nameOf(verdict.failedStage)) + " " + std::string(nameOf(verdict.failure)) + " " + debugText(verdict.reason);
    for (const StageResult& stage : verdict.stages)
        for (const CaseResult& result : stage.cases)
            if (!result.passed) {
                text += "\n  " + debugText(result.name);
                if (result.worst)
                    text += " " + dump(Json(*result.worst));
            }
    return text;
}

class HonestKernel : public VerifierTest, public testing::WithParamInterface<test::Kernel> {};

TEST_P(HonestKernel, PassesEveryStageWithManySeeds)
{
    const Problem problem = problemOf(GetParam());
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Verdict verdict = verdictOf(problem, test::textOf(GetParam()), true, seed);
        EXPECT_TRUE(verdict.passed) << describe(verdict);
        ASSERT_EQ(verdict.stages.size(), static_cast<std::size_t>(stageCount));
        for (const Stage stage : {Stage::Build, Stage::Smoke, Stage::Shapes, Stage::Stability, Stage::Determinism, Stage::Edges})
            EXPECT_TRUE(verdict.stages[static_cast<std::size_t>(stage)].passed) << nameOf(stage);
        EXPECT_FALSE(verdict.stages[static_cast<std::size_t>(Stage::Timing)].run);
        EXPECT_EQ(verdict.factor, 4);
        EXPECT_EQ(verdict.seed, seed);
    }
}

INSTANTIATE_TEST_SUITE_P(All, HonestKernel, testing::Values(test::Kernel::RmsNorm, test::Kernel::Softmax, test::Kernel::Gelu),
    [](const auto& instance) { return problemOf(instance.param).name; });

class MutantKernel : public VerifierTest, public testing::WithParamInterface<test::Mutant> {};

TEST_P(MutantKernel, IsRejectedForTheRightReason)
{
    const test::Mutant& mutant = GetParam();
    const std::string text = test::textOf(mutant);
    ASSERT_FALSE(text.empty()) << "the mutation does not apply";
    const Verdict verdict = verdictOf(problemOf(mutant.kernel), text);
    EXPECT_FALSE(verdict.passed);
    EXPECT_NE(std::find(mutant.stages.begin(), mutant.stages.end(), verdict.failedStage), mutant.stages.end()) << describe(verdict);
    EXPECT_NE(std::find(mutant.failures.begin(), mutant.failures.end(), verdict.failure), mutant.failures.end()) << describe(verdict);
    EXPECT_FALSE(verdict.reason.empty());
    // The next honest candidate must still pass: nothing of a mutant stays behind.
    const std::uint64_t again = 7;
    EXPECT_TRUE(verdictOf(problemOf(mutant.kernel), test::textOf(mutant.kernel), false, again).passed);
}

INSTANTIATE_TEST_SUITE_P(All, MutantKernel, testing::ValuesIn(test::kernelMutants()),
    [](const auto& instance) { return instance.param.name; });

TEST_F(VerifierTest, StateKeptBetweenCallsIsCaughtByRunningToo)
{
    // What the artifact check refuses is built here without it: the cases alone must see it.
    const Problem problem = test::rmsNormProblem();
    const std::string stale = test::replaced(test::rmsNormText, "#pragma omp parallel for",
        "    static const float* last = nullptr;\n    static float kept[48 * 160];\n"
        "    if (last == x && rows == 48 && cols == 160) { for (int i = 0; i < 48 * 160; ++i) y[i] = kept[i]; return; }\n    last = x;\n");
    const std::string keeps = test::replaced(stale, "out[c] = in[c] * scale * weight[c];",
        "out[c] = in[c] * scale * weight[c], kept[(r * cols + c) % (48 * 160)] = out[c];");
    const auto header = parseHeader(keeps, problem);
    ASSERT_TRUE(header.ok());
    const Artifact artifact = test::uncheckedArtifact(keeps, problem, *header);
    const Verdict verdict = verify(problem, test::candidateOf(problem, keeps), *header, artifact);
    EXPECT_FALSE(verdict.passed);
    EXPECT_EQ(verdict.failure, FailureKind::WrongValue) << describe(verdict);
}

TEST_F(VerifierTest, NarrowDomainIsAcceptedAndWrongDomainRefused)
{
    const Problem problem = test::rmsNormProblem();
    const std::string tail = test::textOf(test::kernelMutants().front());
    const std::string narrow = test::replaced(tail, "//! launch", "//! domain d1 % 8 == 0\n//! launch");
    const Verdict verdict = verdictOf(problem, narrow);
    EXPECT_TRUE(verdict.passed) << describe(verdict);
    const Verdict outside = verdictOf(problem, test::replaced(tail, "//! launch", "//! domain d1 == 77\n//! launch"));
    EXPECT_EQ(outside.failure, FailureKind::OutOfDomain);
    EXPECT_EQ(outside.reason.id, "verify.out_of_domain");
}

TEST_F(VerifierTest, ACandidateThatKnowsTheDevelopmentCasesLearnsNothingFromFailing)
{
    // Right for every size that development cases have, wrong elsewhere: only the redrawn cases can see it.
    const Problem problem = test::rmsNormProblem();
    std::string known = "cols == 160";
    for (const auto& sizes : cornerSizes(problem, parseHeader(test::rmsNormText, problem).value()))
        known += " || cols == " + std::to_string(sizes[1]);
    const std::string text = test::replaced(test::rmsNormText, "+ 1e-6f", "+ (" + known + " ? 1e-6f : 1.0f)");
    EXPECT_TRUE(verdictOf(problem, text, false).passed);
    const Verdict verdict = verdictOf(problem, text, true, 3);
    ASSERT_FALSE(verdict.passed);
    const Verdict view = agentView(verdict);
    EXPECT_EQ(view.seed, 0u);
    EXPECT_EQ(view.reason.id, "verify.acceptance_failed");
    EXPECT_EQ(view.failure, FailureKind::WrongValue);
    for (const StageResult& stage : view.stages)
        for (const CaseResult& result : stage.cases)
            if (result.tier == CaseTier::Acceptance) {
                EXPECT_EQ(result.name, Message("case.acceptance"));
                EXPECT_FALSE(result.worst);
            }
}

TEST_F(VerifierTest, DevelopmentCasesAreComputedOnce)
{
    const Problem problem = test::softmaxProblem();
    EXPECT_TRUE(verdictOf(problem, test::softmaxText, false).passed);
    const int before = m_reference.runs;
    EXPECT_TRUE(verdictOf(problem, test::softmaxText, false).passed);
    EXPECT_EQ(m_reference.runs, before);
}

TEST_F(VerifierTest, StopEndsAVerification)
{
    const Problem problem = test::softmaxProblem();
    const Candidate candidate = test::candidateOf(problem, test::softmaxText);
    const auto header = parseHeader(candidate.source, problem);
    const BuildOutcome built = build().backend().build(candidate, problem, *header);
    ASSERT_TRUE(built.ok());
    std::stop_source source;
    source.request_stop();
    const auto verdict = m_verifier.verify(problem, candidate, *header, built.artifact, {}, {}, source.get_token());
    ASSERT_FALSE(verdict.ok());
    EXPECT_EQ(verdict.error().message.id, "judge.stopped");
}

} // namespace
} // namespace kw
