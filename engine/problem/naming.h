// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem/cut.h"

namespace kw {

/// Short, unique C identifiers for the values of a reference graph: "linear", "weight", "add_2" ... The same region at
/// another place of the model gets the same names as far as the model's names differ by numbers only.
void nameValues(const ModelView& view, const Cut& cut, Graph& reference);
/// What the region does, by its heaviest operators in their order: "pow_mean_rsqrt_mul".
std::string regionName(const ModelView& view, const Cut& cut);
/// The longest common module path: "model.layers.0.mlp" and "model.layers.0.norm" -> "model.layers.0".
std::string commonPath(const std::string& left, const std::string& right);
/// "aten::softmax.int" -> "softmax".
std::string shortTarget(const std::string& target);

} // namespace kw
