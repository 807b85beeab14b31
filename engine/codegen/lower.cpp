// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/lowerer.h"
#include "codegen/names.h"
#include "codegen/emit.h"
#include "codegen/plan.h"
#include "codegen/refusal.h"

#include "graph/decompose.h"

#include <algorithm>
#include <numeric>

namespace kw {

const Problem& Program::problem() const { return m_data->problem; }

namespace {

constexpr std::size_t mostNodes = 4096;

/// Sets of dimensions in the order of their strides, innermost first; broadcast and single dimensions left out.
std::vector<std::size_t> strideOrder(const TensorArgument& tensor, const std::vector<std::int64_t>& shape)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] != 1 && tensor.strides.at(i) != 0)
            order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(tensor.strides[a], b) < std::pair(tensor.strides[b], a);
    });
    return order;
}

} // namespace

Lowerer::Lowerer(const Problem& problem) : m_data(std::make_shared<ProgramData>())
{
    m_data->problem = problem;
    m_data->captured = capturedDimensions(problem);
}

std::shared_ptr<ProgramData> Lowerer::run()
{
    auto decomposed = decompose(m_data->problem.reference);
    if (!decomposed)
        throw CodegenRefused(decomposed.error().message);
    m_graph = std::move(decomposed->graph);
    if (m_graph.nodes.size() > mostNodes)
        refuse("too_large");
    if (m_graph.inputs.size() != m_data->problem.inputs.size() || m_graph.outputs.size() != m_data->problem.outputs.size())
        refuse("signature");
    m_nodeOf.assign(m_graph.values.size(), -1);
    for (std::size_t i = 0; i < m_graph.inputs.size(); ++i)
        addInput(i);
    for (const Node& node : m_graph.nodes)
        lowerNode(node);
    for (const auto& [value, axis] : decomposed->pinnedAxes) {
        const std::int32_t node = m_nodeOf.at(static_cast<std::size_t>(value));
        if (node >= 0 && axesOf(node).at(static_cast<std::size_t>(axis)) != noAxis)
            m_data->axes.pin(axesOf(node)[static_cast<std::size_t>(axis)]);
    }
    for (std::size_t i = 0; i < m_graph.outputs.size(); ++i)
        addOutput(i);
    // A handful of channels is written out; leaving their number open would cost everything and serve nobody.
    for (const AxisId leaf : smallLeaves(*m_data))
        m_data->axes.pin(leaf);
    m_data->axes.settle();
    m_data->pinned = m_data->axes.pinned();
    for (const TensorArgument& tensor : m_data->problem.inputs)
        m_data->inputStrides.push_back(strides(tensor));
    for (const TensorArgument& tensor : m_data->problem.outputs)
        m_data->outputStrides.push_back(strides(tensor));
    return m_data;
}

std::int32_t Lowerer::add(IrNode node)
{
    if (node.dtype != DType::Float && node.dtype != DType::Bool && node.dtype != DType::Int64 && node.dtype != DType::Int32)
        throw CodegenRefused(Message("codegen.refused.dtype").with("node", node.name).with("dtype", std::string(dtypeName(node.dtype))));
    m_data->nodes.push_back(std::move(node));
    return static_cast<std::int32_t>(m_data->nodes.size()) - 1;
}

void Lowerer::addInput(std::size_t index)
{
    const TensorArgument& tensor = m_data->problem.inputs[index];
    IrNode node;
    node.kind = IrKind::Input;
    node.integers = {static_cast<std::int64_t>(index)};
    node.dtype = tensor.dtype;
    node.name = tensor.name;
    node.shape = concreteShape(tensor.shape, m_data->captured);
    node.axes = argumentAxes(tensor);
    for (const std::int64_t size : node.shape)
        if (size == 0)
            refuse("empty", tensor.name);
    m_nodeOf.at(static_cast<std::size_t>(m_graph.inputs[index].value)) = add(std::move(node));
}

