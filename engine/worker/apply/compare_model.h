// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "judge/judge.h"
#include "worker/apply/model_outputs.h"

#include <vector>

namespace kw {

/// How far each output of a changed model lies from what the original gives, against the same error budget that kernels
/// have (measure/budget.h): the fp64 run of the whole original graph is right, the original's own error is the scale.
/// `changed`, `original` and `precise` have one entry per graph output, in order; floating outputs of `precise` are fp64.
std::vector<OutputComparison> compareModelOutputs(const std::vector<ModelOutput>& changed, const std::vector<ModelOutput>& original,
    const std::vector<ModelOutput>& precise, const ErrorBudget& budget);

/// Largest share of equal arg-max along the last dimension, or -1 when a tensor is no row of scores (floating, at least
/// two dimensions, at least 32 entries a row).
double topOneAgreement(const HostTensor& a, const HostTensor& b);
/// Cosine of the angle between two tensors' finite elements; 1 when both are zero.
double cosineSimilarity(const HostTensor& a, const HostTensor& b);

} // namespace kw
