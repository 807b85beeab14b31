// SPDX-License-Identifier: MIT-0
// What every exported operator needs: checked inputs in the layout that the kernel was verified with, outputs in the
// layout that the model expects, and working memory. Uses only LibTorch's stable ABI, so a library built once keeps
// loading in later torch versions.
#pragma once

#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/Exception.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace kw_export {

using torch::headeronly::ScalarType;
using torch::stable::Tensor;

/// Shape, strides (in elements) and alignment (in bytes) of one tensor of a kernel's signature.
struct Layout {
    const char* name;
    ScalarType type;
    int torchType; // the number that aoti_torch_dtype_*() returns
    std::int64_t dimensions;
    const std::int64_t* sizes;
    const std::int64_t* strides;
    std::int64_t alignment;
};

inline Tensor makeTensor(const Layout& layout)
{
    AtenTensorHandle handle = nullptr;
    TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(layout.dimensions, layout.sizes, layout.strides,
        layout.torchType, aoti_torch_device_type_cpu(), 0, &handle));
    return Tensor(handle);
}

inline bool hasLayout(const Tensor& tensor, const Layout& layout)
{
    for (std::int64_t i = 0; i < layout.dimensions; ++i)
        if (layout.sizes[i] > 1 && tensor.stride(i) != layout.strides[i])
            return false;
    return reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr()) % static_cast<std::uintptr_t>(layout.alignment) == 0;
}

/// The tensor itself, or a copy of it in the layout that the kernel was verified with.
/// Another element type, size or device is an error: the kernel was never verified for it.
inline Tensor checked(const Tensor& tensor, const Layout& layout)
{
    STD_TORCH_CHECK(tensor.is_cpu(), "kernelwright: ", layout.name, " must be on the CPU");
    STD_TORCH_CHECK(tensor.scalar_type() == layout.type, "kernelwright: ", layout.name, " has another dtype than the exported model");
    STD_TORCH_CHECK(tensor.dim() == layout.dimensions, "kernelwright: ", layout.name, " has another rank than the exported model");
    for (std::int64_t i = 0; i < layout.dimensions; ++i)
        STD_TORCH_CHECK(tensor.size(i) == layout.sizes[i], "kernelwright: ", layout.name, " has size ", tensor.size(i),
            " in dimension ", i, "; the kernel was verified for ", layout.sizes[i]);
    if (hasLayout(tensor, layout))
        return tensor;
    Tensor copy = makeTensor(layout);
    torch::stable::copy_(copy, tensor);
    return copy;
}

/// Working memory of one kernel, kept per thread and grown when needed.
class Workspace {
public:
    void* get(std::int64_t bytes, bool zeroed)
    {
        if (bytes > m_bytes) {
            m_memory.reset(std::aligned_alloc(64, static_cast<std::size_t>((bytes + 63) / 64 * 64)));
            STD_TORCH_CHECK(m_memory != nullptr, "kernelwright: no memory for a workspace of ", bytes, " bytes");
            m_bytes = bytes;
        }
        if (zeroed)
            std::memset(m_memory.get(), 0, static_cast<std::size_t>(bytes));
        return m_memory.get();
    }

private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> m_memory;
    std::int64_t m_bytes = 0;
};

} // namespace kw_export
