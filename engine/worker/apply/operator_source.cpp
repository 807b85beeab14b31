// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/apply/operator_source.h"

#include "base/hash.h"
#include "build/cpp_backend.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace kw {
namespace {

struct TorchType {
    const char* scalar; ///< torch::headeronly::ScalarType
    const char* shim;   ///< aoti_torch_dtype_*
};

std::optional<TorchType> torchType(DType type)
{
    switch (type) {
    case DType::Float: return TorchType{"Float", "float32"};
    case DType::Double: return TorchType{"Double", "float64"};
    case DType::Half: return TorchType{"Half", "float16"};
    case DType::BFloat16: return TorchType{"BFloat16", "bfloat16"};
    case DType::Int64: return TorchType{"Long", "int64"};
    case DType::Int32: return TorchType{"Int", "int32"};
    case DType::Int16: return TorchType{"Short", "int16"};
    case DType::Int8: return TorchType{"Char", "int8"};
    case DType::UInt8: return TorchType{"Byte", "uint8"};
    case DType::Bool: return TorchType{"Bool", "bool"};
    default: return std::nullopt;
    }
}

std::string numbers(const std::vector<std::int64_t>& values)
{
    std::string text;
    for (const std::int64_t value : values)
        text += (text.empty() ? "" : ", ") + std::to_string(value);
    return text.empty() ? "0" : text; // C++ has no empty arrays; the rank says that nothing is read
}

std::int64_t claimedAlignment(const CandidateHeader& header, const TensorArgument& argument)
{
    std::int64_t alignment = itemSize(argument.dtype);
    for (const DomainClause& clause : header.domain)
        if (clause.kind == DomainClause::Kind::Aligned && clause.subject == argument.name)
            alignment = std::max(alignment, clause.number);
    return alignment;
}

void writeLayout(std::ostream& out, const ExportedOperator& exported, const TensorArgument& argument)
{
    const auto shape = concreteShape(argument.shape, exported.problem.shapes.front().dimensions);
    const auto type = *torchType(argument.dtype);
    out << "const std::int64_t " << argument.name << "Sizes[] = {" << numbers(shape) << "};\n"
        << "const std::int64_t " << argument.name << "Strides[] = {" << numbers(argument.strides) << "};\n"
        << "const Layout " << argument.name << "Layout{\"" << argument.name << "\", ScalarType::" << type.scalar
        << ", aoti_torch_dtype_" << type.shim << "(), " << shape.size() << ", " << argument.name << "Sizes, "
        << argument.name << "Strides, " << claimedAlignment(exported.header, argument) << "};\n";
}

std::string resultType(const ExportedOperator& exported)
{
    std::string text;
    for (std::size_t i = 0; i < exported.problem.outputs.size(); ++i)
        text += i ? ", Tensor" : "Tensor";
    return exported.problem.outputs.size() == 1 ? text : "std::tuple<" + text + ">";
}

void writeWorkspaces(std::ostream& out, const ExportedOperator& exported)
{
    const auto& dimensions = exported.problem.shapes.front().dimensions;
    for (const Workspace& workspace : exported.header.workspaces) {
        const auto elements = evaluate(workspace.elements, exported.problem, dimensions);
        const std::int64_t bytes = elements ? *elements * itemSize(workspace.dtype) : 0;
        out << "    static thread_local kw_export::Workspace " << workspace.name << "Memory;\n"
            << "    void* const " << workspace.name << "Space = " << workspace.name << "Memory.get(" << bytes << ", "
            << (workspace.zeroed ? "true" : "false") << ");\n";
    }
}

void writeOperator(std::ostream& out, const ExportedOperator& exported)
{
    const Problem& problem = exported.problem;
    out << "extern \"C\" void " << exported.entry
        << "(void* const* tensors, const std::int64_t* dims, void* const* workspaces);\n\n"
        << "namespace " << exported.name << "_ {\n";
    for (const TensorArgument& argument : problem.inputs)
        writeLayout(out, exported, argument);
    for (const TensorArgument& argument : problem.outputs)
        writeLayout(out, exported, argument);

    out << '\n' << resultType(exported) << " call(";
    for (std::size_t i = 0; i < problem.inputs.size(); ++i)
        out << (i ? ", " : "") << "Tensor " << problem.inputs[i].name;
    out << ")\n{\n";
    for (const TensorArgument& argument : problem.inputs)
        out << "    const Tensor " << argument.name << "Checked = checked(" << argument.name << ", " << argument.name << "Layout);\n";
    for (const TensorArgument& argument : problem.outputs)
        out << "    Tensor " << argument.name << " = makeTensor(" << argument.name << "Layout);\n";
    writeWorkspaces(out, exported);
    out << "    void* const tensors[] = {";
    const char* separator = "";
    for (const TensorArgument& argument : problem.inputs) {
        out << separator << "const_cast<void*>(" << argument.name << "Checked.const_data_ptr())";
        separator = ", ";
    }
    for (const TensorArgument& argument : problem.outputs) {
        out << separator << argument.name << ".mutable_data_ptr()";
        separator = ", ";
    }
    out << "};\n    const std::int64_t dims[] = {" << numbers(problem.shapes.front().dimensions) << "};\n"
        << "    void* const workspaces[] = {";
    for (const Workspace& workspace : exported.header.workspaces)
        out << workspace.name << "Space, ";
    out << "nullptr};\n    " << exported.entry << "(tensors, dims, workspaces);\n    return ";
    if (problem.outputs.size() > 1)
        out << resultType(exported) << '(';
    for (std::size_t i = 0; i < problem.outputs.size(); ++i)
        out << (i ? ", " : "") << problem.outputs[i].name;
    out << (problem.outputs.size() > 1 ? ")" : "") << ";\n}\n} // namespace " << exported.name << "_\n\n";
}

std::string schemaOf(const std::string& name, const Problem& problem)
{
    std::string text = name + "(";
    for (std::size_t i = 0; i < problem.inputs.size(); ++i)
        text += (i ? ", Tensor " : "Tensor ") + problem.inputs[i].name;
    text += ") -> ";
    if (problem.outputs.size() == 1)
        return text + "Tensor";
    text += "(";
    for (std::size_t i = 0; i < problem.outputs.size(); ++i)
        text += i ? ", Tensor" : "Tensor";
    return text + ")";
}

} // namespace

