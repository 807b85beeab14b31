// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <string>

namespace kw {

/// Whether a model file may call this operator ("aten::add.Tensor"). Files, the network, code and output streams are out
/// of bounds by name; so are operator libraries that we do not load. Free of LibTorch.
/// Errors: "import.forbidden_operator" (operator), "import.operator_library" (operator, library).
Result<void> checkOperatorAllowed(const std::string& target);

} // namespace kw
