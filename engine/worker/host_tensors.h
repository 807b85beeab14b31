// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/verify/host_tensor.h"

#include <ATen/core/Tensor.h>

namespace kw {

/// A row-major copy of a tensor.
HostTensor rowMajorCopy(const at::Tensor& tensor);
/// A copy with the tensor's own strides, gaps and repetitions.
HostTensor exactCopy(const at::Tensor& tensor);

} // namespace kw
