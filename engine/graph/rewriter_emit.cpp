// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/rewriter.h"

#include <algorithm>

namespace kw {
namespace {

using Shape = std::vector<std::int64_t>;

/// nullopt when the shapes do not broadcast.
std::optional<Shape> broadcast(const Shape& left, const Shape& right)
{
    Shape shape(std::max(left.size(), right.size()));
    for (std::size_t back = 1; back <= shape.size(); ++back) {
        const std::int64_t a = back <= left.size() ? left[left.size() - back] : 1;
        const std::int64_t b = back <= right.size() ? right[right.size() - back] : 1;
        if (a != b && a != 1 && b != 1)
            return std::nullopt;
        shape[shape.size() - back] = a == 1 ? b : a;
    }
    return shape;
}

bool isComparison(std::string_view name)
{
    return name == "eq.Tensor" || name == "ne.Tensor" || name == "lt.Tensor" || name == "le.Tensor" || name == "gt.Tensor"
        || name == "ge.Tensor" || name.starts_with("logical_");
}

int category(DType type) { return type == DType::Bool ? 0 : isInteger(type) ? 1 : isFloating(type) ? 2 : 3; }

DType wider(DType left, DType right)
{
    if (category(left) != category(right))
        return category(left) > category(right) ? left : right;
    return itemSize(left) >= itemSize(right) ? left : right;
}

} // namespace

DType Rewriter::common(const Argument& self, const Argument& other) const
{
    DType best[2] = {DType::Undefined, DType::Undefined}; // tensors with axes, scalars
    for (const Argument* operand : {&self, &other}) {
        DType type = std::holds_alternative<double>(*operand) ? DType::Float : DType::Int64;
        bool scalar = true;
        if (isTensor(*operand) && id(*operand) != noValue) {
            type = this->type(id(*operand)).dtype;
            scalar = this->type(id(*operand)).shape.empty();
        }
        DType& slot = best[scalar ? 1 : 0];
        slot = slot == DType::Undefined ? type : wider(slot, type);
    }
    if (best[0] == DType::Undefined || best[1] == DType::Undefined)
        return best[0] == DType::Undefined ? best[1] : best[0];
    return category(best[1]) > category(best[0]) ? best[1] : best[0];
}

ValueId Rewriter::emit(const char* name, std::vector<NamedArgument> arguments, DType dtype, Shape shape)
{
    if (refused())
        return noValue;
    const std::string plain(name, std::string_view(name).find_first_of(".") == std::string_view::npos
            ? std::string_view(name).size() : std::string_view(name).find('.'));
    const std::string base = m_results.empty() || m_results.front() == noValue
        ? plain : m_source.values[static_cast<std::size_t>(m_results.front())].name + "_" + plain;
    m_nodeOf.push_back(m_nodeIndex);
    return m_builder.call(std::string("aten::") + name, std::move(arguments), dtype, std::move(shape), base);
}

ValueId Rewriter::convert(ValueId self, DType dtype)
{
    if (refused() || type(self).dtype == dtype)
        return self;
    return emit("_to_copy", {{"self", ValueRef{self}}, {"dtype", dtype}}, dtype, type(self).shape);
}

ValueId Rewriter::unary(const char* name, ValueId self)
{
    if (refused())
        return noValue;
    const std::string_view plain = name;
    const bool test = plain == "logical_not" || plain.starts_with("is");
    return emit(name, {{"self", ValueRef{self}}}, test ? DType::Bool : type(self).dtype, type(self).shape);
}

ValueId Rewriter::binary(const char* name, ValueId self, ValueId other)
{
    return refused() ? noValue : binary(name, ValueRef{self}, ValueRef{other}, common(ValueRef{self}, ValueRef{other}));
}

ValueId Rewriter::binary(const char* name, const Argument& self, const Argument& other, DType common)
{
    if (refused())
        return noValue;
    Argument operands[2] = {self, other};
    Shape shape;
    for (Argument& operand : operands) {
        if (!isTensor(operand))
            continue;
        operand = ValueRef{convert(id(operand), common)};
        const auto joined = broadcast(shape, type(id(operand)).shape);
        if (!joined) {
            refuse("shapes do not broadcast");
            return noValue;
        }
        shape = *joined;
    }
    const bool power = std::string_view(name).starts_with("pow.");
    return emit(name, {{"self", operands[0]}, {power ? "exponent" : "other", operands[1]}},
        isComparison(name) ? DType::Bool : common, std::move(shape));
}

ValueId Rewriter::where(ValueId condition, const Argument& self, const Argument& other, DType common)
{
    if (refused())
        return noValue;
    condition = convert(condition, DType::Bool);
    Argument operands[2] = {self, other};
    std::optional<Shape> shape = type(condition).shape;
    for (Argument& operand : operands)
        if (isTensor(operand) && shape) {
            operand = ValueRef{convert(id(operand), common)};
            shape = broadcast(*shape, type(id(operand)).shape);
        }
    if (!shape) {
        refuse("shapes do not broadcast");
        return noValue;
    }
    return emit("where.self", {{"condition", ValueRef{condition}}, {"self", operands[0]}, {"other", operands[1]}}, common,
        std::move(*shape));
}

ValueId Rewriter::reduce(const char* name, ValueId self, Shape axes, bool keep)
{
    if (refused())
        return noValue;
    if (!isFloating(type(self).dtype)) {
        refuse("reductions of integers are not written as primitives");
        return noValue;
    }
    const Shape& from = type(self).shape;
    if (from.empty())
        return self; // over no axis, the element itself (an empty list would mean all axes)
    Shape shape;
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
        const bool reduced = std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end();
        if (!reduced || keep)
            shape.push_back(reduced ? 1 : from[axis]);
    }
    const DType dtype = type(self).dtype;
    return emit(name, {{"self", ValueRef{self}}, {"dim", intList(axes)}, {"keepdim", keep}}, dtype, std::move(shape));
}

