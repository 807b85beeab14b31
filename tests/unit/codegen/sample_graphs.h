// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/builder.h"

#include <string>
#include <vector>

namespace kw::test {

/// Short hand for writing graphs of ATen calls whose result types follow from the operands.
class Graphs {
public:
    explicit Graphs(const std::string& name) : m_builder(name) {}

    ValueId input(const std::string& name, std::vector<std::int64_t> shape, DType dtype = DType::Float, std::vector<std::int64_t> strides = {});
    ValueId unary(const std::string& function, ValueId self);
    ValueId binary(const std::string& function, ValueId a, ValueId b, DType dtype = DType::Float);
    ValueId binary(const std::string& function, ValueId a, double b, DType dtype = DType::Float);
    ValueId power(ValueId a, double exponent);
    ValueId where(ValueId condition, ValueId a, ValueId b);
    ValueId reduce(const std::string& function, ValueId self, std::vector<std::int64_t> dims, bool keep);
    ValueId softmax(ValueId self, std::int64_t dim);
    ValueId reshape(ValueId self, std::vector<std::int64_t> shape);
    ValueId permute(ValueId self, std::vector<std::int64_t> dims);
    ValueId expand(ValueId self, std::vector<std::int64_t> shape);
    ValueId slice(ValueId self, std::int64_t dim, std::int64_t start, std::int64_t end, std::int64_t step = 1);
    ValueId select(ValueId self, std::int64_t dim, std::int64_t index);
    ValueId cat(std::vector<ValueId> parts, std::int64_t dim);
    ValueId pad(const std::string& kind, ValueId self, std::vector<std::int64_t> pads);
    ValueId pool(ValueId self, std::int64_t kernel, std::int64_t padding, bool include);
    void output(ValueId value) { m_builder.output(value); }
    const std::vector<std::int64_t>& shape(ValueId value) const { return m_builder.type(value).shape; }
    Graph take() { return m_builder.take(); }

private:
    GraphBuilder m_builder;
};

// Row programs as models hold them.
Graph rmsNorm(std::int64_t rows, std::int64_t columns);
Graph layerNorm(std::int64_t rows, std::int64_t columns);
Graph softmaxRows(std::int64_t rows, std::int64_t columns, std::int64_t dim);
Graph gatedProduct(std::int64_t elements);
Graph rotary(std::int64_t heads, std::int64_t tokens, std::int64_t size);
Graph toneMapping(std::int64_t height, std::int64_t width, std::int64_t window, const std::string& padKind);
Graph maskedMean(std::int64_t sentences, std::int64_t tokens, std::int64_t width);
Graph channelNorm(std::int64_t images, std::int64_t channels, std::int64_t pixels);
/// A random graph of pointwise operators and reductions.
Graph randomGraph(unsigned seed);

} // namespace kw::test
