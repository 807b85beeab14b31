// SPDX-License-Identifier: GPL-3.0-or-later
#include "build/cpp_backend.h"

#include <algorithm>
#include <optional>

namespace kw {
namespace {

std::string_view cppType(DType type)
{
    switch (type) {
    case DType::Float: return "float";
    case DType::Double: return "double";
    case DType::Int64: return "std::int64_t";
    case DType::Int32: return "std::int32_t";
    case DType::Int16: return "std::int16_t";
    case DType::Int8: return "std::int8_t";
    case DType::Bool:
    case DType::UInt8: return "std::uint8_t";
    case DType::UInt16: return "std::uint16_t";
    case DType::UInt32: return "std::uint32_t";
    case DType::UInt64: return "std::uint64_t";
    case DType::Half: return "_Float16";
    default: break;
    }
    // Bit patterns: GCC 12 has no arithmetic type for these.
    return itemSize(type) == 1 ? "std::uint8_t" : itemSize(type) == 2 ? "std::uint16_t" : "float";
}

template <typename Named> std::optional<std::size_t> indexOf(const std::vector<Named>& list, const std::string& name)
{
    const auto found = std::find_if(list.begin(), list.end(), [&](const Named& one) { return one.name == name; });
    return found == list.end() ? std::nullopt : std::optional<std::size_t>(found - list.begin());
}

std::string pointer(std::string_view type, bool constant, std::string_view array, std::size_t index)
{
    std::string text("static_cast<");
    text.append(constant ? "const " : "").append(type).append("*>(").append(array).append("[");
    return text.append(std::to_string(index)).append("])");
}

/// parseHeader() has checked the names: what is none of ours is a number.
std::string argumentText(const std::string& argument, const Problem& problem, const CandidateHeader& header)
{
    if (const auto input = indexOf(problem.inputs, argument))
        return pointer(cppType(problem.inputs[*input].dtype), true, "kwTensors", *input);
    if (const auto output = indexOf(problem.outputs, argument))
        return pointer(cppType(problem.outputs[*output].dtype), false, "kwTensors", problem.inputs.size() + *output);
    if (const auto workspace = indexOf(header.workspaces, argument))
        return pointer(cppType(header.workspaces[*workspace].dtype), false, "kwWorkspaces", *workspace);
    if (const auto dimension = indexOf(problem.dimensions, argument))
        return std::string("kwDimensions[").append(std::to_string(*dimension)).append("]");
    return std::string("std::int64_t{").append(argument).append("}");
}

} // namespace

std::string trampolineText(const Problem& problem, const CandidateHeader& header)
{
    std::string text = "extern \"C\" __attribute__((visibility(\"default\"))) void kw_launch([[maybe_unused]] void* const* kwTensors,\n"
                       "    [[maybe_unused]] const std::int64_t* kwDimensions, [[maybe_unused]] void* const* kwWorkspaces)\n{\n";
    for (const Launch& launch : header.launches) {
        // A mistake in a launch line is shown where it stands in the candidate's text.
        text += "#line " + std::to_string(std::max(1, launch.position.line)) + " \"candidate.cpp\"\n    " + launch.function + "(";
        for (std::size_t i = 0; i < launch.arguments.size(); ++i)
            text.append(i == 0 ? "" : ", ").append(argumentText(launch.arguments[i], problem, header));
        text += ");\n";
    }
    return text + "}\n";
}

} // namespace kw