std::vector<AxisId> Lowerer::argumentAxes(const TensorArgument& tensor)
{
    std::vector<AxisId> axes;
    for (const Size& size : tensor.shape) {
        const bool named = size.dimension >= 0;
        const std::int64_t captured = named ? m_data->captured.at(static_cast<std::size_t>(size.dimension)) : size.constant;
        const bool free = named && m_data->problem.dimensions.at(static_cast<std::size_t>(size.dimension)).free;
        const AxisId axis = m_data->axes.make(captured, named ? size.dimension : -1);
        if (!free || captured == 1)
            m_data->axes.pin(axis);
        axes.push_back(captured == 1 ? noAxis : axis);
    }
    pinInsideGaps(tensor, axes);
    return axes;
}

/// A gap between rows says nothing of how wide it is where the rows have another length: that length stays as captured.
void Lowerer::pinInsideGaps(const TensorArgument& tensor, const std::vector<AxisId>& axes)
{
    const auto shape = concreteShape(tensor.shape, m_data->captured);
    std::vector<AxisId> inside;
    std::int64_t dense = 0;
    for (const std::size_t i : strideOrder(tensor, shape)) {
        if (!inside.empty() && tensor.strides[i] != dense) {
            for (const AxisId axis : inside)
                m_data->axes.pin(axis);
            inside.clear();
        }
        inside.push_back(axes[i]);
        dense = tensor.strides[i] * shape[i];
    }
}

void Lowerer::addOutput(std::size_t index)
{
    const auto* reference = std::get_if<ValueRef>(&m_graph.outputs[index].value);
    if (!reference)
        refuse("signature");
    const std::int32_t node = m_nodeOf.at(static_cast<std::size_t>(reference->id));
    const TensorArgument& tensor = m_data->problem.outputs[index];
    if (node < 0 || m_data->nodes[static_cast<std::size_t>(node)].dtype != tensor.dtype)
        refuse("signature");
    const auto shape = concreteShape(tensor.shape, m_data->captured);
    if (shape != m_data->nodes[static_cast<std::size_t>(node)].shape)
        refuse("signature");
    const auto wanted = argumentAxes(tensor);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const AxisId own = axesOf(node)[i];
        if (own != noAxis && wanted[i] != noAxis && !m_data->axes.unify(own, wanted[i]))
            refuse("shape", tensor.name);
    }
    m_data->outputs.push_back(node);
}

std::vector<Poly> Lowerer::strides(const TensorArgument& tensor)
{
    const auto shape = concreteShape(tensor.shape, m_data->captured);
    std::vector<bool> fixed(m_data->captured.size(), false);
    for (const std::int32_t dimension : m_data->pinned)
        fixed[static_cast<std::size_t>(dimension)] = true;
    const auto sizeOf = [&](std::size_t i) {
        const Size& size = tensor.shape[i];
        return size.dimension < 0 ? Poly(size.constant) : Poly::dimension(size.dimension).fixed(m_data->captured, fixed);
    };
    std::vector<Poly> result(shape.size(), Poly(0));
    Poly expected;
    bool first = true;
    for (const std::size_t i : strideOrder(tensor, shape)) {
        const bool dense = !first && expected.at(m_data->captured) == tensor.strides[i];
        if (!first && !dense && !expected.constant())
            refuse("layout", tensor.name);
        result[i] = dense ? expected : Poly(tensor.strides[i]);
        expected = result[i] * sizeOf(i);
        first = false;
    }
    return result;
}

Result<Program> lower(const Problem& problem)
{
    try {
        const auto data = Lowerer(problem).run();
        data->choices = findChoices(*data);
        const Program program(data);
        // Some programs are only refused while their text is written: that shows here, not in the middle of a search.
        KW_CHECK(emit(program, defaultSchedule(program)));
        return program;
    } catch (const CodegenRefused& refusal) {
        return Error{refusal.message(), {}};
    } catch (const NeedSplit&) {
        return error("codegen.refused.mixed_index");
    } catch (const std::exception& exception) {
        return Error{Message("codegen.refused.internal"), exception.what()};
    }
}

} // namespace kw
