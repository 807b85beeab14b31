// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/experiment.h"
#include "record/timing_failure.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

TEST(ApprovalBinding, ChangesWithEverythingThatIsApproved)
{
    Candidate candidate;
    candidate.source = "//! domain d0 % 8 == 0\n";
    Verdict verdict;
    verdict.artifact = "a";
    const std::string binding = approvalBinding(candidate, verdict);
    EXPECT_EQ(binding.size(), 64u);
    EXPECT_EQ(binding, approvalBinding(candidate, verdict));
    Candidate other = candidate;
    other.source = "//! domain d0 % 4 == 0\n";
    EXPECT_NE(binding, approvalBinding(other, verdict));
    other = candidate;
    other.flags = "-funroll-loops";
    EXPECT_NE(binding, approvalBinding(other, verdict));
    Verdict changed = verdict;
    changed.artifact = "b";
    EXPECT_NE(binding, approvalBinding(candidate, changed));
    changed = verdict;
    changed.passed = true;
    EXPECT_NE(binding, approvalBinding(candidate, changed));
}

TEST(ApprovalBinding, IgnoresWhatIsOnlyDisplay)
{
    Candidate candidate, renamed;
    renamed.hypothesis = Message("other");
    renamed.predictedSeconds = 3;
    EXPECT_EQ(approvalBinding(candidate, {}), approvalBinding(renamed, {}));
}

TEST(TimingFailure, TravelsAsAnError)
{
    const TimingFailure failure{"c", FailureKind::NotWritten, Message("verify.timed_call_skipped").with("output", "y")};
    EXPECT_EQ(timingFailure(toError(failure)), failure);
    EXPECT_FALSE(timingFailure(error("judge.stopped")));
    EXPECT_FALSE(timingFailure(Error{Message("timing.failed"), "{not json"}));
    EXPECT_FALSE(timingFailure(Error{Message("timing.failed"), R"({"candidate":1})"}));
}

TEST(TimingFailure, FailsAPassedVerdict)
{
    Verdict verdict;
    verdict.passed = true;
    failTiming(verdict, {"c", FailureKind::TooFast, Message("verify.too_fast")});
    EXPECT_FALSE(verdict.passed);
    EXPECT_EQ(verdict.failedStage, Stage::Timing);
    EXPECT_EQ(verdict.failure, FailureKind::TooFast);
}

} // namespace
} // namespace kw
