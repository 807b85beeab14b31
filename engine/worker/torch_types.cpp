// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/torch_types.h"

#include <c10/util/Exception.h>

#include <array>

namespace kw {
namespace {

constexpr std::array<std::pair<DType, c10::ScalarType>, 18> types{{
    {DType::UInt8, c10::ScalarType::Byte}, {DType::Int8, c10::ScalarType::Char}, {DType::Int16, c10::ScalarType::Short},
    {DType::Int32, c10::ScalarType::Int}, {DType::Int64, c10::ScalarType::Long}, {DType::Half, c10::ScalarType::Half},
    {DType::Float, c10::ScalarType::Float}, {DType::Double, c10::ScalarType::Double},
    {DType::ComplexHalf, c10::ScalarType::ComplexHalf}, {DType::ComplexFloat, c10::ScalarType::ComplexFloat},
    {DType::ComplexDouble, c10::ScalarType::ComplexDouble}, {DType::Bool, c10::ScalarType::Bool},
    {DType::BFloat16, c10::ScalarType::BFloat16}, {DType::UInt16, c10::ScalarType::UInt16},
    {DType::UInt32, c10::ScalarType::UInt32}, {DType::UInt64, c10::ScalarType::UInt64},
    {DType::Float8E4M3, c10::ScalarType::Float8_e4m3fn}, {DType::Float8E5M2, c10::ScalarType::Float8_e5m2},
}};

} // namespace

c10::ScalarType toTorch(DType type)
{
    for (const auto& [ours, theirs] : types)
        if (ours == type)
            return theirs;
    return c10::ScalarType::Undefined;
}

DType fromTorch(c10::ScalarType type)
{
    for (const auto& [ours, theirs] : types)
        if (theirs == type)
            return ours;
    return DType::Undefined;
}

c10::Layout toTorch(Layout layout)
{
    switch (layout) {
    case Layout::Strided: return c10::Layout::Strided;
    case Layout::SparseCoo: return c10::Layout::Sparse;
    case Layout::SparseCsr: return c10::Layout::SparseCsr;
    case Layout::SparseCsc: return c10::Layout::SparseCsc;
    case Layout::SparseBsr: return c10::Layout::SparseBsr;
    case Layout::Mkldnn: return c10::Layout::Mkldnn;
    }
    return c10::Layout::Strided;
}

c10::MemoryFormat toTorch(MemoryFormat format)
{
    switch (format) {
    case MemoryFormat::Contiguous: return c10::MemoryFormat::Contiguous;
    case MemoryFormat::Preserve: return c10::MemoryFormat::Preserve;
    case MemoryFormat::ChannelsLast: return c10::MemoryFormat::ChannelsLast;
    case MemoryFormat::ChannelsLast3d: return c10::MemoryFormat::ChannelsLast3d;
    }
    return c10::MemoryFormat::Preserve;
}

TensorType typeOf(const at::Tensor& tensor)
{
    TensorType type;
    type.dtype = fromTorch(tensor.scalar_type());
    type.shape.assign(tensor.sizes().begin(), tensor.sizes().end());
    if (tensor.layout() == c10::Layout::Strided)
        type.strides.assign(tensor.strides().begin(), tensor.strides().end());
    return type;
}

std::string shortText(const std::exception& exception)
{
    const auto* torchError = dynamic_cast<const c10::Error*>(&exception);
    std::string text = torchError ? torchError->what_without_backtrace() : exception.what();
    constexpr std::size_t most = 1000;
    if (text.size() > most)
        text.resize(most);
    return text;
}

} // namespace kw
