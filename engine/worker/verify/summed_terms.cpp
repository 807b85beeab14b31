// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/summed_terms.h"

#include "graph/decompose.h"

#include <algorithm>
#include <string_view>

namespace kw {
namespace {

double typedElements(const Graph& graph, ValueId id)
{
    const Value& value = graph.values[static_cast<std::size_t>(id)];
    return value.type ? static_cast<double>(value.type->elements()) : 0;
}

double windowTerms(const Node& node)
{
    double terms = 1;
    if (const Argument* kernel = findArgument(node, "kernel_size"))
        if (const auto* sizes = std::get_if<std::vector<IntItem>>(kernel))
            for (const IntItem& size : *sizes)
                terms *= static_cast<double>(size.number);
    return terms;
}

} // namespace

double termsOf(const Graph& graph, const Node& node)
{
    const std::string_view target = node.target;
    if (target == "aten::avg_pool2d")
        return windowTerms(node);
    if (target != "aten::sum.dim_IntList" && target != "aten::mean.dim")
        return 1;
    const auto read = readValues(node);
    const auto written = writtenValues(node);
    if (read.empty() || written.empty())
        return 1;
    return typedElements(graph, read.front()) / std::max(typedElements(graph, written.front()), 1.0);
}

double summedTerms(const Problem& problem, const std::vector<std::int64_t>& dimensions)
{
    const auto graph = referenceAt(problem, dimensions);
    if (!graph)
        return 1;
    const auto primitives = decompose(*graph);
    if (!primitives)
        return 1;
    double terms = 1;
    for (const Node& node : primitives->graph.nodes)
        terms = std::max(terms, termsOf(primitives->graph, node));
    return terms;
}

} // namespace kw
