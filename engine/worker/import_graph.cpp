// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/import_graph.h"

#include "worker/import_values.h"

#include <unordered_map>

namespace kw {
namespace {

/// Builds one graph (or sub-graph) from its JSON. Throws ImportFailure.
class GraphReader {
public:
    explicit GraphReader(std::size_t& nodes, int depth) : m_nodes(nodes), m_depth(depth) {}

    Graph read(const Json& json, const Json* signature);

private:
    ValueId define(const std::string& name, ValueKind kind);
    ValueId invent(const std::string& wish, ValueKind kind);
    ValueId use(const std::string& name) const;
    ValueId tensorUse(const Json& json) const { return use(textOf(member(json, "name"))); }

    void readInput(const Json& json, const Json* specification, std::size_t position);
    void applyInputSpecification(GraphInput& input, const Json& specification);
    void readNode(const Json& json);
    NodeOutput readOutput(const Json& json, const std::string& node);
    GraphOutput readGraphOutput(const Json& json, const Json* specification);

    Argument argument(const Json& json);
    Argument symbolOrNumber(const Json& json, const char* numberKey);
    Argument listArgument(const std::string& kind, const Json& list);
    SubgraphRef subgraph(const Json& json);
    [[noreturn]] void unsupported(const std::string& kind) const;

