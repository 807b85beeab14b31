// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/roofline.h"

#include "graph/decompose.h"
#include "graph/operators.h"

#include <algorithm>
#include <cmath>

namespace kw {
namespace {

double interpolated(const Calibration& calibration, double bytes, double Calibration::Point::*member)
{
    const auto& points = calibration.bandwidth;
    if (points.empty())
        return 0;
    if (bytes <= points.front().bytes)
        return points.front().*member;
    for (std::size_t index = 1; index < points.size(); ++index) {
        const auto& low = points[index - 1];
        const auto& high = points[index];
        if (bytes > high.bytes)
            continue;
        const double position = std::log(bytes / low.bytes) / std::log(high.bytes / low.bytes);
        return low.*member + position * (high.*member - low.*member);
    }
    return points.back().*member;
}

double elementsOf(const Graph& graph, ValueId id)
{
    const auto& type = graph.values[static_cast<std::size_t>(id)].type;
    return type ? static_cast<double>(type->elements()) : 0;
}

} // namespace

double copyBandwidth(const Calibration& calibration, double bytes)
{
    return interpolated(calibration, bytes, &Calibration::Point::copy);
}

double readBandwidth(const Calibration& calibration, double bytes)
{
    return interpolated(calibration, bytes, &Calibration::Point::read);
}

double distinctBytes(const TensorType& type)
{
    double elements = 1;
    for (std::size_t axis = 0; axis < type.shape.size(); ++axis)
        if (type.strides[axis] != 0 || type.shape[axis] == 0)
            elements *= static_cast<double>(type.shape[axis]);
    return elements * static_cast<double>(itemSize(type.dtype));
}

double readBytes(const Graph& reference, ValueId input)
{
    const TensorType& type = *reference.values[static_cast<std::size_t>(input)].type;
    const double whole = distinctBytes(type);
    double parts = 0;
    for (const Node& node : reference.nodes) {
        const auto read = readValues(node);
        if (std::find(read.begin(), read.end(), input) == read.end())
            continue;
        const OperatorInfo* row = findOperator(node.target);
        const bool cuts = row && (row->target == "aten::slice.Tensor" || row->target == "aten::select.int"
            || row->target == "aten::narrow" || row->kind == OperatorKind::ListView);
        if (!cuts)
            return whole;
        for (const ValueId id : writtenValues(node))
            parts += elementsOf(reference, id) * static_cast<double>(itemSize(type.dtype));
    }
    return std::min(whole, parts);
}

double compulsoryBytes(const Graph& reference)
{
    double bytes = 0;
    for (const GraphInput& input : reference.inputs)
        bytes += readBytes(reference, input.value);
    for (const GraphOutput& output : reference.outputs)
        for (const ValueId id : readValues(output.value))
            bytes += elementsOf(reference, id) * static_cast<double>(itemSize(reference.values[static_cast<std::size_t>(id)].type->dtype));
    return bytes;
}

double floatingOperations(const Graph& reference)
{
    const auto primitives = decompose(reference);
    if (!primitives)
        return 0;
    const Graph& graph = primitives->graph;
    double operations = 0;
    for (const Node& node : graph.nodes) {
        const OperatorKind kind = operatorKind(graph, node);
        const ValueId result = node.outputs.front().values.front();
        if (kind == OperatorKind::Pointwise)
            operations += elementsOf(graph, result);
        else if (kind == OperatorKind::Reduction)
            operations += elementsOf(graph, readValues(node).front());
        else if (kind == OperatorKind::Window)
            operations += 2 * elementsOf(graph, result); // a running sum needs an add and a subtract
    }
    return operations;
}

double floorSeconds(const Calibration& calibration, double inputBytes, double outputBytes, double flops)
{
    const double bytes = inputBytes + outputBytes;
    const double bandwidth = std::max(copyBandwidth(calibration, bytes), readBandwidth(calibration, bytes));
    const double memory = bandwidth > 0 ? bytes / bandwidth : 0;
    const double arithmetic = calibration.flops > 0 ? flops / calibration.flops : 0;
    return std::max(memory, arithmetic);
}

} // namespace kw
