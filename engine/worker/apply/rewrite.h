// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kw {

/// One call site in a `.pt2` graph that a custom operator takes over. All names are value names of the model file.
struct Replacement {
    std::string target;                                         ///< "torch.ops.kernelwright.rms_norm_1a2b.default"
    std::vector<std::pair<std::string, std::string>> arguments; ///< schema argument name, value name
    std::vector<std::string> outputs;                           ///< values that the operator defines, in schema order
    std::vector<std::string> absorbed;                          ///< every value that the replaced nodes define
};

/// What became of a `model.json`.
struct RewrittenModel {
    std::string json;
    std::vector<bool> applied; ///< one per replacement; false when the order of mutating nodes forbids it
};

/// Rewrites the text of a `.pt2` archive's model.json. Nodes whose values nothing reads any more go, as far as they are
/// absorbed; all others stay byte for byte, except for their place: the result is in topological order again and nodes
/// that write in place keep their order among all their neighbours.
/// The text is untrusted. Errors: "json.malformed", "apply.unexpected_model" (what). Free of LibTorch.
Result<RewrittenModel> rewriteModelJson(std::string_view modelJson, const std::vector<Replacement>& replacements);

} // namespace kw