ValueId Rewriter::reshape(ValueId self, Shape shape)
{
    if (refused() || type(self).shape == shape)
        return self;
    if (rowMajor(DType::Bool, shape).elements() != type(self).elements()) {
        refuse("a view changes the number of elements");
        return noValue;
    }
    const DType dtype = type(self).dtype;
    return emit("reshape", {{"self", ValueRef{self}}, {"shape", intList(shape)}}, dtype, shape);
}

ValueId Rewriter::permute(ValueId self, Shape order)
{
    if (refused() || std::is_sorted(order.begin(), order.end()))
        return self;
    Shape shape;
    for (const std::int64_t axis : order)
        shape.push_back(type(self).shape.at(static_cast<std::size_t>(axis)));
    const DType dtype = type(self).dtype;
    return emit("permute", {{"self", ValueRef{self}}, {"dims", intList(order)}}, dtype, std::move(shape));
}

ValueId Rewriter::expand(ValueId self, Shape shape)
{
    if (refused() || type(self).shape == shape)
        return self;
    if (broadcast(type(self).shape, shape) != shape) {
        refuse("an expansion does not broadcast");
        return noValue;
    }
    const DType dtype = type(self).dtype;
    return emit("expand", {{"self", ValueRef{self}}, {"size", intList(shape)}}, dtype, shape);
}

std::int64_t Rewriter::size(ValueId value, std::int64_t axis) const
{
    return refused() ? 1 : type(value).shape.at(static_cast<std::size_t>(axis));
}

ValueId Rewriter::slice(ValueId self, std::int64_t axis, std::int64_t start, std::int64_t end, std::int64_t step)
{
    if (refused())
        return noValue;
    const std::int64_t extent = size(self, axis);
    const auto clamped = [&](std::int64_t position) {
        return std::clamp<std::int64_t>(position < 0 ? position + extent : position, 0, extent);
    };
    start = clamped(start);
    end = std::max(clamped(end), start);
    if (start == 0 && end == extent && step == 1)
        return self;
    Shape shape = type(self).shape;
    shape[static_cast<std::size_t>(axis)] = (end - start + step - 1) / step;
    const DType dtype = type(self).dtype;
    return emit("slice.Tensor", {{"self", ValueRef{self}}, {"dim", axis}, {"start", start}, {"end", end}, {"step", step}},
        dtype, std::move(shape));
}

ValueId Rewriter::select(ValueId self, std::int64_t axis, std::int64_t index)
{
    if (refused())
        return noValue;
    Shape shape = type(self).shape;
    const std::int64_t extent = size(self, axis);
    index = index < 0 ? index + extent : index;
    if (index < 0 || index >= extent) {
        refuse("an index is out of range");
        return noValue;
    }
    shape.erase(shape.begin() + axis);
    const DType dtype = type(self).dtype;
    return emit("select.int", {{"self", ValueRef{self}}, {"dim", axis}, {"index", index}}, dtype, std::move(shape));
}

ValueId Rewriter::cat(std::vector<ValueId> parts, std::int64_t axis)
{
    if (refused() || parts.empty()) {
        refuse("an empty concatenation");
        return noValue;
    }
    Shape shape = type(parts.front()).shape;
    std::int64_t total = 0;
    std::vector<ValueRef> references;
    for (const ValueId part : parts) {
        if (type(part).shape.size() != shape.size()) {
            refuse("parts of a concatenation differ in rank");
            return noValue;
        }
        total += size(part, axis);
        references.push_back({part});
    }
    shape[static_cast<std::size_t>(axis)] = total;
    const DType dtype = type(parts.front()).dtype;
    return emit("cat", {{"tensors", std::move(references)}, {"dim", axis}}, dtype, std::move(shape));
}

ValueId Rewriter::full(Shape shape, const Argument& number, DType dtype)
{
    return emit("full", {{"size", intList(shape)}, {"fill_value", number}, {"dtype", dtype}}, dtype, shape);
}

} // namespace kw
