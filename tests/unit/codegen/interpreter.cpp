// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace kw::test {

namespace {

using Shape = std::vector<std::int64_t>;

Shape unravel(std::int64_t flat, const Shape& shape)
{
    Shape index(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        index[d] = flat % shape[d];
        flat /= shape[d];
    }
    return index;
}

/// Element of a tensor that broadcasts to the index's shape.
double element(const Dense& tensor, const Shape& index)
{
    const std::size_t skip = index.size() - tensor.shape.size();
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < tensor.shape.size(); ++d)
        flat = flat * tensor.shape[d] + (tensor.shape[d] == 1 ? 0 : index[d + skip]);
    return tensor.values.at(static_cast<std::size_t>(flat));
}

Dense generate(DType dtype, const Shape& shape, const std::function<double(const Shape&)>& at)
{
    Dense result{dtype, shape, {}};
    const std::int64_t count = result.elements();
    for (std::int64_t i = 0; i < count; ++i)
        result.values.push_back(at(unravel(i, shape)));
    return result;
}

class Interpreter {
public:
    Interpreter(const Graph& graph, bool rounded) : m_graph(graph), m_rounded(rounded), m_values(graph.values.size()) {}

    std::vector<Dense> run(const std::vector<Dense>& inputs)
    {
        for (std::size_t i = 0; i < inputs.size(); ++i)
            m_values.at(static_cast<std::size_t>(m_graph.inputs[i].value)) = inputs[i];
        for (const Node& node : m_graph.nodes) {
            Dense result = call(node);
            if (m_rounded && result.dtype == DType::Float)
                for (double& value : result.values)
                    value = static_cast<double>(static_cast<float>(value));
            m_values.at(static_cast<std::size_t>(node.outputs.at(0).values.at(0))) = std::move(result);
        }
        std::vector<Dense> results;
        for (const GraphOutput& output : m_graph.outputs)
            results.push_back(m_values.at(static_cast<std::size_t>(std::get<ValueRef>(output.value).id)));
        return results;
    }

private:
    Dense tensor(const Node& node, const char* name) const
    {
        if (const auto number = numberOf(findArgument(node, name)))
            return Dense{DType::Float, {}, {*number}};
        return m_values.at(static_cast<std::size_t>(valueOf(findArgument(node, name))));
    }
    std::int64_t integer(const Node& node, const char* name) const { return intOf(findArgument(node, name)).value(); }
    Shape integers(const Node& node, const char* name) const { return intsOf(findArgument(node, name)).value(); }

