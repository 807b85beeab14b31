// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/import_values.h"

#include <array>
#include <charconv>
#include <limits>

namespace kw {

void failImport(std::string what)
{
    throw ImportFailure(Error{Message("import.malformed").with("what", std::move(what)), {}});
}

const Json& member(const Json& json, const char* key)
{
    if (!json.is_object())
        failImport(std::string("an object with ").append(key).append(" is expected"));
    const auto found = json.find(key);
    if (found == json.end())
        failImport(std::string(key).append(" is missing"));
    return *found;
}

std::pair<std::string, const Json*> unionOf(const Json& json)
{
    if (!json.is_object() || json.size() != 1)
        failImport("an object with one member is expected");
    return {json.begin().key(), &json.begin().value()};
}

std::string textOf(const Json& json)
{
    if (!json.is_string())
        failImport("a text is expected");
    return json.get<std::string>();
}

std::int64_t integerOf(const Json& json)
{
    if (!json.is_number_integer())
        failImport("a whole number is expected");
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        failImport("a number is out of range");
    return json.get<std::int64_t>();
}

bool boolOf(const Json& json)
{
    if (!json.is_boolean())
        failImport("true or false is expected");
    return json.get<bool>();
}

double numberOf(const Json& json)
{
    if (json.is_number())
        return json.get<double>();
    if (json.is_string()) {
        const auto text = json.get<std::string>();
        if (text == "Infinity")
            return std::numeric_limits<double>::infinity();
        if (text == "-Infinity")
            return -std::numeric_limits<double>::infinity();
        if (text == "NaN")
            return std::numeric_limits<double>::quiet_NaN();
    }
    failImport("a number is expected");
}

DType dtypeFromFile(std::int64_t number)
{
    constexpr std::array<DType, 14> first{DType::Undefined, DType::UInt8, DType::Int8, DType::Int16, DType::Int32, DType::Int64,
        DType::Half, DType::Float, DType::Double, DType::ComplexHalf, DType::ComplexFloat, DType::ComplexDouble, DType::Bool,
        DType::BFloat16};
    if (number >= 0 && number < static_cast<std::int64_t>(first.size()))
        return first[static_cast<std::size_t>(number)];
    switch (number) {
    case 28: return DType::UInt16;
    case 29: return DType::Float8E4M3;
    case 30: return DType::Float8E5M2;
    default: return DType::Undefined;
    }
}

Layout layoutFromFile(std::int64_t number)
{
    switch (number) {
    case 1: return Layout::SparseCoo;
    case 2: return Layout::SparseCsr;
    case 3: return Layout::SparseCsc;
    case 4: return Layout::SparseBsr;
    case 6: return Layout::Mkldnn;
    case 7: return Layout::Strided;
    default: failImport("a tensor layout is unknown");
    }
}

MemoryFormat memoryFormatFromFile(std::int64_t number)
{
    switch (number) {
    case 1: return MemoryFormat::Contiguous;
    case 2: return MemoryFormat::ChannelsLast;
    case 3: return MemoryFormat::ChannelsLast3d;
    case 4: return MemoryFormat::Preserve;
    default: failImport("a memory format is unknown");
    }
}

namespace {

FileSize fileSize(const Json& json)
{
    const auto [kind, value] = unionOf(json);
    if (kind == "as_int")
        return FileSize{integerOf(*value), {}};
    if (kind != "as_expr")
        failImport("a size is neither a number nor an expression");
    FileSize size{0, textOf(member(*value, "expr_str"))};
    if (const auto hint = value->find("hint"); hint != value->end() && !hint->is_null()) {
        const auto [hintKind, hintValue] = unionOf(*hint);
        if (hintKind == "as_int")
            size.number = integerOf(*hintValue);
    }
    return size;
}

std::vector<FileSize> fileSizes(const Json& json)
{
    if (!json.is_array() || json.size() > 64)
        failImport("the sizes of a tensor are expected");
    std::vector<FileSize> sizes;
    for (const Json& entry : json)
        sizes.push_back(fileSize(entry));
    return sizes;
}

} // namespace

bool TensorDescription::symbolic() const
{
    for (const auto* list : {&sizes, &strides})
        for (const auto& size : *list)
            if (!size.expression.empty())
                return true;
    return !offset.expression.empty();
}

TensorDescription tensorDescription(const Json& json)
{
    TensorDescription tensor;
    tensor.dtype = dtypeFromFile(integerOf(member(json, "dtype")));
    if (tensor.dtype == DType::Undefined)
        failImport("an element type is unknown");
    tensor.sizes = fileSizes(member(json, "sizes"));
    tensor.strides = fileSizes(member(json, "strides"));
    tensor.offset = fileSize(member(json, "storage_offset"));
    tensor.layout = layoutFromFile(integerOf(member(json, "layout")));
    tensor.requiresGrad = boolOf(member(json, "requires_grad"));
    return tensor;
}

namespace {

bool torchOwn(std::string_view file)
{
    return file.find("/torch/nn/") != file.npos || file.find("/torch/_") != file.npos
        || file.find("/torch/functional.py") != file.npos || file.find("/torch/export/") != file.npos;
}

/// Splits off the next line.
std::string_view nextLine(std::string_view& text)
{
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::string_view trimmed(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == text.npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

} // namespace

SourceLocation sourceFromTrace(std::string_view trace)
{
    SourceLocation innermost, found;
    while (!trace.empty()) {
        const auto line = trimmed(nextLine(trace));
        constexpr std::string_view fileMark = "File \"", lineMark = "\", line ";
        if (!line.starts_with(fileMark))
            continue;
        const auto end = line.find(lineMark);
        if (end == line.npos)
            continue;
        SourceLocation location;
        location.file = line.substr(fileMark.size(), end - fileMark.size());
        const auto digits = line.substr(end + lineMark.size());
        std::from_chars(digits.data(), digits.data() + digits.size(), location.line);
        auto rest = trace;
        if (const auto code = trimmed(nextLine(rest)); !code.starts_with(fileMark))
            location.code = code;
        if (!torchOwn(location.file))
            found = location;
        innermost = std::move(location);
    }
    return found.file.empty() ? innermost : found;
}

std::pair<std::string, std::string> moduleFromStack(std::string_view stack)
{
    const auto last = stack.rfind(';');
    const auto entry = last == stack.npos ? stack : stack.substr(last + 1);
    const auto first = entry.find(',');
    const auto second = entry.rfind(',');
    if (first == entry.npos || second == first)
        return {};
    auto path = std::string(entry.substr(first + 1, second - first - 1));
    const auto type = entry.substr(second + 1);
    const auto dot = type.rfind('.');
    return {std::move(path), std::string(dot == type.npos ? type : type.substr(dot + 1))};
}

std::string targetFromFile(std::string_view target)
{
    constexpr std::string_view operators = "torch.ops.";
    if (!target.starts_with(operators)) {
        const auto dot = target.rfind('.');
        return std::string("python::").append(dot == target.npos ? target : target.substr(dot + 1));
    }
    target.remove_prefix(operators.size());
    const auto space = target.find('.');
    if (space == target.npos || space == 0 || space + 1 == target.size())
        failImport("the name of an operator is expected");
    auto name = std::string(target.substr(0, space)).append("::").append(target.substr(space + 1));
    constexpr std::string_view plain = ".default";
    if (name.ends_with(plain))
        name.erase(name.size() - plain.size());
    return name;
}

} // namespace kw
