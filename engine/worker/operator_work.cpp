// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/operator_work.h"

#include "graph/operators.h"

#include <algorithm>
#include <set>

namespace kw {
namespace {

const TensorType* typeOf(const Graph& graph, ValueId id)
{
    if (id == noValue || static_cast<std::size_t>(id) >= graph.values.size())
        return nullptr;
    const auto& type = graph.values[static_cast<std::size_t>(id)].type;
    return type ? &*type : nullptr;
}

/// Distinct elements: a broadcast axis is read once.
double bytesOf(const TensorType& type)
{
    double elements = 1;
    for (std::size_t dim = 0; dim < type.shape.size(); ++dim)
        if (dim >= type.strides.size() || type.strides[dim] != 0)
            elements *= static_cast<double>(type.shape[dim]);
    return elements * static_cast<double>(itemSize(type.dtype));
}

double elementsOf(const Graph& graph, ValueId id)
{
    const TensorType* type = typeOf(graph, id);
    return type ? static_cast<double>(type->elements()) : 0;
}

const TensorType* argumentType(const Graph& graph, const Node& node, std::string_view name)
{
    const Argument* argument = findArgument(node, name);
    const auto* ref = argument ? std::get_if<ValueRef>(argument) : nullptr;
    return ref ? typeOf(graph, ref->id) : nullptr;
}

double lastSize(const TensorType& type)
{
    return type.shape.empty() ? 1 : static_cast<double>(type.shape.back());
}

double sizeFromEnd(const TensorType& type, std::size_t back)
{
    return back > type.shape.size() ? 1 : static_cast<double>(type.shape[type.shape.size() - back]);
}

/// Products by their definition: each output element is a dot product of the length that the first operand tells.
/// out elements x 2K, with K the inner size (matrix products), channels per group x window (convolutions).
double productFlops(const Graph& graph, const Node& node, double outputs)
{
    const std::string_view target = node.target;
    if (const TensorType* weight = argumentType(graph, node, "weight"); weight && target.find("conv") != target.npos) {
        const Argument* transposed = findArgument(node, "transposed");
        const bool reversed = target.find("transpose") != target.npos
            || (transposed && std::holds_alternative<bool>(*transposed) && std::get<bool>(*transposed));
        const double window = static_cast<double>(weight->elements()) / std::max(1.0, weight->shape.empty() ? 1.0 : static_cast<double>(weight->shape[0]));
        // A transposed convolution does its multiplications once per input element.
        const TensorType* input = argumentType(graph, node, "input");
        return 2 * window * (reversed && input ? static_cast<double>(input->elements()) : outputs);
    }
    if (const TensorType* query = argumentType(graph, node, "query")) {
        const TensorType* key = argumentType(graph, node, "key");
        const TensorType* value = argumentType(graph, node, "value");
        if (!key || !value)
            return 0;
        const double scores = static_cast<double>(query->elements()) / std::max(1.0, lastSize(*query)) * sizeFromEnd(*key, 2);
        return 2 * scores * (lastSize(*query) + lastSize(*value));
    }
    for (const char* name : {"mat1", "batch1", "input", "self"})
        if (const TensorType* left = argumentType(graph, node, name))
            return 2 * outputs * lastSize(*left);
    return 0;
}

} // namespace

OperatorWork operatorWork(const Graph& graph, const Node& node)
{
    OperatorWork work;
    const OperatorKind kind = operatorKind(graph, node);
    if (kind == OperatorKind::View || kind == OperatorKind::ListView || kind == OperatorKind::Bookkeeping)
        return work;
    const auto read = readValues(node);
    const auto written = writtenValues(node);
    double inputs = 0, outputs = 0;
    for (const ValueId id : std::set<ValueId>(read.begin(), read.end())) {
        const TensorType* type = typeOf(graph, id);
        work.bytes += type ? bytesOf(*type) : 0;
        inputs = std::max(inputs, elementsOf(graph, id));
    }
    for (const ValueId id : written) {
        const TensorType* type = typeOf(graph, id);
        work.bytes += type ? bytesOf(*type) : 0;
        outputs += elementsOf(graph, id);
    }
    if (kind == OperatorKind::Product) {
        work.product = true;
        work.flops = productFlops(graph, node, written.empty() ? 0 : elementsOf(graph, written.front()));
    } else if (kind == OperatorKind::Pointwise || kind == OperatorKind::Composite || kind == OperatorKind::Reduction
        || kind == OperatorKind::Window) {
        work.flops = std::max(inputs, outputs) * std::max(1.0, operatorCost(node.target));
    }
    return work;
}

} // namespace kw
