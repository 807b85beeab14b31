// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_graphs.h"

#include <algorithm>
#include <random>

namespace kw::test {

using Shape = std::vector<std::int64_t>;

ValueId Graphs::input(const std::string& name, Shape shape, DType dtype, Shape strides)
{
    TensorType type = rowMajor(dtype, std::move(shape));
    if (!strides.empty())
        type.strides = std::move(strides);
    return m_builder.input(name, type);
}

ValueId Graphs::unary(const std::string& function, ValueId self)
{
    return m_builder.call("aten::" + function, {{"self", ValueRef{self}}}, m_builder.type(self).dtype, shape(self), function);
}

namespace {
Shape broadcast(const Shape& a, const Shape& b)
{
    Shape result(std::max(a.size(), b.size()), 1);
    for (const Shape* each : {&a, &b})
        for (std::size_t i = 0; i < each->size(); ++i) {
            std::int64_t& size = result[result.size() - each->size() + i];
            size = std::max(size, (*each)[i]);
        }
    return result;
}
} // namespace

ValueId Graphs::binary(const std::string& function, ValueId a, ValueId b, DType dtype)
{
    return m_builder.call("aten::" + function, {{"self", ValueRef{a}}, {"other", ValueRef{b}}}, dtype, broadcast(shape(a), shape(b)),
        function.substr(0, function.find('.')));
}

ValueId Graphs::binary(const std::string& function, ValueId a, double b, DType dtype)
{
    return m_builder.call("aten::" + function, {{"self", ValueRef{a}}, {"other", b}}, dtype, shape(a), function.substr(0, function.find('.')));
}

ValueId Graphs::power(ValueId a, double exponent)
{
    return m_builder.call("aten::pow.Tensor_Scalar", {{"self", ValueRef{a}}, {"exponent", exponent}}, DType::Float, shape(a), "pow");
}

ValueId Graphs::where(ValueId condition, ValueId a, ValueId b)
{
    return m_builder.call("aten::where.self", {{"condition", ValueRef{condition}}, {"self", ValueRef{a}}, {"other", ValueRef{b}}}, DType::Float,
        broadcast(shape(condition), broadcast(shape(a), shape(b))), "where");
}

ValueId Graphs::reduce(const std::string& function, ValueId self, Shape dims, bool keep)
{
    Shape result;
    for (std::size_t i = 0; i < shape(self).size(); ++i) {
        const bool over = std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(i)) != dims.end();
        if (!over || keep)
            result.push_back(over ? 1 : shape(self)[i]);
    }
    const std::string target = function == "sum" ? "sum.dim_IntList" : function == "mean" ? "mean.dim" : function;
    return m_builder.call("aten::" + target, {{"self", ValueRef{self}}, {"dim", intList(dims)}, {"keepdim", keep}}, DType::Float, result, function);
}

ValueId Graphs::softmax(ValueId self, std::int64_t dim)
{
    return m_builder.call("aten::softmax.int", {{"self", ValueRef{self}}, {"dim", dim}}, DType::Float, shape(self), "softmax");
}

ValueId Graphs::reshape(ValueId self, Shape to)
{
    return m_builder.call("aten::reshape", {{"self", ValueRef{self}}, {"shape", intList(to)}}, m_builder.type(self).dtype, to, "reshape");
}

ValueId Graphs::permute(ValueId self, Shape dims)
{
    Shape result;
    for (const std::int64_t dim : dims)
        result.push_back(shape(self)[static_cast<std::size_t>(dim)]);
    return m_builder.call("aten::permute", {{"self", ValueRef{self}}, {"dims", intList(dims)}}, m_builder.type(self).dtype, result, "permute");
}

ValueId Graphs::expand(ValueId self, Shape to)
{
    return m_builder.call("aten::expand", {{"self", ValueRef{self}}, {"size", intList(to)}}, m_builder.type(self).dtype, to, "expand");
}

