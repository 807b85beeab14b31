// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/pytorch_text.h"

#include "graph/builder.h"

#include <array>
#include <charconv>
#include <cmath>
#include <unordered_set>

namespace kw {
namespace {

Error noText(const std::string& target) { return Error{Message("problem.no_text").with("target", target), {}}; }

bool isKeyword(const std::string& name)
{
    static const std::unordered_set<std::string> words = {"False", "None", "True", "and", "as", "assert", "async", "await",
        "break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if",
        "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
        "torch", "self", "aten", "math", "nn"};
    return words.contains(name);
}

/// Python names for values: letters, digits and underscores, unique.
class Names {
public:
    explicit Names(const Graph& graph)
    {
        std::unordered_set<std::string> taken;
        for (const Value& value : graph.values) {
            std::string base;
            for (const char letter : value.name) {
                const bool digit = letter >= '0' && letter <= '9';
                const bool plain = digit || letter == '_' || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
                base += !plain ? '_' : letter;
            }
            if (base.empty() || (base.front() >= '0' && base.front() <= '9') || base.starts_with("__"))
                base.insert(0, "v");
            if (isKeyword(base))
                base += "_";
            std::string name = base;
            for (int number = 1; !taken.insert(name).second; ++number)
                name = base + "_" + std::to_string(number);
            m_names.push_back(std::move(name));
        }
    }
    std::string operator()(ValueId id) const { return id == noValue ? "None" : m_names.at(static_cast<std::size_t>(id)); }

private:
    std::vector<std::string> m_names;
};

std::string pythonNumber(double number)
{
    if (std::isnan(number))
        return "float('nan')";
    if (std::isinf(number))
        return number > 0 ? "float('inf')" : "float('-inf')";
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    std::string text(buffer.data(), end);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string pythonText(const std::string& text)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string quoted = "'";
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte < 0x20 || byte >= 0x7f || letter == '\'' || letter == '\\') {
            quoted += "\\x";
            quoted += digits[byte >> 4];
            quoted += digits[byte & 15];
        } else {
            quoted += letter;
        }
    }
    return quoted + "'";
}

template <typename List, typename Convert> std::string joined(const List& list, Convert convert)
{
    std::string text;
    for (const auto& entry : list)
        text += (text.empty() ? "" : ", ") + convert(entry);
    return text;
}

std::string plainArgument(const Argument& argument)
{
    if (std::holds_alternative<std::monostate>(argument))
        return "None";
    if (const auto* truth = std::get_if<bool>(&argument))
        return *truth ? "True" : "False";
    if (const auto* whole = std::get_if<std::int64_t>(&argument))
        return std::to_string(*whole);
    if (const auto* real = std::get_if<double>(&argument))
        return pythonNumber(*real);
    if (const auto* text = std::get_if<std::string>(&argument))
        return pythonText(*text);
    if (const auto* type = std::get_if<DType>(&argument))
        return "torch." + std::string(dtypeName(*type));
    if (const auto* reals = std::get_if<std::vector<double>>(&argument))
        return "[" + joined(*reals, pythonNumber) + "]";
    if (const auto* truths = std::get_if<std::vector<bool>>(&argument))
        return "[" + joined(*truths, [](bool truth) { return std::string(truth ? "True" : "False"); }) + "]";
    if (const auto* device = std::get_if<DeviceName>(&argument))
        return "torch.device(" + pythonText(device->name) + ")";
    if (const auto* layout = std::get_if<Layout>(&argument); layout && *layout == Layout::Strided)
        return "torch.strided";
    if (const auto* format = std::get_if<MemoryFormat>(&argument)) {
        constexpr std::array<const char*, 4> words = {"contiguous_format", "preserve_format", "channels_last", "channels_last_3d"};
        return std::string("torch.") + words.at(static_cast<std::size_t>(*format));
    }
    return {};
}

/// Empty when Python cannot spell it.
std::string pythonArgument(const Argument& argument, const Names& names)
{
    if (const auto* reference = std::get_if<ValueRef>(&argument))
        return names(reference->id);
    if (const auto* list = std::get_if<std::vector<ValueRef>>(&argument))
        return "[" + joined(*list, [&](const ValueRef& entry) { return names(entry.id); }) + "]";
    if (const auto* items = std::get_if<std::vector<IntItem>>(&argument))
        return "[" + joined(*items, [&](const IntItem& item) {
            return item.symbol == noValue ? std::to_string(item.number) : names(item.symbol);
        }) + "]";
    return plainArgument(argument);
}

/// "aten::add.Tensor" -> "aten.add.Tensor"; empty for anything else.
std::string pythonTarget(const std::string& target)
{
    if (!target.starts_with("aten::"))
        return {};
    const std::string name = target.substr(6);
    for (const char letter : name)
        if (letter != '_' && letter != '.' && !(letter >= '0' && letter <= '9') && !(letter >= 'a' && letter <= 'z')
            && !(letter >= 'A' && letter <= 'Z'))
            return {};
    return "aten." + name + (name.find('.') == std::string::npos ? ".default" : "");
}

/// Operators that torch binds from Python with tensors only; arithmetic takes numbers in their place.
bool wantsTensors(const std::string& target)
{
    static const std::unordered_set<std::string> targets = {"aten::eq.Tensor", "aten::ne.Tensor", "aten::lt.Tensor",
        "aten::le.Tensor", "aten::gt.Tensor", "aten::ge.Tensor", "aten::maximum", "aten::minimum", "aten::max.other",
        "aten::min.other", "aten::where.self", "aten::pow.Tensor_Tensor", "aten::atan2", "aten::logical_and",
        "aten::logical_or", "aten::logical_xor"};
    return targets.contains(target);
}

