// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <functional>
#include <optional>
#include <unordered_set>

namespace kw {

/// Writes a graph node by node. Names are made unique. A value type for one thread.
class GraphBuilder {
public:
    explicit GraphBuilder(std::string name) { m_graph.name = std::move(name); }

    ValueId input(const std::string& name, TensorType type, InputKind kind = InputKind::User, std::string target = {});
    /// A contiguous tensor.
    ValueId input(const std::string& name, DType dtype, std::vector<std::int64_t> shape);

    ValueId value(const std::string& name, std::optional<TensorType> type, ValueKind kind = ValueKind::Tensor);
    /// A node with one result.
    ValueId call(std::string target, std::vector<NamedArgument> arguments, TensorType result, const std::string& name = {});
    /// The same with a row-major result.
    ValueId call(std::string target, std::vector<NamedArgument> arguments, DType dtype, std::vector<std::int64_t> shape,
        const std::string& name = {});
    Node& add(Node node);
    void output(ValueId value);
    /// Gives a value another name (made unique) and type.
    void rename(ValueId value, const std::string& name);
    void retype(ValueId value, TensorType type);

    const TensorType& type(ValueId value) const { return *m_graph.values.at(static_cast<std::size_t>(value)).type; }
    const Graph& graph() const { return m_graph; }
    Graph take() { return std::move(m_graph); }
    /// Continues with a graph that was written elsewhere.
    void adopt(Graph graph);

private:
    std::string uniqueName(const std::string& wanted);

    Graph m_graph;
    std::unordered_set<std::string> m_names;
};

/// Replaces every value that the node reads or writes.
void renumberValues(Node& node, const std::function<ValueId(ValueId)>& renumber);
/// Drops nodes whose results nobody needs and values that nothing defines; inputs stay. Returns the new id of every
/// old value (noValue: gone) and the old index of every kept node.
struct Pruned {
    std::vector<ValueId> valueOf;
    std::vector<std::int32_t> nodes;
};
Pruned pruneUnused(Graph& graph);

/// Contiguous type.
TensorType rowMajor(DType dtype, std::vector<std::int64_t> shape);
/// An integer list argument of numbers.
Argument intList(const std::vector<std::int64_t>& numbers);
/// The numbers of an integer list (or a single integer); nullopt when an entry is symbolic or it is something else.
std::optional<std::vector<std::int64_t>> intsOf(const Argument* argument);
std::optional<std::int64_t> intOf(const Argument* argument);
/// A number, integer, real or bool.
std::optional<double> numberOf(const Argument* argument);
std::optional<bool> boolOf(const Argument* argument);
/// The tensor of a single reference; noValue otherwise.
ValueId valueOf(const Argument* argument);

} // namespace kw
