// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/rewriter.h"

#include <algorithm>

namespace kw {
namespace {

using Shape = std::vector<std::int64_t>;

/// The same elements, perhaps of another type.
void copy(Rewriter& r)
{
    const Argument* argument = r.raw("self");
    const ValueId self = r.tensor(argument ? "self" : "input");
    r.bind(r.refused() ? self : r.convert(self, r.result().dtype));
}

void flip(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    const Shape axes = r.refused() ? Shape() : r.axes(r.ints("dims"), r.rank(self));
    if (r.refused() || r.ints("dims").empty())
        return r.bind(self);
    r.bind(r.emit("flip", {{"self", ValueRef{self}}, {"dims", intList(axes)}}, r.type(self).dtype, r.type(self).shape));
}

void roll(Rewriter& r)
{
    ValueId self = r.tensor("self");
    const Shape shifts = r.ints("shifts"), axes = r.ints("dims");
    if (r.refused() || shifts.size() != axes.size() || axes.empty())
        return r.refuse("a roll over all elements");
    for (std::size_t index = 0; index < axes.size() && !r.refused(); ++index) {
        const std::int64_t axis = r.axis(axes[index], r.rank(self));
        const std::int64_t extent = r.size(self, axis);
        const std::int64_t shift = extent ? (shifts[index] % extent + extent) % extent : 0;
        if (shift != 0)
            self = r.cat({r.slice(self, axis, extent - shift, extent), r.slice(self, axis, 0, extent - shift)}, axis);
    }
    r.bind(self);
}

/// (a, b) repeated (m, n) times: (1, a, 1, b) -> (m, a, n, b) -> (ma, nb)
void repeat(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    if (r.refused())
        return;
    const Shape full = r.result().shape;
    Shape from = r.type(self).shape;
    if (from.size() > full.size())
        return r.refuse("a malformed repetition");
    from.insert(from.begin(), full.size() - from.size(), 1);
    Shape thin, wide;
    for (std::size_t axis = 0; axis < full.size(); ++axis) {
        if (from[axis] == 0 || full[axis] % from[axis] != 0)
            return r.refuse("a malformed repetition");
        thin.insert(thin.end(), {1, from[axis]});
        wide.insert(wide.end(), {full[axis] / from[axis], from[axis]});
    }
    r.bind(r.reshape(r.expand(r.reshape(self, thin), wide), full));
}

void repeatEach(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    const auto wanted = intOf(r.raw("dim"));
    const auto count = intOf(r.raw("repeats"));
    if (r.refused() || !wanted || !count || *count < 0 || r.rank(self) == 0)
        return r.refuse("a repetition over all elements");
    const auto axis = static_cast<std::ptrdiff_t>(r.axis(*wanted, r.rank(self)));
    Shape thin = r.type(self).shape;
    thin.insert(thin.begin() + axis + 1, 1);
    Shape wide = thin;
    wide[static_cast<std::size_t>(axis) + 1] = *count;
    r.bind(r.reshape(r.expand(r.reshape(self, thin), wide), r.result().shape));
}

void pixelShuffle(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    const std::int64_t factor = r.integer("upscale_factor", 1);
    if (r.refused() || r.rank(self) != 4 || factor < 1 || r.size(self, 1) % (factor * factor) != 0)
        return r.refuse("a malformed shuffle");
    const Shape s = r.type(self).shape;
    const ValueId split = r.reshape(self, {s[0], s[1] / (factor * factor), factor, factor, s[2], s[3]});
    r.bind(r.reshape(r.permute(split, {0, 1, 4, 2, 5, 3}), r.result().shape));
}

void concatenate(Rewriter& r)
{
    std::vector<ValueId> parts = r.tensors("tensors");
    if (r.refused())
        return;
    const DType dtype = r.result().dtype;
    const auto rank = static_cast<std::int64_t>(r.result().shape.size());
    std::erase_if(parts, [&](ValueId part) { return r.type(part).shape == Shape{0} && rank != 1; }); // torch skips them
    for (ValueId& part : parts)
        part = r.convert(part, dtype);
    r.bind(parts.size() == 1 ? parts.front() : r.cat(parts, r.axis(r.integer("dim", 0), rank)));
}

void stack(Rewriter& r)
{
    std::vector<ValueId> parts = r.tensors("tensors");
    if (r.refused() || parts.empty())
        return r.refuse("an empty stack");
    const std::int64_t rank = r.rank(parts.front()) + 1;
    const std::int64_t axis = r.axis(r.integer("dim", 0), rank);
    for (ValueId& part : parts) {
        Shape shape = r.type(part).shape;
        shape.insert(shape.begin() + axis, 1);
        part = r.reshape(r.convert(part, r.result().dtype), shape);
    }
    r.bind(parts.size() == 1 ? parts.front() : r.cat(parts, axis));
}

void pad(Rewriter& r, const std::string& mode, const Shape& amounts)
{
    const ValueId self = r.tensor("self");
    if (r.refused() || amounts.empty() || amounts.size() % 2 != 0 || std::ssize(amounts) / 2 > r.rank(self))
        return r.refuse("a malformed pad");
    if (std::any_of(amounts.begin(), amounts.end(), [](std::int64_t amount) { return amount < 0; }))
        return r.refuse("a negative pad");
    if (std::all_of(amounts.begin(), amounts.end(), [](std::int64_t amount) { return amount == 0; }))
        return r.bind(self);
    Shape shape = r.type(self).shape;
    for (std::size_t pair = 0; pair < amounts.size() / 2; ++pair)
        shape[shape.size() - 1 - pair] += amounts[2 * pair] + amounts[2 * pair + 1];
    const DType dtype = r.type(self).dtype;
    if (mode == "constant") {
        const Argument value = r.has("value") ? r.operand("value") : Argument(0.0);
        return r.bind(r.emit("constant_pad_nd", {{"self", ValueRef{self}}, {"pad", intList(amounts)}, {"value", value}}, dtype, shape));
    }
    if (amounts.size() > 6 || (mode != "reflection" && mode != "replication"))
        return r.refuse("this border is not written as a primitive");
    const std::string name = mode + "_pad" + std::to_string(amounts.size() / 2) + "d";
    r.bind(r.emit(name.c_str(), {{"self", ValueRef{self}}, {"padding", intList(amounts)}}, dtype, shape));
}

void padByMode(Rewriter& r)
{
    const Argument* argument = r.raw("mode");
    const auto* text = argument ? std::get_if<std::string>(argument) : nullptr;
    const std::string mode = !text || *text == "constant" ? "constant" : *text == "reflect" ? "reflection"
        : *text == "replicate" ? "replication" : *text;
    pad(r, mode, r.ints("pad"));
}

void constantPad(Rewriter& r) { pad(r, "constant", r.ints("pad")); }
void borderPad(Rewriter& r)
{
    pad(r, r.node().target.starts_with("aten::reflection") ? "reflection" : "replication", r.ints("padding"));
}

Shape pairOf(Rewriter& r, const char* name, const Shape& otherwise)
{
    Shape numbers = r.has(name) ? r.ints(name) : otherwise;
    if (numbers.empty())
        numbers = otherwise;
    if (numbers.size() == 1)
        numbers.push_back(numbers.front());
    if (numbers.size() != 2)
        r.refuse("a malformed window");
    return numbers;
}

void averagePool(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    const Shape kernel = pairOf(r, "kernel_size", {}), stride = pairOf(r, "stride", kernel), padding = pairOf(r, "padding", {0, 0});
    if (r.refused() || r.truth("ceil_mode", false) || r.rank(self) < 3)
        return r.refuse("this window is not written as a primitive");
    const Argument divisor = r.has("divisor_override") ? *r.raw("divisor_override") : Argument();
    r.bind(r.emit("avg_pool2d", {{"self", ValueRef{self}}, {"kernel_size", intList(kernel)}, {"stride", intList(stride)},
        {"padding", intList(padding)}, {"ceil_mode", false}, {"count_include_pad", r.truth("count_include_pad", true)},
        {"divisor_override", divisor}}, r.type(self).dtype, r.result().shape));
}

/// One axis of length 1 more, and it is a window in two dimensions.
void averagePoolRow(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    const auto one = [&](const char* name, std::int64_t otherwise) { return r.ints(name).empty() ? otherwise : r.ints(name).front(); };
    if (r.refused() || r.truth("ceil_mode", false) || r.rank(self) < 2 || r.ints("kernel_size").size() != 1)
        return r.refuse("this window is not written as a primitive");
    const std::int64_t kernel = r.ints("kernel_size").front();
    Shape shape = r.type(self).shape;
    shape.insert(shape.end() - 1, 1);
    if (shape.size() == 3)
        shape.insert(shape.begin(), 1);
    Shape pooled = shape;
    pooled.back() = r.result().shape.back();
    const ValueId flat = r.emit("avg_pool2d", {{"self", ValueRef{r.reshape(self, shape)}}, {"kernel_size", intList({1, kernel})},
        {"stride", intList({1, one("stride", kernel)})}, {"padding", intList({0, one("padding", 0)})}, {"ceil_mode", false},
        {"count_include_pad", r.truth("count_include_pad", true)}, {"divisor_override", Argument()}}, r.type(self).dtype, pooled);
    r.bind(r.reshape(flat, r.result().shape));
}

Argument fillOf(const std::string& target, Rewriter& r)
{
    if (target.find("zeros") != std::string::npos)
        return isFloating(r.result().dtype) ? Argument(0.0) : Argument(std::int64_t{0});
    if (target.find("ones") != std::string::npos)
        return isFloating(r.result().dtype) ? Argument(1.0) : Argument(std::int64_t{1});
    return r.operand(target == "aten::scalar_tensor" ? "s" : "fill_value");
}

void filled(Rewriter& r)
{
    const Argument number = fillOf(r.node().target, r);
    if (r.refused() || Rewriter::isTensor(number))
        return r.refuse("a symbolic number");
    r.bind(r.full(r.result().shape, number, r.result().dtype));
}

void arange(Rewriter& r)
{
    const auto start = r.has("start") ? intOf(r.raw("start")) : std::optional<std::int64_t>(0);
    const auto step = r.has("step") ? intOf(r.raw("step")) : std::optional<std::int64_t>(1);
    const auto end = intOf(r.raw("end"));
    if (!start || !step || !end)
        return r.refuse("a symbolic or floating range");
    r.bind(r.emit("arange.start_step", {{"start", *start}, {"end", *end}, {"step", *step}, {"dtype", r.result().dtype}},
        r.result().dtype, r.result().shape));
}

} // namespace

void addCopyRules(RuleTable& table)
{
    for (const char* name : {"aten::clone", "aten::contiguous", "aten::_to_copy", "aten::to.dtype", "aten::to.dtype_layout",
             "aten::to.device", "aten::to.other", "aten::type_as", "aten::alias", "aten::detach", "aten::detach_",
             "aten::lift_fresh", "aten::lift_fresh_copy", "aten::dropout", "aten::feature_dropout", "aten::alpha_dropout"})
        table.emplace(name, copy);
    for (const char* name : {"aten::full", "aten::full_like", "aten::zeros", "aten::zeros_like", "aten::ones",
             "aten::ones_like", "aten::new_zeros", "aten::new_ones", "aten::new_full", "aten::scalar_tensor"})
        table.emplace(name, filled);
    for (const char* name : {"aten::reflection_pad1d", "aten::reflection_pad2d", "aten::reflection_pad3d",
             "aten::replication_pad1d", "aten::replication_pad2d", "aten::replication_pad3d"})
        table.emplace(name, borderPad);
    table.insert({{"aten::flip", flip}, {"aten::roll", roll}, {"aten::repeat", repeat}, {"aten::tile", repeat},
        {"aten::repeat_interleave.self_int", repeatEach}, {"aten::pixel_shuffle", pixelShuffle}, {"aten::cat", concatenate},
        {"aten::concat", concatenate}, {"aten::stack", stack}, {"aten::pad", padByMode}, {"aten::constant_pad_nd", constantPad},
        {"aten::avg_pool2d", averagePool}, {"aten::avg_pool1d", averagePoolRow}, {"aten::arange", arange},
        {"aten::arange.start", arange}, {"aten::arange.start_step", arange}});
}

} // namespace kw
