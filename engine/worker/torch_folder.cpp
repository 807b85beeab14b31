// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/torch_folder.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <dlfcn.h>

namespace kw {

std::filesystem::path torchFolder()
{
    Dl_info where{};
    if (::dladdr(reinterpret_cast<const void*>(&c10::GetCPUAllocator), &where) == 0)
        return {};
    return std::filesystem::canonical(where.dli_fname).parent_path().parent_path();
}

} // namespace kw
