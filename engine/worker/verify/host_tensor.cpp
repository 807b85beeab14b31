// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/host_tensor.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace kw {
namespace {

template <typename Number> double load(const std::byte* address)
{
    Number number;
    std::memcpy(&number, address, sizeof number);
    return static_cast<double>(number);
}

template <typename Number> void store(std::byte* address, Number number)
{
    std::memcpy(address, &number, sizeof number);
}

template <typename Integer> Integer saturated(double value)
{
    if (std::isnan(value))
        return 0;
    if (value <= static_cast<double>(std::numeric_limits<Integer>::min()))
        return std::numeric_limits<Integer>::min();
    if (value >= static_cast<double>(std::numeric_limits<Integer>::max()))
        return std::numeric_limits<Integer>::max();
    return static_cast<Integer>(value);
}

float fromBFloat16(const std::byte* address)
{
    std::uint16_t half;
    std::memcpy(&half, address, sizeof half);
    return std::bit_cast<float>(std::uint32_t{half} << 16);
}

double fromHalf(const std::byte* address)
{
    std::uint16_t half;
    std::memcpy(&half, address, sizeof half);
    const int exponent = (half >> 10) & 31;
    const int fraction = half & 1023;
    const double sign = half & 0x8000 ? -1 : 1;
    if (exponent == 31)
        return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

} // namespace

HostTensor::HostTensor(TensorType tensorType)
    : type(std::move(tensorType)), storage(static_cast<std::size_t>(storageBytes(type)), std::byte{0})
{
}

std::int64_t storageBytes(const TensorType& type)
{
    std::int64_t last = 0;
    for (std::size_t axis = 0; axis < type.shape.size(); ++axis) {
        if (type.shape[axis] == 0)
            return 0;
        last += (type.shape[axis] - 1) * type.strides[axis];
    }
    return (last + 1) * itemSize(type.dtype);
}

std::vector<std::int64_t> elementOffsets(const TensorType& type)
{
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(type.elements()));
    if (offsets.empty())
        return offsets;
    const std::size_t rank = type.shape.size();
    std::vector<std::int64_t> index(rank, 0);
    std::int64_t offset = 0;
    for (std::int64_t& entry : offsets) {
        entry = offset;
        for (std::size_t axis = rank; axis-- > 0;) {
            offset += type.strides[axis];
            if (++index[axis] < type.shape[axis])
                break;
            offset -= type.shape[axis] * type.strides[axis];
            index[axis] = 0;
        }
    }
    return offsets;
}

double anyElementAt(const std::byte* storage, DType dtype, std::int64_t offset)
{
    const std::byte* address = storage + offset * itemSize(dtype);
    switch (dtype) {
    case DType::Float: return load<float>(address);
    case DType::Double: return load<double>(address);
    case DType::Half: return fromHalf(address);
    case DType::BFloat16: return fromBFloat16(address);
    case DType::Int64: return load<std::int64_t>(address);
    case DType::Int32: return load<std::int32_t>(address);
    case DType::Int16: return load<std::int16_t>(address);
    case DType::Int8: return load<std::int8_t>(address);
    case DType::UInt64: return load<std::uint64_t>(address);
    case DType::UInt32: return load<std::uint32_t>(address);
    case DType::UInt16: return load<std::uint16_t>(address);
    default: return load<std::uint8_t>(address); // UInt8, Bool
    }
}

void setElement(std::byte* storage, DType dtype, std::int64_t offset, double value)
{
    std::byte* address = storage + offset * itemSize(dtype);
    switch (dtype) {
    case DType::Float: return store(address, static_cast<float>(value));
    case DType::Double: return store(address, value);
    case DType::Int64: return store(address, saturated<std::int64_t>(value));
    case DType::Int32: return store(address, saturated<std::int32_t>(value));
    case DType::Int16: return store(address, saturated<std::int16_t>(value));
    case DType::Int8: return store(address, saturated<std::int8_t>(value));
    case DType::UInt64: return store(address, saturated<std::uint64_t>(value));
    case DType::UInt32: return store(address, saturated<std::uint32_t>(value));
    case DType::UInt16: return store(address, saturated<std::uint16_t>(value));
    case DType::Bool: return store(address, static_cast<std::uint8_t>(value != 0));
    case DType::BFloat16: return store(address, static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16));
    default: return store(address, saturated<std::uint8_t>(value));
    }
}

std::vector<std::int64_t> indexOf(const std::vector<std::int64_t>& shape, std::int64_t position)
{
    std::vector<std::int64_t> index(shape.size(), 0);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        if (shape[axis] == 0)
            continue;
        index[axis] = position % shape[axis];
        position /= shape[axis];
    }
    return index;
}

} // namespace kw