ValueId Graphs::slice(ValueId self, std::int64_t dim, std::int64_t start, std::int64_t end, std::int64_t step)
{
    Shape result = shape(self);
    result[static_cast<std::size_t>(dim)] = (end - start + step - 1) / step;
    return m_builder.call("aten::slice.Tensor", {{"self", ValueRef{self}}, {"dim", dim}, {"start", start}, {"end", end}, {"step", step}},
        m_builder.type(self).dtype, result, "slice");
}

ValueId Graphs::select(ValueId self, std::int64_t dim, std::int64_t index)
{
    Shape result = shape(self);
    result.erase(result.begin() + dim);
    return m_builder.call("aten::select.int", {{"self", ValueRef{self}}, {"dim", dim}, {"index", index}}, m_builder.type(self).dtype, result, "select");
}

ValueId Graphs::cat(std::vector<ValueId> parts, std::int64_t dim)
{
    Shape result = shape(parts[0]);
    result[static_cast<std::size_t>(dim)] = 0;
    std::vector<ValueRef> list;
    for (const ValueId part : parts) {
        result[static_cast<std::size_t>(dim)] += shape(part)[static_cast<std::size_t>(dim)];
        list.push_back({part});
    }
    return m_builder.call("aten::cat", {{"tensors", list}, {"dim", dim}}, DType::Float, result, "cat");
}

ValueId Graphs::pad(const std::string& kind, ValueId self, Shape pads)
{
    Shape result = shape(self);
    for (std::size_t i = 0; i < pads.size() / 2; ++i)
        result[result.size() - 1 - i] += pads[2 * i] + pads[2 * i + 1];
    if (kind == "constant")
        return m_builder.call("aten::constant_pad_nd", {{"self", ValueRef{self}}, {"pad", intList(pads)}, {"value", 0.0}}, DType::Float, result, "pad");
    const std::string target = "aten::" + kind + "_pad" + std::to_string(pads.size() / 2) + "d";
    return m_builder.call(target, {{"self", ValueRef{self}}, {"padding", intList(pads)}}, DType::Float, result, "pad");
}

ValueId Graphs::pool(ValueId self, std::int64_t kernel, std::int64_t padding, bool include)
{
    Shape result = shape(self);
    for (std::size_t i = result.size() - 2; i < result.size(); ++i)
        result[i] += 2 * padding - kernel + 1;
    return m_builder.call("aten::avg_pool2d", {{"self", ValueRef{self}}, {"kernel_size", intList({kernel, kernel})}, {"stride", intList({1, 1})},
        {"padding", intList({padding, padding})}, {"ceil_mode", false}, {"count_include_pad", include}, {"divisor_override", std::monostate{}}},
        DType::Float, result, "local_mean");
}

Graph rmsNorm(std::int64_t rows, std::int64_t columns)
{
    Graphs g("rms_norm");
    const ValueId x = g.input("x", {rows, columns}), weight = g.input("weight", {columns});
    const ValueId mean = g.reduce("mean", g.power(x, 2), {1}, true);
    const ValueId scale = g.unary("rsqrt", g.binary("add.Tensor", mean, 1e-6));
    g.output(g.binary("mul.Tensor", weight, g.binary("mul.Tensor", x, scale)));
    return g.take();
}

Graph layerNorm(std::int64_t rows, std::int64_t columns)
{
    Graphs g("layer_norm");
    const ValueId x = g.input("x", {rows, columns}), r = g.input("r", {rows, columns});
    const ValueId weight = g.input("weight", {columns}), bias = g.input("bias", {columns});
    const ValueId sum = g.binary("add.Tensor", x, r);
    const ValueId mean = g.reduce("mean", sum, {1}, true);
    const ValueId centred = g.binary("sub.Tensor", sum, mean);
    const ValueId variance = g.reduce("mean", g.binary("mul.Tensor", centred, centred), {1}, true);
    const ValueId inverse = g.unary("rsqrt", g.binary("add.Tensor", variance, 1e-5));
    const ValueId y = g.binary("add.Tensor", g.binary("mul.Tensor", g.binary("mul.Tensor", centred, inverse), weight), bias);
    g.output(y);
    g.output(sum);
    g.output(mean);
    return g.take();
}

