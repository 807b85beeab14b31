// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph.h"

#include "graph/json_checks.h"

namespace kw {
namespace {

constexpr int graphVersion = 1;
constexpr std::array<std::string_view, 5> valueKinds = {"tensor", "sym_int", "sym_float", "sym_bool", "other"};
constexpr std::array<std::string_view, 6> layouts = {"strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "mkldnn"};
constexpr std::array<std::string_view, 4> memoryFormats = {"contiguous", "preserve", "channels_last", "channels_last_3d"};
constexpr std::array<std::string_view, 5> inputKinds = {"user", "parameter", "buffer", "constant", "scalar"};
constexpr std::array<std::string_view, 3> outputKinds = {"user", "buffer_mutation", "user_input_mutation"};

template <typename... Cases> struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <typename... Cases> Overloaded(Cases...) -> Overloaded<Cases...>;

Json itemToJson(const IntItem& item)
{
    return item.symbol == noValue ? Json(item.number) : Json{{"symbol", item.symbol}};
}

IntItem itemFrom(const Json& json)
{
    if (json.is_object())
        return {0, integerFrom<ValueId>(json.at("symbol"))};
    return {integerFrom<std::int64_t>(json), noValue};
}

template <typename Element, typename Convert> Json listToJson(const std::vector<Element>& list, Convert convert)
{
    Json json = Json::array();
    for (const auto& element : list)
        json.push_back(convert(element));
    return json;
}

template <typename Element, typename Convert> std::vector<Element> listFrom(const Json& json, Convert convert)
{
    if (!json.is_array())
        throw std::runtime_error("a list is expected");
    std::vector<Element> list;
    list.reserve(json.size());
    for (const Json& entry : json)
        list.push_back(convert(entry));
    return list;
}

Json argumentToJson(const Argument& argument)
{
    return std::visit(
        Overloaded{
            [](std::monostate) { return Json(nullptr); },
            [](const ValueRef& reference) { return Json{{"value", reference.id}}; },
            [](const std::vector<ValueRef>& list) {
                return Json{{"values", listToJson(list, [](const ValueRef& entry) { return Json(entry.id); })}};
            },
            [](bool truth) { return Json{{"bool", truth}}; },
            [](std::int64_t number) { return Json{{"int", number}}; },
            [](double number) { return Json{{"float", numberToJson(number)}}; },
            [](const std::complex<double>& number) {
                return Json{{"complex", Json::array({numberToJson(number.real()), numberToJson(number.imag())})}};
            },
            [](const std::string& text) { return Json{{"string", text}}; },
            [](const std::vector<IntItem>& list) { return Json{{"ints", listToJson(list, itemToJson)}}; },
            [](const std::vector<double>& list) { return Json{{"floats", listToJson(list, numberToJson)}}; },
            [](const std::vector<bool>& list) {
                return Json{{"bools", listToJson(list, [](bool truth) { return Json(truth); })}};
            },
            [](DType type) { return Json{{"dtype", type}}; },
            [](Layout layout) { return Json{{"layout", enumName(layout, layouts)}}; },
            [](MemoryFormat format) { return Json{{"memory_format", enumName(format, memoryFormats)}}; },
            [](const DeviceName& device) { return Json{{"device", device.name}}; },
            [](const SubgraphRef& subgraph) { return Json{{"subgraph", subgraph.index}}; },
        },
        argument);
}

bool truthFrom(const Json& json) { return json.get<bool>(); }

Argument argumentFrom(const Json& json)
{
    if (json.is_null())
        return std::monostate();
    if (!json.is_object() || json.size() != 1)
        throw std::runtime_error("an argument is an object with one member");
    const std::string kind = json.begin().key();
    const Json& content = json.begin().value();
    if (kind == "value")
        return ValueRef{integerFrom<ValueId>(content)};
    if (kind == "values")
        return listFrom<ValueRef>(content, [](const Json& entry) { return ValueRef{integerFrom<ValueId>(entry)}; });
    if (kind == "bool")
        return truthFrom(content);
    if (kind == "int")
        return integerFrom<std::int64_t>(content);
    if (kind == "float")
        return numberFrom(content);
    if (kind == "complex")
        return std::complex<double>(numberFrom(content.at(0)), numberFrom(content.at(1)));
    if (kind == "string")
        return content.get<std::string>();
    if (kind == "ints")
        return listFrom<IntItem>(content, itemFrom);
    if (kind == "floats")
        return listFrom<double>(content, numberFrom);
    if (kind == "bools")
        return listFrom<bool>(content, truthFrom);
    if (kind == "dtype")
        return content.get<DType>();
    if (kind == "layout")
        return enumFrom<Layout>(content, layouts);
    if (kind == "memory_format")
        return enumFrom<MemoryFormat>(content, memoryFormats);
    if (kind == "device")
        return DeviceName{content.get<std::string>()};
    if (kind == "subgraph")
        return SubgraphRef{integerFrom<std::int32_t>(content)};
    throw std::runtime_error("unknown kind of argument " + kind);
}

Json valueToJson(const Value& value)
{
    Json json{{"name", value.name}};
    if (value.kind != ValueKind::Tensor)
        json["kind"] = enumName(value.kind, valueKinds);
    if (value.type)
        json["type"] = *value.type;
    return json;
}

Value valueFrom(const Json& json)
{
    Value value;
    value.name = json.at("name").get<std::string>();
    if (json.contains("kind"))
        value.kind = enumFrom<ValueKind>(json.at("kind"), valueKinds);
    if (json.contains("type"))
        value.type = json.at("type").get<TensorType>();
    return value;
}

Json nodeToJson(const Node& node)
{
    Json json{{"target", node.target}, {"arguments", Json::array()}, {"outputs", Json::array()}};
    for (const NamedArgument& argument : node.arguments)
        json["arguments"].push_back({{"name", argument.name}, {"value", argumentToJson(argument.value)}});
    for (const NodeOutput& output : node.outputs)
        json["outputs"].push_back(output.isList ? Json{{"list", output.values}} : Json(output.values.at(0)));
    if (!node.modulePath.empty())
        json["module"] = node.modulePath;
    if (!node.moduleClass.empty())
        json["class"] = node.moduleClass;
    if (node.source != SourceLocation{})
        json["source"] = node.source;
    return json;
}

NodeOutput outputFrom(const Json& json)
{
    if (json.is_object())
        return {integersFrom<ValueId>(json.at("list")), true};
    return {{integerFrom<ValueId>(json)}, false};
}

Node nodeFrom(const Json& json)
{
    Node node;
    node.target = json.at("target").get<std::string>();
    node.arguments = listFrom<NamedArgument>(json.at("arguments"), [](const Json& entry) {
        return NamedArgument{entry.at("name").get<std::string>(), argumentFrom(entry.at("value"))};
    });
    node.outputs = listFrom<NodeOutput>(json.at("outputs"), outputFrom);
    node.modulePath = json.value("module", std::string());
    node.moduleClass = json.value("class", std::string());
    if (json.contains("source"))
        node.source = json.at("source").get<SourceLocation>();
    return node;
}

Json inputToJson(const GraphInput& input)
{
    Json json{{"value", input.value}, {"kind", enumName(input.kind, inputKinds)}};
    if (!input.target.empty())
        json["target"] = input.target;
    if (input.requiresGrad)
        json["requires_grad"] = true;
    if (!std::holds_alternative<std::monostate>(input.constant))
        json["constant"] = argumentToJson(input.constant);
    return json;
}

GraphInput inputFrom(const Json& json)
{
    GraphInput input;
    input.value = integerFrom<ValueId>(json.at("value"));
    input.kind = enumFrom<InputKind>(json.at("kind"), inputKinds);
    input.target = json.value("target", std::string());
    input.requiresGrad = json.value("requires_grad", false);
    if (json.contains("constant"))
        input.constant = argumentFrom(json.at("constant"));
    return input;
}

Json graphOutputToJson(const GraphOutput& output)
{
    Json json{{"value", argumentToJson(output.value)}, {"kind", enumName(output.kind, outputKinds)}};
    if (!output.target.empty())
        json["target"] = output.target;
    return json;
}

GraphOutput graphOutputFrom(const Json& json)
{
    return {argumentFrom(json.at("value")), enumFrom<OutputKind>(json.at("kind"), outputKinds),
        json.value("target", std::string())};
}

Graph graphFrom(const Json& json, int depth)
{
    if (depth > maxSubgraphDepth)
        throw std::runtime_error("sub-graphs are nested too deeply");
    if (integerFrom<int>(json.at("version")) != graphVersion)
        throw std::runtime_error("unknown version of a graph");
    Graph graph;
    graph.name = json.at("name").get<std::string>();
    graph.values = listFrom<Value>(json.at("values"), valueFrom);
    graph.inputs = listFrom<GraphInput>(json.at("inputs"), inputFrom);
    graph.nodes = listFrom<Node>(json.at("nodes"), nodeFrom);
    graph.outputs = listFrom<GraphOutput>(json.at("outputs"), graphOutputFrom);
    if (json.contains("subgraphs"))
        graph.subgraphs
            = listFrom<Graph>(json.at("subgraphs"), [&](const Json& entry) { return graphFrom(entry, depth + 1); });
    return graph;
}

} // namespace

void to_json(Json& json, const SourceLocation& source)
{
    json = Json{{"file", source.file}, {"line", source.line}, {"code", source.code}};
}

void from_json(const Json& json, SourceLocation& source)
{
    source = {json.at("file").get<std::string>(), integerFrom<std::int32_t>(json.at("line")),
        json.at("code").get<std::string>()};
}

void to_json(Json& json, const TensorType& type)
{
    json = Json{{"dtype", type.dtype}, {"shape", type.shape}, {"strides", type.strides}};
}

void from_json(const Json& json, TensorType& type)
{
    type.dtype = json.at("dtype").get<DType>();
    type.shape = integersFrom<std::int64_t>(json.at("shape"));
    type.strides = integersFrom<std::int64_t>(json.at("strides"));
}

void to_json(Json& json, const Graph& graph)
{
    json = Json{{"version", graphVersion}, {"name", graph.name}, {"values", listToJson(graph.values, valueToJson)},
        {"inputs", listToJson(graph.inputs, inputToJson)}, {"nodes", listToJson(graph.nodes, nodeToJson)},
        {"outputs", listToJson(graph.outputs, graphOutputToJson)}};
    if (!graph.subgraphs.empty())
        json["subgraphs"] = listToJson(graph.subgraphs, [](const Graph& subgraph) { return Json(subgraph); });
}

void from_json(const Json& json, Graph& graph) { graph = graphFrom(json, 0); }

} // namespace kw
