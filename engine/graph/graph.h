// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "graph/dtype.h"

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kw {

/// Index of a value in Graph::values.
using ValueId = std::int32_t;
inline constexpr ValueId noValue = -1;
/// Sub-graphs in sub-graphs: a graph that is nested deeper is not valid.
inline constexpr int maxSubgraphDepth = 32;

/// Sizes and strides in elements, outermost first; both have one entry per dimension.
struct TensorType {
    DType dtype = DType::Undefined;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;

    std::int64_t elements() const;      ///< product of the shape; 1 for a scalar tensor
    std::int64_t bytes() const;         ///< elements() x item size: the logical bytes, not the storage
    bool contiguous() const;            ///< row-major without gaps (dimensions of size 1 have any stride)
    friend bool operator==(const TensorType&, const TensorType&) = default;
};

/// Row-major strides of a shape.
std::vector<std::int64_t> contiguousStrides(const std::vector<std::int64_t>& shape);

/// What a value holds. Only tensors carry a TensorType, captured from a real run.
enum class ValueKind : std::uint8_t { Tensor, SymInt, SymFloat, SymBool, Other };

struct Value {
    std::string name; ///< unique within its graph; as the model file names it
    ValueKind kind = ValueKind::Tensor;
    std::optional<TensorType> type;
    friend bool operator==(const Value&, const Value&) = default;
};

/// A use of another value.
struct ValueRef {
    ValueId id = noValue;
    friend bool operator==(const ValueRef&, const ValueRef&) = default;
};
/// One entry of an integer list: a number, or a symbolic integer computed by the graph.
struct IntItem {
    std::int64_t number = 0;
    ValueId symbol = noValue;
    friend bool operator==(const IntItem&, const IntItem&) = default;
};
enum class Layout : std::uint8_t { Strided, SparseCoo, SparseCsr, SparseCsc, SparseBsr, Mkldnn };
enum class MemoryFormat : std::uint8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
struct DeviceName {
    std::string name; ///< "cpu", "cuda:0"
    friend bool operator==(const DeviceName&, const DeviceName&) = default;
};
/// Index into Graph::subgraphs.
struct SubgraphRef {
    std::int32_t index = 0;
    friend bool operator==(const SubgraphRef&, const SubgraphRef&) = default;
};

/// A typed argument. monostate is None. A list of values may hold noValue for a None inside.
using Argument = std::variant<std::monostate, ValueRef, std::vector<ValueRef>, bool, std::int64_t, double,
    std::complex<double>, std::string, std::vector<IntItem>, std::vector<double>, std::vector<bool>, DType, Layout,
    MemoryFormat, DeviceName, SubgraphRef>;

struct NamedArgument {
    std::string name;      ///< the schema's argument name; empty for higher-order nodes, which bind by position
    Argument value;
    friend bool operator==(const NamedArgument&, const NamedArgument&) = default;
};

/// One result of a node: a single value, or a list bound element by element.
struct NodeOutput {
    std::vector<ValueId> values; ///< exactly one unless isList
    bool isList = false;
    friend bool operator==(const NodeOutput&, const NodeOutput&) = default;
};

/// Where a node comes from in the model's own source.
struct SourceLocation {
    std::string file;     ///< untrusted text of the model file
    std::int32_t line = 0;
    std::string code;     ///< the source line when the file carries it
    friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

/// One call of an ATen overload ("aten::add.Tensor", "aten::relu" for the default overload),
/// a Python scalar operator ("python::add") or a higher-order operator ("higher_order::cond").
struct Node {
    std::string target;
    std::vector<NamedArgument> arguments;
    std::vector<NodeOutput> outputs;
    std::string modulePath;              ///< e.g. "model.layers.0.mlp"
    std::string moduleClass;             ///< e.g. "LlamaMLP"
    SourceLocation source;
    friend bool operator==(const Node&, const Node&) = default;
};

enum class InputKind : std::uint8_t { User, Parameter, Buffer, Constant, Scalar };
struct GraphInput {
    ValueId value = noValue;
    InputKind kind = InputKind::User;
    std::string target;                  ///< the weight's name in the model file; empty for user inputs
    bool requiresGrad = false;
    Argument constant;                   ///< for Scalar: the value baked in at export
    friend bool operator==(const GraphInput&, const GraphInput&) = default;
};

enum class OutputKind : std::uint8_t { User, BufferMutation, UserInputMutation };
struct GraphOutput {
    Argument value;                      ///< usually a ValueRef; numbers, None and strings are legal outputs
    OutputKind kind = OutputKind::User;
    std::string target;                  ///< for mutations: what is written back
    friend bool operator==(const GraphOutput&, const GraphOutput&) = default;
};

/// A model or a piece of one: nodes in topological order over values. Free of LibTorch and Qt; a plain value type.
struct Graph {
    std::string name;
    std::vector<Value> values;
    std::vector<Node> nodes;
    std::vector<GraphInput> inputs;
    std::vector<GraphOutput> outputs;
    std::vector<Graph> subgraphs;
    friend bool operator==(const Graph&, const Graph&) = default;
};

/// The argument called `name`, or nullptr.
const Argument* findArgument(const Node& node, std::string_view name);
/// Every value that the node reads, in argument order (lists flattened, None skipped, symbolic sizes included).
std::vector<ValueId> readValues(const Node& node);
std::vector<ValueId> readValues(const Argument& argument);
/// Every value that the node defines, in order.
std::vector<ValueId> writtenValues(const Node& node);
/// For each value the index of its defining node, or -1 for inputs and values that nothing defines.
std::vector<std::int32_t> producers(const Graph& graph);
/// For each value the indices of the nodes that read it, ascending. Uses by graph outputs are not counted.
std::vector<std::vector<std::int32_t>> consumers(const Graph& graph);

/// Checks what every consumer relies on: ids in range, one definition each, definitions before uses, unique names,
/// sub-graph indices, no sub-graph recursion deeper than 32. Error: "graph.invalid" (what).
Result<void> validate(const Graph& graph);

/// Readable text, one node a line. Deterministic.
std::string print(const Graph& graph);
/// SHA-256 over everything that changes meaning: not over names of values, module paths or source lines.
std::string structuralHash(const Graph& graph);

void to_json(Json& json, const SourceLocation& source);
void from_json(const Json& json, SourceLocation& source);
void to_json(Json& json, const TensorType& type);
void from_json(const Json& json, TensorType& type);
void to_json(Json& json, const Graph& graph);
/// Throws nlohmann or std::runtime_error on malformed input; callers use kw::fromJson and then validate().
void from_json(const Json& json, Graph& graph);

} // namespace kw