Graph softmaxRows(std::int64_t rows, std::int64_t columns, std::int64_t dim)
{
    Graphs g("softmax");
    const ValueId x = g.input("x", {rows, columns}), mask = g.input("mask", {1, columns});
    g.output(g.softmax(g.binary("add.Tensor", g.binary("mul.Tensor", x, 0.125), mask), dim));
    return g.take();
}

Graph gatedProduct(std::int64_t elements)
{
    Graphs g("silu_mul");
    const ValueId gate = g.input("gate", {3, elements}), up = g.input("up", {3, elements});
    g.output(g.binary("mul.Tensor", g.unary("silu", gate), up));
    return g.take();
}

Graph rotary(std::int64_t heads, std::int64_t tokens, std::int64_t size)
{
    Graphs g("rotary");
    // The projection's result: tokens x (heads x size), seen head by head.
    const ValueId x = g.input("x", {1, heads, tokens, size}, DType::Float, {tokens * heads * size, size, heads * size, 1});
    const ValueId cosine = g.input("cosine", {1, 1, tokens, size}), sine = g.input("sine", {1, 1, tokens, size});
    const ValueId low = g.slice(x, 3, 0, size / 2), high = g.slice(x, 3, size / 2, size);
    const ValueId rotated = g.cat({g.unary("neg", high), low}, 3);
    g.output(g.binary("add.Tensor", g.binary("mul.Tensor", x, cosine), g.binary("mul.Tensor", rotated, sine)));
    return g.take();
}

Graph toneMapping(std::int64_t height, std::int64_t width, std::int64_t window, const std::string& padKind)
{
    Graphs g("tone");
    const ValueId x = g.input("x", {1, 3, height, width}), weights = g.input("weights", {1, 3, 1, 1});
    const ValueId low = g.binary("div.Tensor", x, 12.92);
    const ValueId high = g.power(g.binary("div.Tensor", g.binary("add.Tensor", g.unary("abs", x), 0.055), 1.055), 2.4);
    const ValueId linear = g.where(g.binary("lt.Tensor", x, 0.04045, DType::Bool), low, high);
    const ValueId light = g.reduce("sum", g.binary("mul.Tensor", linear, weights), {1}, true);
    const std::int64_t half = window / 2;
    const auto mean = [&](ValueId value) {
        if (padKind == "zero")
            return g.pool(value, window, half, true);
        if (padKind == "inside")
            return g.pool(value, window, half, false);
        return g.pool(g.pad(padKind, value, {half, half, half, half}), window, 0, true);
    };
    const ValueId average = mean(light);
    const ValueId square = mean(g.binary("mul.Tensor", light, light));
    const ValueId variance = g.binary("maximum", g.binary("sub.Tensor", square, g.binary("mul.Tensor", average, average)), 0.0);
    const ValueId deviation = g.unary("sqrt", g.binary("add.Tensor", variance, 1e-4));
    const ValueId detail = g.binary("div.Tensor", g.binary("sub.Tensor", light, average), deviation);
    const ValueId gain = g.unary("exp", g.binary("mul.Tensor", detail, 0.1));
    const ValueId lifted = g.binary("mul.Tensor", linear, gain);
    const ValueId curve = g.binary("div.Tensor", lifted, g.binary("add.Tensor", g.unary("abs", lifted), 1.0));
    const ValueId clamped = g.binary("minimum", g.binary("maximum", curve, 0.0031308), 1.0);
    g.output(g.binary("sub.Tensor", g.binary("mul.Tensor", g.power(clamped, 1 / 2.4), 1.055), 0.055));
    return g.take();
}

Graph maskedMean(std::int64_t sentences, std::int64_t tokens, std::int64_t width)
{
    Graphs g("masked_mean");
    const ValueId x = g.input("x", {sentences, tokens, width}), mask = g.input("mask", {sentences, tokens, 1});
    // The mask's own sum is as wide as the text's, though it is the same for all of its columns.
    const ValueId wide = g.expand(mask, {sentences, tokens, width});
    const ValueId sum = g.reduce("sum", g.binary("mul.Tensor", x, wide), {1}, false);
    g.output(g.binary("div.Tensor", sum, g.binary("maximum", g.reduce("sum", wide, {1}, false), 1e-9)));
    return g.take();
}

