// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/lowerer.h"
#include "codegen/refusal.h"

#include "graph/builder.h"

#include <algorithm>

namespace kw {

bool Lowerer::lowerMap(const Node& node, const std::string& name)
{
    const std::string& target = node.target;
    if (target == "aten::reshape")
        lowerReshape(node);
    else if (target == "aten::permute")
        lowerPermute(node);
    else if (target == "aten::expand")
        lowerExpand(node);
    else if (target == "aten::flip")
        lowerFlip(node);
    else if (target == "aten::slice.Tensor")
        lowerSlice(node);
    else if (target == "aten::select.int")
        lowerSelect(node);
    else if (target == "aten::cat")
        lowerCat(node);
    else if (target == "aten::constant_pad_nd" || target.starts_with("aten::reflection_pad") || target.starts_with("aten::replication_pad"))
        lowerPad(node, name);
    else if (target == "aten::avg_pool2d")
        lowerWindow(node);
    else
        return false;
    return true;
}

void Lowerer::lowerReshape(const Node& node)
{
    IrNode result = fresh(node, IrKind::Reshape);
    const std::int32_t self = tensor(node, "self");
    std::vector<AxisId> from;
    for (const AxisId axis : axesOf(self))
        if (axis != noAxis)
            from.push_back(axis);
    std::vector<AxisId> to;
    // Dimensions that stay whole keep their axis; only the rest is matched, so that sizes may stay symbolic.
    for (const std::int64_t size : result.shape) {
        result.axes.push_back(freshAxis(size));
        if (size != 1)
            to.push_back(result.axes.back());
    }
    if (!m_data->axes.match(from, to))
        refuse("reshape", result.name);
    result.arguments = {self};
    bind(node, std::move(result));
}

void Lowerer::lowerPermute(const Node& node)
{
    IrNode result = fresh(node, IrKind::Permute);
    const std::int32_t self = tensor(node, "self");
    result.integers = integers(node, "dims");
    for (std::int64_t& dim : result.integers) {
        dim = dim < 0 ? dim + static_cast<std::int64_t>(axesOf(self).size()) : dim;
        result.axes.push_back(axesOf(self).at(static_cast<std::size_t>(dim)));
    }
    result.arguments = {self};
    bind(node, std::move(result));
}

void Lowerer::lowerExpand(const Node& node)
{
    IrNode result = fresh(node, IrKind::Expand);
    const std::int32_t self = tensor(node, "self");
    const auto& axes = axesOf(self);
    const std::size_t extra = result.shape.size() - axes.size();
    for (std::size_t i = 0; i < result.shape.size(); ++i) {
        const AxisId own = i < extra ? noAxis : axes[i - extra];
        result.axes.push_back(own != noAxis ? own : freshAxis(result.shape[i]));
    }
    result.arguments = {self};
    bind(node, std::move(result));
}

void Lowerer::lowerFlip(const Node& node)
{
    IrNode result = fresh(node, IrKind::Flip);
    const std::int32_t self = tensor(node, "self");
    result.integers = integers(node, "dims");
    result.axes = axesOf(self);
    for (std::int64_t& dim : result.integers) {
        dim = dim < 0 ? dim + static_cast<std::int64_t>(result.axes.size()) : dim;
        AxisId& axis = result.axes.at(static_cast<std::size_t>(dim));
        axis = freshAxis(result.shape.at(static_cast<std::size_t>(dim)));
        if (axis != noAxis) {
            m_data->axes.pin(axis);
            m_data->axes.pin(axesOf(self)[static_cast<std::size_t>(dim)]);
        }
    }
    result.arguments = {self};
    bind(node, std::move(result));
}

void Lowerer::lowerSlice(const Node& node)
{
    IrNode result = fresh(node, IrKind::Slice);
    const std::int32_t self = tensor(node, "self");
    const std::int64_t dim = integer(node, "dim");
    const auto at = static_cast<std::size_t>(dim);
    const std::int64_t start = integer(node, "start");
    result.axes = axesOf(self);
    const std::int64_t step = integer(node, "step");
    if (result.shape.at(at) != shapeOf(self).at(at)) {
        if (result.axes[at] != noAxis)
            m_data->axes.pin(result.axes[at]);
        result.axes[at] = freshAxis(result.shape[at]);
        if (result.axes[at] != noAxis)
            m_data->axes.pin(result.axes[at]);
    }
    result.integers = {dim, start, step};
    result.arguments = {self};
    bind(node, std::move(result));
}

void Lowerer::lowerSelect(const Node& node)
{
    IrNode result = fresh(node, IrKind::Select);
    const std::int32_t self = tensor(node, "self");
    const std::int64_t dim = integer(node, "dim");
    result.axes = axesOf(self);
    if (result.axes.at(static_cast<std::size_t>(dim)) != noAxis)
        m_data->axes.pin(result.axes[static_cast<std::size_t>(dim)]);
    result.axes.erase(result.axes.begin() + dim);
    result.integers = {dim, integer(node, "index")};
    result.arguments = {self};
    bind(node, std::move(result));
}

void Lowerer::lowerCat(const Node& node)
{
    IrNode result = fresh(node, IrKind::Cat);
    const auto* parts = std::get_if<std::vector<ValueRef>>(findArgument(node, "tensors"));
    const std::int64_t dim = integer(node, "dim");
    const auto at = static_cast<std::size_t>(dim);
    if (!parts || parts->empty())
        refuse("argument", result.name);
    result.integers = {dim};
    std::int64_t start = 0;
    for (const ValueRef& part : *parts) {
        const std::int32_t child = m_nodeOf.at(static_cast<std::size_t>(part.id));
        if (child < 0 || shapeOf(child).size() != result.shape.size())
            refuse("shape", result.name);
        if (result.arguments.empty()) {
            result.axes = axesOf(child);
            result.axes.at(at) = freshAxis(result.shape.at(at));
            if (result.axes[at] != noAxis)
                m_data->axes.pin(result.axes[at]);
        }
        for (std::size_t i = 0; i < result.axes.size(); ++i) {
            if (i == at || axesOf(child)[i] == noAxis)
                continue;
            if (!m_data->axes.unify(result.axes[i], axesOf(child)[i]))
                refuse("shape", result.name);
        }
        if (axesOf(child)[at] != noAxis)
            m_data->axes.pin(axesOf(child)[at]);
        result.arguments.push_back(child);
        result.integers.push_back(start);
        start += shapeOf(child)[at];
    }
    bind(node, std::move(result));
}

void Lowerer::lowerPad(const Node& node, const std::string& name)
{
    IrNode result = fresh(node, IrKind::Pad);
    const std::int32_t self = tensor(node, "self");
    const bool constant = node.target == "aten::constant_pad_nd";
    const auto pads = integers(node, constant ? "pad" : "padding");
    result.pad = constant ? PadMode::Constant : node.target.starts_with("aten::reflection") ? PadMode::Reflect : PadMode::Replicate;
    if (constant)
        result.number = numberOf(findArgument(node, "value")).value_or(0);
    const std::size_t rank = result.shape.size();
    result.integers.assign(rank, 0);
    result.axes = axesOf(self);
    if (pads.size() % 2 != 0 || pads.size() / 2 > rank)
        refuse("argument", name);
    for (std::size_t i = 0; i < pads.size() / 2; ++i) {
        const std::size_t dim = rank - 1 - i;
        if (pads[2 * i] == 0 && pads[2 * i + 1] == 0)
            continue;
        result.integers[dim] = pads[2 * i];
        if (result.axes[dim] != noAxis)
            m_data->axes.pin(result.axes[dim]);
        result.axes[dim] = freshAxis(result.shape[dim]);
        m_data->axes.pin(result.axes[dim]);
    }
    result.arguments = {self};
    bind(node, std::move(result));
}

/// How many elements of the window stand inside the image, for each position along one dimension.
std::int32_t Lowerer::windowCount(AxisId axis, std::int64_t size, std::int64_t kernel, std::int64_t padding, bool vertical)
{
    IrNode position;
    position.kind = IrKind::Position;
    position.shape = vertical ? std::vector<std::int64_t>{size, 1} : std::vector<std::int64_t>{size};
    position.axes = vertical ? std::vector<AxisId>{axis, noAxis} : std::vector<AxisId>{axis};
    position.integers = {1};
    position.name = vertical ? "row_position" : "column_position";
    const std::int32_t at = add(std::move(position));
    IrNode all;
    all.kind = IrKind::Size;
    all.sizes = {axis};
    all.name = "size";
    const std::int32_t whole = add(std::move(all));
    const std::string side = vertical ? "rows_inside" : "columns_inside";
    const std::int32_t end = call("minimum", {call("add", {at, number(static_cast<double>(kernel - padding))}, DType::Float, side), whole},
        DType::Float, side);
    const std::int32_t begin = call("maximum", {call("sub", {at, number(static_cast<double>(padding))}, DType::Float, side), number(0)},
        DType::Float, side);
    return call("sub", {end, begin}, DType::Float, side);
}

void Lowerer::lowerWindow(const Node& node)
{
    IrNode result = fresh(node, IrKind::Window);
    std::int32_t self = tensor(node, "self");
    const auto kernel = integers(node, "kernel_size");
    const auto stride = integers(node, "stride");
    const auto padding = integers(node, "padding");
    if (kernel.size() != 2 || stride.size() != 2 || padding.size() != 2)
        refuse("argument", result.name);
    if (stride[0] != 1 || stride[1] != 1)
        refuse("window_stride", result.name);
    const std::size_t rank = result.shape.size();
    std::vector<std::int64_t> begin{padding[0], padding[1]};
    const IrNode& child = m_data->nodes[static_cast<std::size_t>(self)];
    const bool onlyPlane = child.kind == IrKind::Pad && padding[0] == 0 && padding[1] == 0
        && std::all_of(child.integers.begin(), child.integers.end() - 2, [](std::int64_t pad) { return pad == 0; })
        && (child.pad != PadMode::Constant || child.number == 0);
    if (onlyPlane) {
        result.pad = child.pad;
        begin = {child.integers[rank - 2], child.integers[rank - 1]};
        self = child.arguments[0];
    }
    result.axes = axesOf(self);
    for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t dim = rank - 2 + i;
        if (result.shape[dim] != shapeOf(self)[dim] || result.axes[dim] == noAxis)
            refuse("window_size", result.name);
    }
    result.integers = {kernel[0], kernel[1], begin[0], begin[1]};
    result.arguments = {self};
    const AxisId rows = result.axes[rank - 2];
    const AxisId columns = result.axes[rank - 1];
    const std::string name = result.name;
    result.name += "_sum";
    const std::int64_t height = result.shape[rank - 2];
    const std::int64_t width = result.shape[rank - 1];
    m_data->hasWindow = true;
    const std::int32_t total = add(std::move(result));
    const auto divisor = intOf(findArgument(node, "divisor_override"));
    const bool inside = !boolOf(findArgument(node, "count_include_pad")).value_or(true) && (padding[0] > 0 || padding[1] > 0);
    std::int32_t count;
    if (divisor || !inside) {
        count = number(static_cast<double>(divisor ? *divisor : kernel[0] * kernel[1]));
    } else {
        count = call("mul", {windowCount(rows, height, kernel[0], padding[0], true), windowCount(columns, width, kernel[1], padding[1], false)},
            DType::Float, "inside");
    }
    m_nodeOf.at(static_cast<std::size_t>(node.outputs.at(0).values.at(0))) = call("div", {total, count}, DType::Float, name);
}

} // namespace kw
