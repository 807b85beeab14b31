// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/diff.h"
#include "record/snapshot.h"

#include <string>

namespace kw::test {

/// Values as a session on a small transformer would hold them, made by hand: figures are inputs of view tests.
std::shared_ptr<const ProfileReport> sampleReport();
std::vector<ProblemRow> sampleProblems();
std::string sampleSource(int variant);
Candidate sampleCandidate(int variant);
TextDiff sampleDifference();
/// Number, problem and decision as asked for; a complete verdict and measurements that fit.
Experiment sampleExperiment(std::int64_t number, const std::string& problem, Decision decision, double ratio);
ExperimentRow rowOf(const Experiment& experiment, double modelSpeedup);
Verdict failedVerdict();

} // namespace kw::test