Graph channelNorm(std::int64_t images, std::int64_t channels, std::int64_t pixels)
{
    Graphs g("channel_norm");
    const ValueId x = g.input("x", {images, channels, pixels}), weight = g.input("weight", {channels, 1});
    const ValueId mean = g.reduce("mean", x, {1}, true);
    const ValueId centred = g.binary("sub.Tensor", x, mean);
    const ValueId variance = g.reduce("mean", g.binary("mul.Tensor", centred, centred), {1}, true);
    g.output(g.binary("mul.Tensor", g.binary("div.Tensor", centred, g.unary("sqrt", g.binary("add.Tensor", variance, 1e-6))), weight));
    return g.take();
}

Graph randomGraph(unsigned seed)
{
    std::mt19937 random(seed);
    const auto pick = [&](std::int64_t low, std::int64_t high) { return low + static_cast<std::int64_t>(random() % static_cast<unsigned>(high - low + 1)); };
    Graphs g("random_" + std::to_string(seed));
    const std::size_t rank = static_cast<std::size_t>(pick(1, 3));
    Shape shape;
    const std::int64_t sizes[] = {1, 2, 3, 5, 7, 8, 9, 16, 17, 24, 31, 33, 40, 65};
    for (std::size_t d = 0; d < rank; ++d)
        shape.push_back(sizes[random() % std::size(sizes)]);
    std::vector<ValueId> values;
    for (std::int64_t i = pick(1, 4); i-- > 0;) {
        Shape own = shape;
        for (std::int64_t& size : own)
            if (random() % 4 == 0)
                size = 1;
        Shape strides;
        if (random() % 3 == 0 && own.size() > 1) { // another order of the dimensions, sometimes with gaps
            strides.assign(own.size(), 0);
            std::int64_t step = 1;
            std::vector<std::size_t> order(own.size());
            for (std::size_t d = 0; d < own.size(); ++d)
                order[d] = d;
            std::shuffle(order.begin(), order.end(), random);
            for (const std::size_t d : order) {
                strides[d] = step;
                step = step * own[d] + (random() % 3 == 0 ? 3 : 0);
            }
        }
        values.push_back(g.input("in" + std::to_string(i), own, DType::Float, strides));
    }
    const char* const unary[] = {"exp", "tanh", "sigmoid", "neg", "abs", "sin", "cos", "erf", "silu", "relu", "floor"};
    const char* const binary[] = {"add.Tensor", "sub.Tensor", "mul.Tensor", "maximum", "minimum"};
    const char* const reductions[] = {"sum", "mean", "amax", "amin"};
    const auto dim = static_cast<std::int64_t>(random() % rank);
    const auto bounded = [&](ValueId value) { return g.unary("tanh", value); };
    for (std::int64_t i = pick(2, 9); i-- > 0;) {
        const ValueId a = values[random() % values.size()], b = values[random() % values.size()];
        switch (random() % 6) {
        case 0: values.push_back(g.unary(unary[random() % std::size(unary)], bounded(a))); break;
        case 1: values.push_back(g.binary(binary[random() % std::size(binary)], a, b)); break;
        case 2: values.push_back(g.binary(binary[random() % std::size(binary)], bounded(a), 0.5 + static_cast<double>(pick(1, 9)))); break;
        case 3:
            if (g.shape(a).size() == rank)
                values.push_back(g.reduce(reductions[random() % std::size(reductions)], a, {dim}, true));
            break;
        case 4: values.push_back(g.where(g.binary("lt.Tensor", a, b, DType::Bool), a, b)); break;
        default:
            if (g.shape(a).size() == rank && g.shape(a)[static_cast<std::size_t>(dim)] > 1)
                values.push_back(g.softmax(bounded(a), dim));
        }
    }
    g.output(g.binary("add.Tensor", values.back(), 0.25));
    if (random() % 3 == 0)
        g.output(g.unary("neg", values[values.size() / 2]));
    return g.take();
}

} // namespace kw::test
