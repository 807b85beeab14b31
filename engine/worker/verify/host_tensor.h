// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace kw {

/// A tensor in the judge's own memory: element [i0, i1 ...] lies at sum(i * stride) elements from the start of `storage`.
/// Strides are >= 0; stride 0 repeats an element. A value type.
struct HostTensor {
    TensorType type;
    std::vector<std::byte> storage;      ///< storageBytes(type)

    HostTensor() = default;
    /// Zeros.
    explicit HostTensor(TensorType tensorType);
    friend bool operator==(const HostTensor&, const HostTensor&) = default;
};

/// Bytes from the first to the last element, gaps included; 0 when a dimension is 0.
std::int64_t storageBytes(const TensorType& type);
/// For each logical element in row-major order its offset in elements.
std::vector<std::int64_t> elementOffsets(const TensorType& type);
/// The element of any type at an offset.
double anyElementAt(const std::byte* storage, DType dtype, std::int64_t offset);
/// The element at an offset as a number: integers and bools too. Millions of them are read in a comparison.
inline double elementAt(const std::byte* storage, DType dtype, std::int64_t offset)
{
    if (dtype == DType::Float) {
        float number;
        std::memcpy(&number, storage + offset * std::int64_t{sizeof number}, sizeof number);
        return static_cast<double>(number);
    }
    if (dtype == DType::Double) {
        double number;
        std::memcpy(&number, storage + offset * std::int64_t{sizeof number}, sizeof number);
        return number;
    }
    return anyElementAt(storage, dtype, offset);
}
/// Rounds to the type: integers saturate, bools are value != 0.
void setElement(std::byte* storage, DType dtype, std::int64_t offset, double value);
/// Index of the logical element number `position` (row-major).
std::vector<std::int64_t> indexOf(const std::vector<std::int64_t>& shape, std::int64_t position);

} // namespace kw