    Graph m_graph;
    std::unordered_map<std::string, ValueId> m_values;
    std::size_t& m_nodes;
    int m_depth;
    std::string m_current = "inputs and outputs";
};

ValueId GraphReader::define(const std::string& name, ValueKind kind)
{
    const auto id = static_cast<ValueId>(m_graph.values.size());
    if (!m_values.emplace(name, id).second)
        failImport(std::string("the value ").append(name).append(" is defined twice"));
    m_graph.values.push_back(Value{name, kind, {}});
    return id;
}

ValueId GraphReader::invent(const std::string& wish, ValueKind kind)
{
    std::string name = wish;
    for (int number = 1; m_values.contains(name); ++number)
        name = wish + "_" + std::to_string(number);
    return define(name, kind);
}

ValueId GraphReader::use(const std::string& name) const
{
    const auto found = m_values.find(name);
    if (found == m_values.end())
        failImport(std::string("the value ").append(name).append(" is used before it is defined"));
    return found->second;
}

void GraphReader::unsupported(const std::string& kind) const
{
    throw ImportFailure(Error{Message("import.unsupported_argument").with("kind", kind).with("node", m_current), {}});
}

SubgraphRef GraphReader::subgraph(const Json& json)
{
    if (m_depth + 1 > maxSubgraphDepth)
        failImport("sub-graphs are nested too deeply");
    GraphReader reader(m_nodes, m_depth + 1);
    Graph inner = reader.read(member(json, "graph"), nullptr);
    inner.name = textOf(member(json, "name"));
    m_graph.subgraphs.push_back(std::move(inner));
    return SubgraphRef{static_cast<std::int32_t>(m_graph.subgraphs.size() - 1)};
}

Argument GraphReader::symbolOrNumber(const Json& json, const char* numberKey)
{
    const auto [kind, value] = unionOf(json);
    if (kind == "as_name")
        return ValueRef{use(textOf(*value))};
    if (kind != numberKey)
        failImport("a symbolic number has another form");
    if (kind == "as_int")
        return integerOf(*value);
    if (kind == "as_float")
        return numberOf(*value);
    return boolOf(*value);
}

Argument GraphReader::listArgument(const std::string& kind, const Json& list)
{
    if (!list.is_array())
        failImport("a list is expected");
    if (kind == "as_tensors" || kind == "as_optional_tensors") {
        std::vector<ValueRef> ids;
        for (const Json& entry : list) {
            const bool wrapped = kind == "as_optional_tensors";
            const bool none = wrapped && unionOf(entry).first == "as_none";
            ids.push_back(ValueRef{none ? noValue : tensorUse(wrapped ? member(entry, "as_tensor") : entry)});
        }
        return ids;
    }
    if (kind == "as_ints" || kind == "as_sym_ints") {
        std::vector<IntItem> items;
        for (const Json& entry : list) {
            if (kind == "as_ints") {
                items.push_back(IntItem{integerOf(entry), noValue});
                continue;
            }
            const Argument item = symbolOrNumber(entry, "as_int");
            const auto* symbol = std::get_if<ValueRef>(&item);
            items.push_back(symbol ? IntItem{0, symbol->id} : IntItem{std::get<std::int64_t>(item), noValue});
        }
        return items;
    }
    if (kind == "as_floats" || kind == "as_sym_floats") {
        std::vector<double> numbers;
        for (const Json& entry : list) {
            const Argument item = kind == "as_floats" ? Argument(numberOf(entry)) : symbolOrNumber(entry, "as_float");
            if (!std::holds_alternative<double>(item))
                unsupported(kind);
            numbers.push_back(std::get<double>(item));
        }
        return numbers;
    }
    if (kind == "as_bools") {
        std::vector<bool> flags;
        for (const Json& entry : list)
            flags.push_back(boolOf(entry));
        return flags;
    }
    unsupported(kind);
}

Argument GraphReader::argument(const Json& json)
{
    const auto [kind, value] = unionOf(json);
    if (kind == "as_none")
        return std::monostate{};
    if (kind == "as_tensor")
        return ValueRef{tensorUse(*value)};
    if (kind == "as_optional_tensor") {
        const auto [inner, tensor] = unionOf(*value);
        return inner == "as_none" ? Argument{} : Argument{ValueRef{tensorUse(*tensor)}};
    }
    if (kind == "as_int")
        return integerOf(*value);
    if (kind == "as_float")
        return numberOf(*value);
    if (kind == "as_bool")
        return boolOf(*value);
    if (kind == "as_string")
        return textOf(*value);
    if (kind == "as_complex")
        return std::complex<double>(numberOf(member(*value, "real")), numberOf(member(*value, "imag")));
    if (kind == "as_sym_int")
        return symbolOrNumber(*value, "as_int");
    if (kind == "as_sym_float")
        return symbolOrNumber(*value, "as_float");
    if (kind == "as_sym_bool")
        return symbolOrNumber(*value, "as_bool");
    if (kind == "as_scalar_type")
        return dtypeFromFile(integerOf(*value));
    if (kind == "as_memory_format")
        return memoryFormatFromFile(integerOf(*value));
    if (kind == "as_layout")
        return layoutFromFile(integerOf(*value));
    if (kind == "as_device") {
        DeviceName device{textOf(member(*value, "type"))};
        if (const auto index = value->find("index"); index != value->end() && !index->is_null())
            device.name += ":" + std::to_string(integerOf(*index));
        return device;
    }
    if (kind == "as_graph")
        return subgraph(*value);
    return listArgument(kind, *value);
}

void GraphReader::applyInputSpecification(GraphInput& input, const Json& specification)
{
    const auto [kind, value] = unionOf(specification);
    if (kind == "parameter") {
        input.kind = InputKind::Parameter;
        input.target = textOf(member(*value, "parameter_name"));
    } else if (kind == "buffer") {
        input.kind = InputKind::Buffer;
        input.target = textOf(member(*value, "buffer_name"));
    } else if (kind == "tensor_constant") {
        input.kind = InputKind::Constant;
        input.target = textOf(member(*value, "tensor_constant_name"));
    } else if (kind == "constant_input") {
        input.kind = InputKind::Scalar;
        input.target = textOf(member(*value, "name"));
    } else if (kind != "user_input") {
        throw ImportFailure(Error{Message("import.unsupported_input").with("kind", kind), {}});
    }
}

void GraphReader::readInput(const Json& json, const Json* specification, std::size_t position)
{
    GraphInput input;
    if (specification)
        applyInputSpecification(input, *specification);
    const auto [kind, value] = unionOf(json);
    const auto symbol = [&](const char* numberKey, ValueKind valueKind) {
        const auto [inner, named] = unionOf(*value);
        if (inner == "as_name") {
            input.value = define(textOf(*named), valueKind);
            return;
        }
        input.constant = symbolOrNumber(*value, numberKey);
        input.kind = InputKind::Scalar;
        input.value = invent("input_" + std::to_string(position), ValueKind::Other);
    };
    if (kind == "as_tensor") {
        input.value = define(textOf(member(*value, "name")), ValueKind::Tensor);
    } else if (kind == "as_sym_int") {
        symbol("as_int", ValueKind::SymInt);
    } else if (kind == "as_sym_float") {
        symbol("as_float", ValueKind::SymFloat);
    } else if (kind == "as_sym_bool") {
        symbol("as_bool", ValueKind::SymBool);
    } else if (kind == "as_none" || kind == "as_int" || kind == "as_float" || kind == "as_bool" || kind == "as_string") {
        input.constant = argument(json);
        input.kind = InputKind::Scalar;
        input.value = invent(input.target.empty() ? "input_" + std::to_string(position) : input.target, ValueKind::Other);
    } else {
        throw ImportFailure(Error{Message("import.unsupported_input").with("kind", kind), {}});
    }
    m_graph.inputs.push_back(std::move(input));
}

NodeOutput GraphReader::readOutput(const Json& json, const std::string& node)
{
    const auto [kind, value] = unionOf(json);
    if (kind == "as_tensor")
        return NodeOutput{{define(textOf(member(*value, "name")), ValueKind::Tensor)}, false};
    if (kind == "as_tensors") {
        NodeOutput output{{}, true};
        for (const Json& entry : *value)
            output.values.push_back(define(textOf(member(entry, "name")), ValueKind::Tensor));
        return output;
    }
    if (kind == "as_optional_tensor" || kind == "as_none") {
        const bool none = kind == "as_none" || unionOf(*value).first == "as_none";
        return NodeOutput{{none ? invent(node + "_none", ValueKind::Other)
                                : define(textOf(member(member(*value, "as_tensor"), "name")), ValueKind::Tensor)}, false};
    }
    const auto symbol = [&](ValueKind valueKind) {
        return NodeOutput{{define(textOf(member(*value, "as_name")), valueKind)}, false};
    };
    if (kind == "as_sym_int")
        return symbol(ValueKind::SymInt);
    if (kind == "as_sym_float")
        return symbol(ValueKind::SymFloat);
    if (kind == "as_sym_bool")
        return symbol(ValueKind::SymBool);
    unsupported(kind);
}

void GraphReader::readNode(const Json& json)
{
    if (++m_nodes > maxNodes)
        throw ImportFailure(Error{Message("import.too_many_nodes").with("limit", maxNodes), {}});
    Node node;
    node.target = targetFromFile(textOf(member(json, "target")));
    m_current = node.target;
    for (const Json& entry : member(json, "inputs"))
        node.arguments.push_back(NamedArgument{textOf(member(entry, "name")), argument(member(entry, "arg"))});
    for (const Json& entry : member(json, "outputs"))
        node.outputs.push_back(readOutput(entry, "output_of_" + std::to_string(m_graph.nodes.size())));
    if (const auto metadata = json.find("metadata"); metadata != json.end() && metadata->is_object()) {
        if (const auto trace = metadata->find("stack_trace"); trace != metadata->end() && trace->is_string())
            node.source = sourceFromTrace(trace->get_ref<const std::string&>());
        if (const auto stack = metadata->find("nn_module_stack"); stack != metadata->end() && stack->is_string())
            std::tie(node.modulePath, node.moduleClass) = moduleFromStack(stack->get_ref<const std::string&>());
    }
    m_graph.nodes.push_back(std::move(node));
}

GraphOutput GraphReader::readGraphOutput(const Json& json, const Json* specification)
{
    GraphOutput output;
    output.value = argument(json);
    if (!specification)
        return output;
    const auto [kind, value] = unionOf(*specification);
    if (kind == "buffer_mutation" || kind == "parameter_mutation") {
        output.kind = OutputKind::BufferMutation;
        output.target = textOf(member(*value, kind == "buffer_mutation" ? "buffer_name" : "parameter_name"));
    } else if (kind == "user_input_mutation") {
        output.kind = OutputKind::UserInputMutation;
        output.target = textOf(member(*value, "user_input_name"));
    } else if (kind != "user_output") {
        throw ImportFailure(Error{Message("import.unsupported_input").with("kind", kind), {}});
    }
    return output;
}

Graph GraphReader::read(const Json& json, const Json* signature)
{
    const Json* inputSpecifications = signature ? &member(*signature, "input_specs") : nullptr;
    const Json* outputSpecifications = signature ? &member(*signature, "output_specs") : nullptr;
    const Json& inputs = member(json, "inputs");
    const Json& outputs = member(json, "outputs");
    const Json& nodes = member(json, "nodes");
    for (const Json* list : {&inputs, &outputs, &nodes})
        if (!list->is_array())
            failImport("a list is expected");
    if ((inputSpecifications && (!inputSpecifications->is_array() || inputSpecifications->size() != inputs.size()))
        || (outputSpecifications && (!outputSpecifications->is_array() || outputSpecifications->size() != outputs.size())))
        failImport("the signature and the graph have different lengths");
    for (std::size_t index = 0; index < inputs.size(); ++index)
        readInput(inputs[index], inputSpecifications ? &(*inputSpecifications)[index] : nullptr, index);
    for (const Json& node : nodes)
        readNode(node);
    m_current = "inputs and outputs";
    for (std::size_t index = 0; index < outputs.size(); ++index)
        m_graph.outputs.push_back(readGraphOutput(outputs[index], outputSpecifications ? &(*outputSpecifications)[index] : nullptr));
    return std::move(m_graph);
}

void checkSchema(const Json& program, ImportedModel& model)
{
    const Json& version = member(program, "schema_version");
    model.schemaMajor = integerOf(member(version, "major"));
    model.schemaMinor = integerOf(member(version, "minor"));
    if (model.schemaMajor == supportedSchemaMajor)
        return;
    throw ImportFailure(Error{Message(model.schemaMajor > supportedSchemaMajor ? "import.newer_schema" : "import.older_schema")
                                  .with("theirs", model.schemaMajor).with("ours", supportedSchemaMajor), {}});
}

void readRanges(const Json& program, ImportedModel& model)
{
    const auto ranges = program.find("range_constraints");
    if (ranges == program.end() || !ranges->is_object())
        return;
    for (const auto& [symbol, range] : ranges->items()) {
        const auto bound = [&range](const char* key) -> std::optional<std::int64_t> {
            const Json& value = member(range, key);
            return value.is_null() ? std::nullopt : std::optional(integerOf(value));
        };
        model.ranges[symbol] = SizeRange{bound("min_val"), bound("max_val")};
    }
}

/// The calling convention of the top module, where the file has it.
void readSpecifications(const Json& graphModule, ImportedModel& model)
{
    const auto calls = graphModule.find("module_call_graph");
    if (calls == graphModule.end() || !calls->is_array() || calls->empty())
        return;
    const Json& top = calls->front();
    if (!top.is_object() || !top.contains("signature") || !top["signature"].is_object())
        return;
    model.inputSpec = textOf(member(top["signature"], "in_spec"));
    model.outputSpec = textOf(member(top["signature"], "out_spec"));
}

ImportedModel readModel(const Json& program)
{
    ImportedModel model;
    checkSchema(program, model);
    if (const auto version = program.find("torch_version"); version != program.end() && version->is_string())
        model.torchVersion = version->get<std::string>();
    const Json& graphModule = member(program, "graph_module");
    const Json& graph = member(graphModule, "graph");
    std::size_t nodes = 0;
    model.graph = GraphReader(nodes, 0).read(graph, &member(graphModule, "signature"));
    const Json& tensors = member(graph, "tensor_values");
    if (!tensors.is_object())
        failImport("the tensors' descriptions are missing");
    for (const auto& [name, description] : tensors.items())
        model.tensors.emplace(name, tensorDescription(description));
    for (auto& input : model.graph.inputs)
        if (const auto found = model.tensors.find(model.graph.values[static_cast<std::size_t>(input.value)].name);
            found != model.tensors.end())
            input.requiresGrad = found->second.requiresGrad;
    readRanges(program, model);
    readSpecifications(graphModule, model);
    return model;
}

/// Runs a reader that may throw on malformed text.
template <typename Reader> auto guarded(std::string_view text, Reader read) -> Result<decltype(read(Json()))>
{
    auto json = parseJson(text);
    if (!json)
        return Error{Message("import.malformed").with("what", "it is no valid JSON"), debugText(json.error().message)};
    try {
        return read(*json);
    } catch (const ImportFailure& failure) {
        return failure.error;
    } catch (const nlohmann::json::exception& exception) {
        return Error{Message("import.malformed").with("what", "a value has another type than expected"), exception.what()};
    }
}

} // namespace

Result<ImportedModel> importModel(std::string_view text)
{
    KW_TRY(ImportedModel model, guarded(text, readModel));
    if (auto valid = validate(model.graph); !valid)
        return Error{Message("import.malformed").with("what", debugText(valid.error().message)), {}};
    return model;
}

Result<PayloadConfig> importPayloads(std::string_view text)
{
    return guarded(text, [](const Json& json) {
        PayloadConfig config;
        const Json& entries = member(json, "config");
        if (!entries.is_object())
            failImport("the list of weights is missing");
        for (const auto& [name, entry] : entries.items()) {
            PayloadEntry payload;
            payload.path = textOf(member(entry, "path_name"));
            payload.isParameter = boolOf(member(entry, "is_param"));
            payload.pickled = boolOf(member(entry, "use_pickle"));
            if (const Json& tensor = member(entry, "tensor_meta"); !tensor.is_null())
                payload.tensor = tensorDescription(tensor);
            config.emplace(name, std::move(payload));
        }
        return config;
    });
}

} // namespace kw
