// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "candidate/candidate.h"
#include "candidate/header.h"

#include <string>
#include <vector>

namespace kw {

/// A candidate as an operator of an exported library: names and the trusted texts around the candidate's own.
struct ExportedOperator {
    std::string name;        ///< "rms_norm_1a2b3c4d": the kernel's name and the start of the candidate's id
    std::string schema;      ///< "rms_norm_1a2b3c4d(Tensor x, Tensor weight) -> Tensor"
    std::string kernelFile;  ///< file name of the candidate's own text, unchanged
    std::string launchFile;  ///< file name of the text that includes it and exports its entry
    std::string launchText;
    std::string entry;       ///< C name of that entry
    Problem problem;
    Candidate candidate;
    CandidateHeader header;
};

/// Errors: parseHeader's, "apply.unsupported_dtype" (name, dtype).
Result<ExportedOperator> exportedOperator(const Problem& problem, const Candidate& candidate);

/// The namespace of a set of operators: the same set has the same one, another set another.
std::string operatorNamespace(const std::vector<ExportedOperator>& operators);
/// "torch.ops.<namespace>.<name>.default", as a `.pt2` names it.
std::string operatorTarget(const std::string& operatorNamespace, const ExportedOperator& exported);

/// The C++ text that checks arguments, makes outputs, calls the entries and registers everything through LibTorch's
/// stable ABI; it includes operator_runtime.h from resources/export. MIT-0, like all emitted text.
std::string operatorsText(const std::string& operatorNamespace, const std::vector<ExportedOperator>& operators);

} // namespace kw
