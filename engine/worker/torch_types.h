// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>

#include <exception>
#include <string>

// The one place where our types and LibTorch's are translated into each other.
namespace kw {

c10::ScalarType toTorch(DType type);
DType fromTorch(c10::ScalarType type);
c10::Layout toTorch(Layout layout);
c10::MemoryFormat toTorch(MemoryFormat format);

/// dtype, shape and strides; for tensors without strides (sparse ...) the strides stay empty.
TensorType typeOf(const at::Tensor& tensor);

/// A LibTorch exception's text without its backtrace, at most 1000 characters.
std::string shortText(const std::exception& exception);

} // namespace kw
