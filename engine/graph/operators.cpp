// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/operators.h"

#include "graph/builder.h"
#include "graph/operator_table.h"

#include <unordered_map>

namespace kw {
namespace {

const std::unordered_map<std::string_view, const OperatorInfo*>& index()
{
    static const auto map = [] {
        std::unordered_map<std::string_view, const OperatorInfo*> rows;
        for (const OperatorInfo& row : operatorTable)
            rows.emplace(row.target, &row);
        return rows;
    }();
    return map;
}

const TensorType* typeOf(const Graph& graph, ValueId id)
{
    if (id < 0 || static_cast<std::size_t>(id) >= graph.values.size())
        return nullptr;
    const auto& type = graph.values[static_cast<std::size_t>(id)].type;
    return type ? &*type : nullptr;
}

ValueId firstTensor(const Node& node)
{
    for (const NamedArgument& argument : node.arguments)
        if (const auto* reference = std::get_if<ValueRef>(&argument.value))
            return reference->id;
    return noValue;
}

ValueId firstResult(const Node& node)
{
    const auto written = writtenValues(node);
    return written.empty() ? noValue : written.front();
}

/// Whether the elements keep their addresses under the new shape (torch's rule for view()).
bool viewable(const TensorType& from, const std::vector<std::int64_t>& shape)
{
    if (from.elements() == 0)
        return true;
    std::size_t axis = from.shape.size();
    std::size_t target = shape.size();
    while (axis > 0) {
        // One run of axes that lie in memory like one axis.
        std::int64_t run = 1;
        const std::int64_t step = from.strides[axis - 1];
        do {
            run *= from.shape[axis - 1];
            --axis;
        } while (axis > 0 && (from.shape[axis - 1] == 1 || from.strides[axis - 1] == run * step));
        std::int64_t covered = 1;
        while (target > 0 && (covered < run || shape[target - 1] == 1))
            covered *= shape[--target];
        if (covered != run)
            return false;
    }
    return true;
}

bool sameLayout(const TensorType* from, const TensorType* to)
{
    return from && to && from->dtype == to->dtype && from->shape == to->shape;
}

OperatorKind conversionKind(const Graph& graph, const Node& node)
{
    const TensorType* from = typeOf(graph, firstTensor(node));
    const TensorType* to = typeOf(graph, firstResult(node));
    if (boolOf(findArgument(node, "copy")).value_or(false))
        return OperatorKind::Copy;
    return sameLayout(from, to) && from->strides == to->strides ? OperatorKind::Bookkeeping : OperatorKind::Copy;
}

bool trains(const Node& node)
{
    for (const char* name : {"train", "training"})
        if (const auto truth = boolOf(findArgument(node, name)))
            return *truth;
    return false;
}

OperatorKind refined(const Graph& graph, const Node& node, const OperatorInfo& row)
{
    const TensorType* from = typeOf(graph, firstTensor(node));
    const TensorType* to = typeOf(graph, firstResult(node));
    if (row.target == "aten::reshape" || row.target == "aten::flatten.using_ints" || row.target == "aten::reshape_as")
        return from && to && !viewable(*from, to->shape) ? OperatorKind::Copy : OperatorKind::View;
    if (row.target == "aten::contiguous")
        return from && to && from->strides == to->strides ? OperatorKind::Bookkeeping : OperatorKind::Copy;
    if (row.target.starts_with("aten::to.") || row.target == "aten::type_as")
        return conversionKind(graph, node);
    if (trains(node) && (row.kind == OperatorKind::Bookkeeping || row.kind == OperatorKind::Composite))
        return OperatorKind::Opaque;
    return row.kind;
}

} // namespace

const OperatorInfo* findOperator(std::string_view target)
{
    const auto found = index().find(target);
    return found == index().end() ? nullptr : found->second;
}

OperatorKind operatorKind(const Graph& graph, const Node& node)
{
    const OperatorInfo* row = findOperator(node.target);
    return row ? refined(graph, node, *row) : OperatorKind::Opaque;
}

double operatorCost(std::string_view target)
{
    const OperatorInfo* row = findOperator(target);
    return row ? row->cost : 1;
}

bool isInPlace(std::string_view target)
{
    if (!target.starts_with("aten::"))
        return false;
    const std::string_view name = target.substr(6, target.find('.') == std::string_view::npos ? target.npos : target.find('.') - 6);
    return name.ends_with('_') && !name.ends_with("__") && name != "detach_" && name != "requires_grad_";
}

std::string functionalTarget(std::string_view target)
{
    std::string text(target);
    if (!isInPlace(target))
        return text;
    const auto dot = text.find('.');
    text.erase((dot == std::string::npos ? text.size() : dot) - 1, 1);
    return text;
}

ValueId aliasedInput(const Graph& graph, const Node& node)
{
    if (isInPlace(node.target))
        return firstTensor(node);
    switch (operatorKind(graph, node)) {
    case OperatorKind::View: case OperatorKind::ListView: case OperatorKind::Bookkeeping:
        return firstTensor(node);
    default:
        return noValue;
    }
}

} // namespace kw