Result<ExportedOperator> exportedOperator(const Problem& problem, const Candidate& candidate)
{
    KW_TRY(CandidateHeader header, parseHeader(candidate.source, problem));
    for (const auto* arguments : {&problem.inputs, &problem.outputs})
        for (const TensorArgument& argument : *arguments)
            if (!torchType(argument.dtype))
                return Error{Message("apply.unsupported_dtype").with("name", argument.name).with("dtype", std::string(dtypeName(argument.dtype))), {}};
    ExportedOperator exported;
    exported.name = header.kernel + "_" + candidate.id.substr(0, 8);
    exported.schema = schemaOf(exported.name, problem);
    exported.kernelFile = exported.name + ".cpp";
    exported.launchFile = exported.name + ".launch.cpp";
    exported.entry = "kw_launch_" + exported.name;
    exported.launchText = "// SPDX-License-Identifier: MIT-0\n#define kw_launch " + exported.entry + "\n#include \""
        + exported.kernelFile + "\"\n" + trampolineText(problem, header);
    exported.problem = problem;
    exported.candidate = candidate;
    exported.header = std::move(header);
    return exported;
}

std::string operatorNamespace(const std::vector<ExportedOperator>& operators)
{
    std::vector<std::string_view> ids;
    for (const ExportedOperator& exported : operators)
        ids.push_back(exported.candidate.id);
    std::sort(ids.begin(), ids.end());
    return "kernelwright_" + sha256(ids).substr(0, 12);
}

std::string operatorTarget(const std::string& operatorNamespace, const ExportedOperator& exported)
{
    return "torch.ops." + operatorNamespace + "." + exported.name + ".default";
}

std::string operatorsText(const std::string& operatorNamespace, const std::vector<ExportedOperator>& operators)
{
    std::ostringstream out;
    out << "// SPDX-License-Identifier: MIT-0\n"
           "// Registers the kernels of this folder as operators of torch. Generated; the kernels' own texts stand beside.\n"
           "#include \"operator_runtime.h\"\n\n#include <tuple>\n\n"
           "using kw_export::checked;\nusing kw_export::Layout;\nusing kw_export::makeTensor;\n"
           "using kw_export::ScalarType;\nusing kw_export::Tensor;\n\n";
    for (const ExportedOperator& exported : operators)
        writeOperator(out, exported);
    out << "STABLE_TORCH_LIBRARY(" << operatorNamespace << ", library)\n{\n";
    for (const ExportedOperator& exported : operators)
        out << "    library.def(\"" << exported.schema << "\");\n";
    out << "}\n\nSTABLE_TORCH_LIBRARY_IMPL(" << operatorNamespace << ", CPU, library)\n{\n";
    for (const ExportedOperator& exported : operators)
        out << "    library.impl(\"" << exported.name << "\", TORCH_BOX(&" << exported.name << "_::call));\n";
    out << "}\n";
    return out.str();
}

} // namespace kw