/// A number as a tensor without axes; where() would take its type over when both branches are numbers.
std::string numberTensor(const Graph& graph, const Node& node, const Argument& number)
{
    const auto written = writtenValues(node);
    const auto& result = graph.values[static_cast<std::size_t>(written.front())].type;
    std::string type = std::holds_alternative<double>(number) ? "torch.float64" : "torch.int64";
    if (node.target == "aten::where.self" && result)
        type = "torch." + std::string(dtypeName(result->dtype));
    return "torch.scalar_tensor(" + plainArgument(number) + ", dtype=" + type + ")";
}

/// Keyword-only arguments of ATen begin after the tensors; binding everything by name is legal for all of them.
Result<std::string> callText(const Graph& graph, const Node& node, const Names& names)
{
    const std::string target = pythonTarget(node.target);
    if (target.empty())
        return noText(node.target);
    std::string arguments;
    for (const NamedArgument& argument : node.arguments) {
        const bool number = std::holds_alternative<double>(argument.value) || std::holds_alternative<std::int64_t>(argument.value);
        const std::string text = number && wantsTensors(node.target) ? numberTensor(graph, node, argument.value)
                                                                     : pythonArgument(argument.value, names);
        if (text.empty())
            return noText(node.target);
        arguments += (arguments.empty() ? "" : ", ") + (argument.name.empty() ? text : argument.name + "=" + text);
    }
    const bool several = node.outputs.size() > 1 || (node.outputs.size() == 1 && node.outputs.front().isList);
    const auto written = writtenValues(node);
    std::string results = joined(node.outputs.size() == 1 && node.outputs.front().isList ? node.outputs.front().values : written, names);
    if (several && written.size() == 1)
        results += ",";
    return (results.empty() ? "" : results + " = ") + target + "(" + arguments + ")";
}

Result<std::string> bodyText(const Graph& graph, const Names& names, const std::string& indent)
{
    std::string text;
    for (const Node& node : graph.nodes) {
        KW_TRY(const std::string call, callText(graph, node, names));
        text += indent + call + "\n";
    }
    text += indent + "return (" + joined(graph.outputs, [&](const GraphOutput& output) { return pythonArgument(output.value, names); });
    return text + (graph.outputs.size() == 1 ? ",)\n" : ")\n");
}

std::string parameterText(const Graph& graph, const Names& names)
{
    return joined(graph.inputs, [&](const GraphInput& input) { return names(input.value); });
}

std::string shapeText(const std::vector<std::int64_t>& sizes)
{
    return "[" + joined(sizes, [](std::int64_t size) { return std::to_string(size); }) + "]";
}

/// The values of one input, as a tensor of the given shape.
std::string drawText(const InputDomain& domain, const std::string& shape, DType dtype)
{
    const std::string type = "torch." + std::string(dtypeName(dtype));
    switch (domain.kind) {
    case DomainKind::Boolean:
        return "(torch.rand(" + shape + ") < " + pythonNumber(domain.mean) + ").to(" + type + ")";
    case DomainKind::Integers:
        return "torch.randint(" + std::to_string(static_cast<std::int64_t>(domain.low)) + ", "
            + std::to_string(static_cast<std::int64_t>(domain.high) + 1) + ", " + shape + ").to(" + type + ")";
    case DomainKind::Mask:
        return "torch.where(torch.rand(" + shape + ") < 0.5, 0.0, " + pythonNumber(domain.low) + ").to(" + type + ")";
    case DomainKind::Uniform:
        return "(" + pythonNumber(domain.low) + " + " + pythonNumber(domain.high - domain.low) + " * torch.rand(" + shape + ")).to(" + type + ")";
    case DomainKind::Normal:
        break;
    }
    std::string text = "(" + pythonNumber(domain.mean) + " + " + pythonNumber(domain.deviation) + " * torch.randn(" + shape + "))";
    if (domain.bounded && domain.low < domain.high)
        text += ".clamp(" + pythonNumber(domain.low) + ", " + pythonNumber(domain.high) + ")";
    return text + ".to(" + type + ")";
}

} // namespace

Result<std::string> pytorchFunction(const Graph& graph, const std::string& name)
{
    const Names names(graph);
    KW_TRY(const std::string body, bodyText(graph, names, "    "));
    return "def " + name + "(" + parameterText(graph, names) + "):\n" + body;
}

Result<std::string> pytorchText(const Problem& problem)
{
    const Names names(problem.reference);
    KW_TRY(const std::string body, bodyText(problem.reference, names, "        "));
    std::string text = "# One hot region of a model as a stand-alone PyTorch module.\n"
                       "import torch\nimport torch.nn as nn\n\naten = torch.ops.aten\n\n\n"
                       "class Model(nn.Module):\n    def forward(self, "
        + parameterText(problem.reference, names) + "):\n" + body;
    text += "\n\ndef _strided(tensor, strides):\n"
            "    \"\"\"The same elements in the memory layout that the model has.\"\"\"\n"
            "    room = torch.empty_strided(tensor.shape, strides, dtype=tensor.dtype)\n"
            "    if any(stride == 0 and size > 1 for size, stride in zip(tensor.shape, strides)):\n"
            "        index = tuple(slice(0, 1) if stride == 0 else slice(None) for stride in strides)\n"
            "        room[index] = tensor[index]\n"
            "        return room\n"
            "    return room.copy_(tensor)\n\n\n"
            "def get_inputs():\n    return [\n";
    for (const TensorArgument& input : problem.inputs) {
        const auto shape = concreteShape(input.shape, capturedDimensions(problem));
        text += "        _strided(" + drawText(input.domain, shapeText(shape), input.dtype) + ", " + shapeText(input.strides) + "),  # "
            + input.name + "\n";
    }
    return text + "    ]\n\n\ndef get_init_inputs():\n    return []\n";
}

} // namespace kw
