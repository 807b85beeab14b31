// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/problem.h"

namespace kw {

/// The problem as a stand-alone PyTorch file: class Model(nn.Module), get_inputs(), get_init_inputs(), as benchmark
/// collections expect it. Needs torch only; every node is a torch.ops.aten call, inputs are drawn from their domains.
/// Error "problem.no_text" (target) for an argument that Python cannot spell.
Result<std::string> pytorchText(const Problem& problem);

/// The same for any graph without sub-graphs: a function `def NAME(inputs...)` that returns a tuple.
Result<std::string> pytorchFunction(const Graph& graph, const std::string& name);

} // namespace kw
