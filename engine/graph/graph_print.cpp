// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph.h"

#include "base/hash.h"

#include <array>
#include <charconv>

namespace kw {
namespace {

std::string numberText(double number)
{
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    std::string text(buffer.data(), end);
    if (text.find_first_of(".einf") == std::string::npos)
        text += ".0";
    return text;
}

/// Control characters and quotes are escaped: names and source lines come from files.
std::string quoted(const std::string& text)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result = "\"";
    for (const char raw : text) {
        const auto byte = static_cast<unsigned char>(raw);
        if (byte < 0x20 || byte == 0x7f) {
            result += "\\x";
            result += digits[byte >> 4];
            result += digits[byte & 15];
        } else {
            if (raw == '"' || raw == '\\')
                result += '\\';
            result += raw;
        }
    }
    return result + '"';
}

std::string plainName(const std::string& name)
{
    for (const char letter : name)
        if (!(letter == '_' || letter == '.' || (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z')
                || (letter >= 'A' && letter <= 'Z')))
            return quoted(name);
    return name;
}

std::string sizesText(const std::vector<std::int64_t>& sizes)
{
    std::string text = "[";
    for (const std::int64_t size : sizes)
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + "]";
}

std::string typeText(const TensorType& type)
{
    std::string text = std::string(dtypeName(type.dtype)) + sizesText(type.shape);
    if (!type.contiguous())
        text += " strides " + sizesText(type.strides);
    return text;
}

/// How arguments are written: print() names values, structuralHash() numbers them by their first definition.
class Writer {
public:
    virtual ~Writer() = default;
    virtual std::string value(ValueId id) const = 0;

    template <typename List, typename Convert> std::string list(const List& entries, Convert convert) const
    {
        std::string text = "[";
        for (const auto& entry : entries)
            text += (text.size() > 1 ? ", " : "") + convert(entry);
        return text + "]";
    }

    std::string argument(const Argument& argument) const
    {
        if (std::holds_alternative<std::monostate>(argument))
            return "None";
        if (const auto* reference = std::get_if<ValueRef>(&argument))
            return value(reference->id);
        if (const auto* values = std::get_if<std::vector<ValueRef>>(&argument))
            return list(*values, [this](const ValueRef& entry) { return value(entry.id); });
        if (const auto* items = std::get_if<std::vector<IntItem>>(&argument))
            return list(*items, [this](const IntItem& item) {
                return item.symbol == noValue ? std::to_string(item.number) : value(item.symbol);
            });
        return plain(argument);
    }

private:
    std::string plain(const Argument& argument) const
    {
        if (const auto* truth = std::get_if<bool>(&argument))
            return *truth ? "true" : "false";
        if (const auto* whole = std::get_if<std::int64_t>(&argument))
            return std::to_string(*whole);
        if (const auto* real = std::get_if<double>(&argument))
            return numberText(*real);
        if (const auto* complex = std::get_if<std::complex<double>>(&argument))
            return "complex(" + numberText(complex->real()) + ", " + numberText(complex->imag()) + ")";
        if (const auto* text = std::get_if<std::string>(&argument))
            return quoted(*text);
        if (const auto* reals = std::get_if<std::vector<double>>(&argument))
            return list(*reals, numberText);
        if (const auto* truths = std::get_if<std::vector<bool>>(&argument))
            return list(*truths, [](bool truth) { return std::string(truth ? "true" : "false"); });
        if (const auto* type = std::get_if<DType>(&argument))
            return std::string(dtypeName(*type));
        if (const auto* layout = std::get_if<Layout>(&argument))
            return "layout" + std::to_string(static_cast<int>(*layout));
        if (const auto* format = std::get_if<MemoryFormat>(&argument))
            return "format" + std::to_string(static_cast<int>(*format));
        if (const auto* device = std::get_if<DeviceName>(&argument))
            return "device " + quoted(device->name);
        return "graph" + std::to_string(std::get<SubgraphRef>(argument).index);
    }
};

class NameWriter : public Writer {
public:
    explicit NameWriter(const Graph& graph) : m_graph(graph) {}
    std::string value(ValueId id) const override
    {
        return id == noValue ? "None" : "%" + plainName(m_graph.values.at(static_cast<std::size_t>(id)).name);
    }
    std::string definition(ValueId id) const
    {
        std::string text = value(id);
        if (id != noValue && m_graph.values[static_cast<std::size_t>(id)].type)
            text += ": " + typeText(*m_graph.values[static_cast<std::size_t>(id)].type);
        return text;
    }

private:
    const Graph& m_graph;
};

std::string callText(const Writer& writer, const Node& node)
{
    std::string text = node.target + "(";
    bool first = true;
    for (const NamedArgument& argument : node.arguments) {
        text += first ? "" : ", ";
        first = false;
        if (!argument.name.empty())
            text += plainName(argument.name) + "=";
        text += writer.argument(argument.value);
    }
    return text + ")";
}

std::string nodeText(const NameWriter& writer, const Node& node)
{
    std::string results;
    for (const NodeOutput& output : node.outputs) {
        results += results.empty() ? "" : ", ";
        results += output.isList ? writer.list(output.values, [&](ValueId id) { return writer.definition(id); })
                                 : writer.definition(output.values.at(0));
    }
    std::string text = results.empty() ? callText(writer, node) : results + " = " + callText(writer, node);
    if (!node.modulePath.empty())
        text += "  # " + plainName(node.modulePath);
    return text;
}

void printInto(const Graph& graph, const std::string& indent, std::string& text)
{
    const NameWriter writer(graph);
    text += indent + "graph " + plainName(graph.name) + "\n";
    for (const GraphInput& input : graph.inputs) {
        text += indent + "  input " + writer.definition(input.value);
        if (!input.target.empty())
            text += " = weight " + plainName(input.target);
        if (!std::holds_alternative<std::monostate>(input.constant))
            text += " = " + writer.argument(input.constant);
        text += "\n";
    }
    for (const Node& node : graph.nodes)
        text += indent + "  " + nodeText(writer, node) + "\n";
    for (const GraphOutput& output : graph.outputs)
        text += indent + "  output " + writer.argument(output.value)
            + (output.target.empty() ? "" : " -> " + plainName(output.target)) + "\n";
    for (const Graph& subgraph : graph.subgraphs)
        printInto(subgraph, indent + "  ", text);
}

/// Numbers values in the order of their definition.
class NumberWriter : public Writer {
public:
    explicit NumberWriter(std::size_t count) : m_numbers(count, -1) {}
    void define(ValueId id) { m_numbers.at(static_cast<std::size_t>(id)) = m_next++; }
    std::string value(ValueId id) const override
    {
        return id == noValue ? "None" : "%" + std::to_string(m_numbers.at(static_cast<std::size_t>(id)));
    }

private:
    std::vector<std::int32_t> m_numbers;
    std::int32_t m_next = 0;
};

void hashDefinition(const Graph& graph, NumberWriter& writer, ValueId id, std::string& text)
{
    if (id == noValue) {
        text += "None;";
        return;
    }
    writer.define(id);
    const Value& value = graph.values.at(static_cast<std::size_t>(id));
    text += writer.value(id) + ":" + std::to_string(static_cast<int>(value.kind));
    if (value.type)
        text += std::string(dtypeName(value.type->dtype)) + sizesText(value.type->shape) + sizesText(value.type->strides);
    text += ";";
}

void canonicalText(const Graph& graph, std::string& text)
{
    NumberWriter writer(graph.values.size());
    for (const GraphInput& input : graph.inputs) {
        text += "in" + std::to_string(static_cast<int>(input.kind)) + writer.argument(input.constant);
        hashDefinition(graph, writer, input.value, text);
    }
    for (const Node& node : graph.nodes) {
        text += "\n" + callText(writer, node) + "->";
        for (const NodeOutput& output : node.outputs) {
            text += output.isList ? "[" : "";
            for (const ValueId id : output.values)
                hashDefinition(graph, writer, id, text);
            text += output.isList ? "]" : "";
        }
    }
    for (const GraphOutput& output : graph.outputs)
        text += "\nout" + std::to_string(static_cast<int>(output.kind)) + writer.argument(output.value)
            + (output.kind == OutputKind::User ? "" : quoted(output.target));
    for (const Graph& subgraph : graph.subgraphs) {
        text += "\n{";
        canonicalText(subgraph, text);
        text += "}";
    }
}

} // namespace

std::string print(const Graph& graph)
{
    std::string text;
    printInto(graph, {}, text);
    return text;
}

std::string structuralHash(const Graph& graph)
{
    std::string text;
    canonicalText(graph, text);
    return sha256(text);
}

} // namespace kw
