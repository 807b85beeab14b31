// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/loop_ir.h"

#include <memory>

namespace kw {

/// Turns a problem's reference graph into index functions. Used once, on one thread; throws CodegenRefused.
class Lowerer {
public:
    explicit Lowerer(const Problem& problem);
    std::shared_ptr<ProgramData> run();

private:
    std::int32_t add(IrNode node);
    void addInput(std::size_t index);
    void addOutput(std::size_t index);
    std::vector<AxisId> argumentAxes(const TensorArgument& tensor);
    void pinInsideGaps(const TensorArgument& tensor, const std::vector<AxisId>& axes);
    std::vector<Poly> strides(const TensorArgument& tensor);
    const std::vector<AxisId>& axesOf(std::int32_t node) const { return m_data->nodes[static_cast<std::size_t>(node)].axes; }
    const std::vector<std::int64_t>& shapeOf(std::int32_t node) const { return m_data->nodes[static_cast<std::size_t>(node)].shape; }

    void lowerNode(const Node& node);
    bool lowerPointwise(const Node& node, const std::string& name);
    bool lowerReduction(const Node& node, const std::string& name);
    bool lowerMap(const Node& node, const std::string& name);
    bool lowerCreation(const Node& node, const std::string& name);
    void lowerReshape(const Node& node);
    void lowerPermute(const Node& node);
    void lowerExpand(const Node& node);
    void lowerSlice(const Node& node);
    void lowerSelect(const Node& node);
    void lowerFlip(const Node& node);
    void lowerCat(const Node& node);
    void lowerPad(const Node& node, const std::string& name);
    void lowerWindow(const Node& node);

    IrNode fresh(const Node& node, IrKind kind) const;  ///< with name, dtype and shape of the node's result
    void bind(const Node& node, IrNode result);
    std::int32_t operand(const Node& node, const char* name); ///< a tensor, or a number as a node without dimensions
    std::int32_t tensor(const Node& node, const char* name) const;
    std::int32_t number(double value);
    std::int32_t call(const std::string& function, std::vector<std::int32_t> arguments, DType dtype, const std::string& name);
    std::int32_t windowCount(AxisId axis, std::int64_t size, std::int64_t kernel, std::int64_t padding, bool vertical);
    std::int64_t integer(const Node& node, const char* name) const;
    std::vector<std::int64_t> integers(const Node& node, const char* name) const;
    AxisId freshAxis(std::int64_t size) { return size == 1 ? noAxis : m_data->axes.make(size); }

    std::shared_ptr<ProgramData> m_data;
    Graph m_graph;
    std::vector<std::int32_t> m_nodeOf;   ///< by value of m_graph
};

} // namespace kw