    Dense call(const Node& node) const
    {
        const TensorType& type = *m_graph.values.at(static_cast<std::size_t>(node.outputs[0].values[0])).type;
        const std::string name = node.target.substr(6, node.target.find('.') == std::string::npos ? std::string::npos : node.target.find('.') - 6);
        static const std::map<std::string, double (*)(double)> unary{{"exp", std::exp}, {"log", std::log}, {"sqrt", std::sqrt}, {"tanh", std::tanh},
            {"sin", std::sin}, {"cos", std::cos}, {"erf", std::erf}, {"abs", std::fabs}, {"floor", std::floor}, {"log1p", std::log1p},
            {"expm1", std::expm1}, {"neg", [](double x) { return -x; }}, {"reciprocal", [](double x) { return 1 / x; }},
            {"rsqrt", [](double x) { return 1 / std::sqrt(x); }}, {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
            {"relu", [](double x) { return x < 0 ? 0 : x; }}, {"silu", [](double x) { return x / (1 + std::exp(-x)); }},
            {"logical_not", [](double x) { return x == 0 ? 1.0 : 0.0; }}, {"_to_copy", [](double x) { return x; }},
            {"gelu", [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }}};
        if (const auto found = unary.find(name); found != unary.end()) {
            const Dense self = tensor(node, "self");
            return generate(type.dtype, type.shape, [&](const Shape& at) { return found->second(element(self, at)); });
        }
        static const std::map<std::string, double (*)(double, double)> binary{{"add", [](double a, double b) { return a + b; }},
            {"sub", [](double a, double b) { return a - b; }}, {"mul", [](double a, double b) { return a * b; }},
            {"div", [](double a, double b) { return a / b; }}, {"pow", [](double a, double b) { return std::pow(a, b); }},
            {"maximum", [](double a, double b) { return std::isnan(a) || a > b ? a : b; }},
            {"minimum", [](double a, double b) { return std::isnan(a) || a < b ? a : b; }},
            {"lt", [](double a, double b) { return a < b ? 1.0 : 0.0; }}, {"ge", [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
            {"eq", [](double a, double b) { return a == b ? 1.0 : 0.0; }}, {"gt", [](double a, double b) { return a > b ? 1.0 : 0.0; }},
            {"logical_and", [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }}};
        if (const auto found = binary.find(name); found != binary.end()) {
            const Dense a = tensor(node, "self"), b = tensor(node, findArgument(node, "exponent") ? "exponent" : "other");
            return generate(type.dtype, type.shape, [&](const Shape& at) { return found->second(element(a, at), element(b, at)); });
        }
        if (name == "where") {
            const Dense condition = tensor(node, "condition"), a = tensor(node, "self"), b = tensor(node, "other");
            return generate(type.dtype, type.shape, [&](const Shape& at) { return element(condition, at) != 0 ? element(a, at) : element(b, at); });
        }
        if (name == "sum" || name == "mean" || name == "amax" || name == "amin")
            return reduce(node, name, type);
        if (name == "softmax")
            return softmax(node, type);
        return map(node, name, type);
    }

    Dense reduce(const Node& node, const std::string& name, const TensorType& type) const
    {
        const Dense self = tensor(node, "self");
        const Shape dims = integers(node, "dim");
        const bool keep = boolOf(findArgument(node, "keepdim")).value_or(false);
        std::vector<double> start(static_cast<std::size_t>(type.elements()), name == "amax" ? -INFINITY : name == "amin" ? INFINITY : 0);
        Dense result{type.dtype, type.shape, start};
        double count = 1;
        for (const std::int64_t dim : dims)
            count *= static_cast<double>(self.shape.at(static_cast<std::size_t>(dim)));
        for (std::int64_t i = 0; i < self.elements(); ++i) {
            const Shape at = unravel(i, self.shape);
            std::int64_t flat = 0;
            std::size_t next = 0;
            for (std::size_t d = 0; d < at.size(); ++d) {
                const bool over = std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(d)) != dims.end();
                if (over && !keep)
                    continue;
                flat = flat * type.shape.at(next++) + (over ? 0 : at[d]);
            }
            double& total = result.values[static_cast<std::size_t>(flat)];
            const double value = self.values[static_cast<std::size_t>(i)];
            if (name == "amax")
                total = std::isnan(value) || value > total ? value : total;
            else if (name == "amin")
                total = std::isnan(value) || value < total ? value : total;
            else
                total = m_rounded ? static_cast<double>(static_cast<float>(total + value)) : total + value / (name == "mean" ? count : 1);
        }
        if (m_rounded && name == "mean")
            for (double& total : result.values)
                total /= count;
        return result;
    }

    Dense softmax(const Node& node, const TensorType& type) const
    {
        const Dense self = tensor(node, "self");
        std::int64_t dim = integer(node, "dim");
        dim = dim < 0 ? dim + static_cast<std::int64_t>(self.shape.size()) : dim;
        return generate(type.dtype, type.shape, [&](const Shape& at) {
            double top = -INFINITY, total = 0;
            Shape other = at;
            for (std::int64_t i = 0; i < self.shape[static_cast<std::size_t>(dim)]; ++i) {
                other[static_cast<std::size_t>(dim)] = i;
                top = std::max(top, element(self, other));
            }
            for (std::int64_t i = 0; i < self.shape[static_cast<std::size_t>(dim)]; ++i) {
                other[static_cast<std::size_t>(dim)] = i;
                total += std::exp(element(self, other) - top);
            }
            return std::exp(element(self, at) - top) / total;
        });
    }

    Dense map(const Node& node, const std::string& name, const TensorType& type) const
    {
        if (name == "arange") {
            const double start = static_cast<double>(integer(node, "start")), step = static_cast<double>(integer(node, "step"));
            return generate(type.dtype, type.shape, [&](const Shape& at) { return start + step * static_cast<double>(at[0]); });
        }
        if (name == "full")
            return generate(type.dtype, type.shape, [&](const Shape&) { return numberOf(findArgument(node, "fill_value")).value(); });
        if (name == "cat") {
            const auto parts = std::get<std::vector<ValueRef>>(*findArgument(node, "tensors"));
            const auto dim = static_cast<std::size_t>(integer(node, "dim"));
            return generate(type.dtype, type.shape, [&](Shape at) {
                for (const ValueRef& part : parts) {
                    const Dense& tensor = m_values.at(static_cast<std::size_t>(part.id));
                    if (at[dim] < tensor.shape[dim])
                        return element(tensor, at);
                    at[dim] -= tensor.shape[dim];
                }
                throw std::runtime_error("cat");
            });
        }
        const Dense self = tensor(node, "self");
        if (name == "reshape" || name == "view")
            return Dense{type.dtype, type.shape, self.values};
        if (name == "expand")
            return generate(type.dtype, type.shape, [&](const Shape& at) { return element(self, at); });
        if (name == "permute") {
            const Shape dims = integers(node, "dims");
            return generate(type.dtype, type.shape, [&](const Shape& at) {
                Shape from(at.size());
                for (std::size_t d = 0; d < at.size(); ++d)
                    from[static_cast<std::size_t>(dims[d])] = at[d];
                return element(self, from);
            });
        }
        if (name == "slice") {
            const auto dim = static_cast<std::size_t>(integer(node, "dim"));
            return generate(type.dtype, type.shape, [&](Shape at) {
                at[dim] = integer(node, "start") + at[dim] * integer(node, "step");
                return element(self, at);
            });
        }
        if (name == "select") {
            const auto dim = integer(node, "dim");
            return generate(type.dtype, type.shape, [&](Shape at) {
                at.insert(at.begin() + dim, integer(node, "index"));
                return element(self, at);
            });
        }
        if (name == "flip") {
            const Shape dims = integers(node, "dims");
            return generate(type.dtype, type.shape, [&](Shape at) {
                for (const std::int64_t dim : dims)
                    at[static_cast<std::size_t>(dim)] = self.shape[static_cast<std::size_t>(dim)] - 1 - at[static_cast<std::size_t>(dim)];
                return element(self, at);
            });
        }
        if (name == "avg_pool2d")
            return pool(node, self, type);
        return pad(node, name, self, type);
    }

    Dense pad(const Node& node, const std::string& name, const Dense& self, const TensorType& type) const
    {
        const bool constant = name == "constant_pad_nd";
        if (!constant && name.find("_pad") == std::string::npos)
            throw std::runtime_error("no rule for " + node.target);
        const Shape pads = integers(node, constant ? "pad" : "padding");
        return generate(type.dtype, type.shape, [&](Shape at) {
            for (std::size_t i = 0; i < pads.size() / 2; ++i) {
                const std::size_t dim = at.size() - 1 - i;
                std::int64_t& x = at[dim];
                const std::int64_t size = self.shape[dim];
                x -= pads[2 * i];
                if (x >= 0 && x < size)
                    continue;
                if (constant)
                    return numberOf(findArgument(node, "value")).value_or(0);
                if (name.starts_with("reflection"))
                    x = x < 0 ? -x : 2 * (size - 1) - x;
                else
                    x = std::clamp<std::int64_t>(x, 0, size - 1);
            }
            return element(self, at);
        });
    }

    Dense pool(const Node& node, const Dense& self, const TensorType& type) const
    {
        const Shape kernel = integers(node, "kernel_size"), stride = integers(node, "stride"), padding = integers(node, "padding");
        const bool include = boolOf(findArgument(node, "count_include_pad")).value_or(true);
        const std::size_t rank = self.shape.size();
        return generate(type.dtype, type.shape, [&](Shape at) {
            double total = 0;
            int inside = 0;
            const Shape base = at;
            for (std::int64_t y = 0; y < kernel[0]; ++y)
                for (std::int64_t x = 0; x < kernel[1]; ++x) {
                    at[rank - 2] = base[rank - 2] * stride[0] - padding[0] + y;
                    at[rank - 1] = base[rank - 1] * stride[1] - padding[1] + x;
                    if (at[rank - 2] < 0 || at[rank - 1] < 0 || at[rank - 2] >= self.shape[rank - 2] || at[rank - 1] >= self.shape[rank - 1])
                        continue;
                    total += element(self, at);
                    ++inside;
                }
            return total / static_cast<double>(include ? kernel[0] * kernel[1] : inside);
        });
    }

    const Graph& m_graph;
    bool m_rounded;
    std::vector<Dense> m_values;
};

} // namespace

std::vector<Dense> interpret(const Graph& graph, const std::vector<Dense>& inputs, bool rounded) { return Interpreter(graph, rounded).run(inputs); }

} // namespace kw::test
