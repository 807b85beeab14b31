// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/host_tensors.h"

#include "worker/torch_types.h"

#include <cstring>

namespace kw {

HostTensor rowMajorCopy(const at::Tensor& tensor)
{
    return exactCopy(tensor.detach().contiguous());
}

HostTensor exactCopy(const at::Tensor& tensor)
{
    HostTensor host(typeOf(tensor));
    if (!host.storage.empty())
        std::memcpy(host.storage.data(), tensor.const_data_ptr(), host.storage.size());
    return host;
}

} // namespace kw
