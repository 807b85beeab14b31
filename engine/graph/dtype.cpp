// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/dtype.h"

#include <nlohmann/json.hpp>

#include <array>
#include <stdexcept>
#include <string>

namespace kw {
namespace {

struct Row {
    DType type;
    std::string_view name;
    std::int64_t bytes;
};

constexpr std::array rows = {
    Row{DType::Undefined, "undefined", 0}, Row{DType::UInt8, "uint8", 1}, Row{DType::Int8, "int8", 1},
    Row{DType::Int16, "int16", 2}, Row{DType::Int32, "int32", 4}, Row{DType::Int64, "int64", 8},
    Row{DType::Half, "float16", 2}, Row{DType::Float, "float32", 4}, Row{DType::Double, "float64", 8},
    Row{DType::ComplexHalf, "complex32", 4}, Row{DType::ComplexFloat, "complex64", 8},
    Row{DType::ComplexDouble, "complex128", 16}, Row{DType::Bool, "bool", 1}, Row{DType::BFloat16, "bfloat16", 2},
    Row{DType::UInt16, "uint16", 2}, Row{DType::UInt32, "uint32", 4}, Row{DType::UInt64, "uint64", 8},
    Row{DType::Float8E4M3, "float8_e4m3fn", 1}, Row{DType::Float8E5M2, "float8_e5m2", 1},
};

const Row& row(DType type) { return rows.at(static_cast<std::size_t>(type)); }

} // namespace

std::int64_t itemSize(DType type) { return row(type).bytes; }
std::string_view dtypeName(DType type) { return row(type).name; }

std::optional<DType> dtypeFromName(std::string_view name)
{
    for (const Row& entry : rows)
        if (entry.name == name)
            return entry.type;
    return std::nullopt;
}

bool isFloating(DType type)
{
    switch (type) {
    case DType::Half: case DType::Float: case DType::Double: case DType::BFloat16:
    case DType::Float8E4M3: case DType::Float8E5M2:
        return true;
    default:
        return false;
    }
}

bool isComplex(DType type)
{
    return type == DType::ComplexHalf || type == DType::ComplexFloat || type == DType::ComplexDouble;
}

bool isInteger(DType type)
{
    return type != DType::Undefined && type != DType::Bool && !isFloating(type) && !isComplex(type);
}

void to_json(Json& json, DType type) { json = std::string(dtypeName(type)); }

void from_json(const Json& json, DType& type)
{
    const auto name = json.get<std::string>();
    const auto found = dtypeFromName(name);
    if (!found)
        throw std::runtime_error("unknown dtype " + name);
    type = *found;
}

} // namespace kw
