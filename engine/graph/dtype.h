// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace kw {

/// Element type of a tensor, by torch's names. Undefined marks a value that is not a tensor.
enum class DType : std::uint8_t {
    Undefined, UInt8, Int8, Int16, Int32, Int64, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool,
    BFloat16, UInt16, UInt32, UInt64, Float8E4M3, Float8E5M2,
};

/// Bytes per element; 0 for Undefined.
std::int64_t itemSize(DType type);
/// torch's name without the "torch." prefix: "float32", "bfloat16", "bool" ...
std::string_view dtypeName(DType type);
std::optional<DType> dtypeFromName(std::string_view name);
bool isFloating(DType type); ///< half, bfloat16, float, double, float8
bool isComplex(DType type);
bool isInteger(DType type);  ///< signed and unsigned integers, not bool

void to_json(Json& json, DType type);
void from_json(const Json& json, DType& type);

} // namespace kw
