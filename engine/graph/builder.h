// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <initializer_list>
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

    const TensorType& type(ValueId value) const { return *m_graph.values.at(static_cast<std::size_t>(value)).type; }
    const Graph& graph() const { return m_graph; }
    Graph take() { return std::move(m_graph); }

private:
    Graph m_graph;
    std::unordered_set<std::string> m_names;
};

/// Contiguous type.
TensorType rowMajor(DType dtype, std::vector<std::int64_t> shape);
/// An integer list argument of numbers.
Argument intList(const std::vector<std::int64_t>& numbers);
/// The numbers of an integer list (or a single integer); nullopt when an entry is symbolic or it is something else.
std::optional<std::vector<std::int64_t>> intsOf(const Argument* argument);
std::optional<std::int64_t> intOf(const Argument* argument);
/// A number, integer, real or bool.
std::optional<double> numberOf(const Argument* argument);
/// The tensor of a single reference; noValue otherwise.
ValueId valueOf(const Argument* argument);

} // namespace kw
