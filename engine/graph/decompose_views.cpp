// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/rewriter.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kw {
namespace {

using Shape = std::vector<std::int64_t>;

Shape identityOrder(std::int64_t rank)
{
    Shape order(static_cast<std::size_t>(std::max<std::int64_t>(rank, 0)));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

/// view, reshape, flatten, squeeze, unsqueeze ...: whatever the arguments say, the captured shape is the answer.
void reshape(Rewriter& r) { r.bind(r.reshape(r.tensor("self"), r.result().shape)); }
void expand(Rewriter& r) { r.bind(r.expand(r.tensor("self"), r.result().shape)); }

void permute(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    Shape order = r.ints("dims");
    if (r.refused() || static_cast<std::int64_t>(order.size()) != r.rank(self))
        return r.refuse("a malformed permutation");
    for (std::int64_t& axis : order)
        axis = r.axis(axis, r.rank(self));
    r.bind(r.permute(self, order));
}

void swapAxes(Rewriter& r, std::int64_t first, std::int64_t second)
{
    const ValueId self = r.tensor("self");
    if (r.refused() || r.rank(self) < 2)
        return r.bind(self);
    Shape order = identityOrder(r.rank(self));
    first = r.axis(first, r.rank(self));
    second = r.axis(second, r.rank(self));
    std::swap(order[static_cast<std::size_t>(first)], order[static_cast<std::size_t>(second)]);
    r.bind(r.permute(self, order));
}

void transpose(Rewriter& r) { swapAxes(r, r.integer("dim0", 0), r.integer("dim1", 1)); }
void swapDims(Rewriter& r)
{
    const bool axes = r.node().target == "aten::swapaxes";
    swapAxes(r, r.integer(axes ? "axis0" : "dim0", 0), r.integer(axes ? "axis1" : "dim1", 1));
}
void transposeMatrix(Rewriter& r) { swapAxes(r, 0, 1); }
void transposeLast(Rewriter& r) { swapAxes(r, -2, -1); }

void reverseAxes(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    Shape order = identityOrder(r.refused() ? 0 : r.rank(self));
    std::reverse(order.begin(), order.end());
    r.bind(r.permute(self, order));
}

void moveAxes(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    Shape from = r.ints("source"), to = r.ints("destination");
    if (r.refused() || from.size() != to.size())
        return r.refuse("malformed axes");
    Shape order(static_cast<std::size_t>(r.rank(self)), -1);
    std::vector<bool> moved(order.size(), false);
    for (std::size_t index = 0; index < from.size(); ++index) {
        const auto source = static_cast<std::size_t>(r.axis(from[index], r.rank(self)));
        order.at(static_cast<std::size_t>(r.axis(to[index], r.rank(self)))) = static_cast<std::int64_t>(source);
        moved.at(source) = true;
    }
    std::int64_t next = 0;
    for (std::int64_t& axis : order) {
        if (axis >= 0)
            continue;
        while (moved.at(static_cast<std::size_t>(next)))
            ++next;
        axis = next++;
    }
    r.bind(r.permute(self, order));
}

void slice(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    if (r.refused() || r.rank(self) == 0)
        return r.refuse("a slice of a scalar");
    const std::int64_t axis = r.axis(r.integer("dim", 0), r.rank(self));
    const std::int64_t step = r.integer("step", 1);
    for (const char* name : {"start", "end", "step"})
        if (r.has(name) && !intOf(r.raw(name)))
            return r.refuse("a symbolic slice");
    if (step < 1)
        return r.refuse("a malformed slice");
    r.bind(r.slice(self, axis, r.integer("start", 0), r.integer("end", std::numeric_limits<std::int64_t>::max()), step));
}

void narrow(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    const auto start = intOf(r.raw("start")), length = intOf(r.raw("length"));
    if (r.refused() || !start || !length || r.rank(self) == 0)
        return r.refuse("a malformed slice");
    const std::int64_t axis = r.axis(r.integer("dim", 0), r.rank(self));
    const std::int64_t first = *start < 0 ? *start + r.size(self, axis) : *start;
    r.bind(r.slice(self, axis, first, first + *length));
}

void select(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    const auto index = intOf(r.raw("index"));
    if (r.refused() || !index || r.rank(self) == 0)
        return r.refuse("a symbolic index");
    r.bind(r.select(self, r.axis(r.integer("dim", 0), r.rank(self)), *index));
}

/// split, chunk, tensor_split: the captured sizes of the parts say where to cut.
void split(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    if (r.refused() || r.rank(self) == 0)
        return r.refuse("a split of a scalar");
    const std::int64_t axis = r.axis(r.integer("dim", 0), r.rank(self));
    std::int64_t start = 0;
    for (std::size_t part = 0; part < r.resultCount() && !r.refused(); ++part) {
        if (r.result(part).shape.size() != r.type(self).shape.size())
            return r.refuse("a malformed part");
        const std::int64_t size = r.result(part).shape[static_cast<std::size_t>(axis)];
        r.bind(r.slice(self, axis, start, start + size), part);
        start += size;
    }
}

void unbind(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    if (r.refused() || r.rank(self) == 0)
        return r.refuse("a split of a scalar");
    const std::int64_t axis = r.axis(r.integer("dim", 0), r.rank(self));
    for (std::size_t part = 0; part < r.resultCount() && !r.refused(); ++part)
        r.bind(r.select(self, axis, static_cast<std::int64_t>(part)), part);
}

} // namespace

void addViewRules(RuleTable& table)
{
    for (const char* name : {"aten::view", "aten::_unsafe_view", "aten::reshape", "aten::reshape_as", "aten::view_as",
             "aten::flatten.using_ints", "aten::unflatten.int", "aten::squeeze", "aten::squeeze.dim", "aten::squeeze.dims",
             "aten::unsqueeze"})
        table.emplace(name, reshape);
    for (const char* name : {"aten::split.Tensor", "aten::split_with_sizes", "aten::split.sizes", "aten::chunk",
             "aten::tensor_split.sections", "aten::unsafe_split.Tensor", "aten::unsafe_chunk"})
        table.emplace(name, split);
    table.insert({{"aten::permute", permute}, {"aten::transpose.int", transpose}, {"aten::t", transposeMatrix},
        {"aten::numpy_T", reverseAxes}, {"aten::mT", transposeLast}, {"aten::movedim.int", moveAxes},
        {"aten::movedim.intlist", moveAxes}, {"aten::swapaxes", swapDims}, {"aten::swapdims", swapDims},
        {"aten::expand", expand}, {"aten::expand_as", expand}, {"aten::broadcast_to", expand}, {"aten::slice.Tensor", slice},
        {"aten::narrow", narrow}, {"aten::select.int", select}, {"aten::unbind.int", unbind}});
}

} // namespace kw
