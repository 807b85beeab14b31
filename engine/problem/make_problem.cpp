// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/cut.h"

#include "graph/builder.h"
#include "graph/operators.h"
#include "problem/dims.h"
#include "problem/naming.h"
#include "problem/problem_file.h"
#include "problem/roofline.h"

#include <algorithm>
#include <map>

namespace kw {
namespace {

/// Dimensions that the signature shows, numbered in that order.
class SignatureDimensions {
public:
    explicit SignatureDimensions(const SymbolicShapes& symbols) : m_symbols(symbols) {}

    std::vector<Size> shape(ValueId value)
    {
        std::vector<Size> sizes = m_symbols.shapes[static_cast<std::size_t>(value)];
        for (Size& size : sizes) {
            if (size.dimension < 0)
                continue;
            const auto [entry, fresh] = m_numbers.emplace(size.dimension, static_cast<std::int32_t>(m_dimensions.size()));
            if (fresh)
                m_dimensions.push_back({"d" + std::to_string(entry->second),
                    m_symbols.dimensions[static_cast<std::size_t>(size.dimension)].captured, true});
            size = {0, entry->second};
        }
        return sizes;
    }

    std::vector<Dimension> take() { return std::move(m_dimensions); }

private:
    const SymbolicShapes& m_symbols;
    std::map<std::int32_t, std::int32_t> m_numbers;
    std::vector<Dimension> m_dimensions;
};

TensorArgument argumentOf(const Graph& reference, ValueId value, SignatureDimensions& dimensions)
{
    const Value& entry = reference.values[static_cast<std::size_t>(value)];
    TensorArgument argument;
    argument.name = entry.name;
    argument.dtype = entry.type->dtype;
    argument.shape = dimensions.shape(value);
    argument.strides = entry.type->strides;
    argument.value = value;
    return argument;
}

const ValueStatistics* statisticsOf(const RegionOptions& options, ValueId value)
{
    for (const ValueStatistics& entry : options.statistics)
        if (entry.value == value)
            return &entry;
    return nullptr;
}

CallSite siteOf(const ModelView& view, const Cut& cut, double seconds)
{
    CallSite site;
    site.nodes.assign(cut.nodes.begin(), cut.nodes.end());
    site.inputs = cut.inputs;
    site.outputs = cut.outputs;
    site.seconds = seconds;
    bool first = true;
    for (const std::int32_t index : cut.nodes) {
        if (view.role(index) != NodeRole::Compute)
            continue;
        const Node& node = view.node(index);
        site.modulePath = first ? node.modulePath : commonPath(site.modulePath, node.modulePath);
        if (site.source.file.empty())
            site.source = node.source;
        first = false;
    }
    return site;
}

bool followsProduct(const ModelView& view, const Cut& cut)
{
    return std::any_of(cut.inputs.begin(), cut.inputs.end(), [&](ValueId id) {
        const std::int32_t index = view.producer(view.base(id));
        return index >= 0 && operatorKind(view.graph(), view.node(index)) == OperatorKind::Product;
    });
}

} // namespace

Result<Problem> problemOf(const ModelView& view, const Cut& cut, double seconds, double allocationSeconds,
    const Calibration& calibration, const RegionOptions& options)
{
    Problem problem;
    problem.reference = cut.reference;
    problem.name = regionName(view, cut);
    problem.reference.name = problem.name;
    nameValues(view, cut, problem.reference);
    KW_TRY(const SymbolicShapes symbols, symbolicShapes(problem.reference));
    SignatureDimensions dimensions(symbols);
    for (std::size_t index = 0; index < cut.inputs.size(); ++index) {
        TensorArgument argument = argumentOf(problem.reference, problem.reference.inputs[index].value, dimensions);
        argument.domain = inputDomain(view.graph(), cut.inputs[index], statisticsOf(options, cut.inputs[index]));
        argument.sharedAcrossCalls = view.isShared(cut.inputs[index]);
        problem.inputs.push_back(std::move(argument));
    }
    for (const GraphOutput& output : problem.reference.outputs)
        problem.outputs.push_back(argumentOf(problem.reference, valueOf(&output.value), dimensions));
    problem.dimensions = dimensions.take();
    problem.kind = cut.access.kind == RegionKind::Pointwise && followsProduct(view, cut) ? RegionKind::Epilogue : cut.access.kind;
    problem.shapes = {{capturedDimensions(problem), 1}};
    problem.sites = {siteOf(view, cut, seconds)};
    problem.compulsoryBytes = cut.inputBytes + cut.outputBytes;
    problem.flops = floatingOperations(problem.reference);
    problem.seconds = seconds;
    problem.allocationSeconds = allocationSeconds;
    problem.floorSeconds = floorSeconds(calibration, cut.inputBytes, cut.outputBytes, problem.flops);
    problem.predictedSeconds = std::max(cut.predictedSeconds, problem.floorSeconds);
    problem.id = problemId(problem);
    return problem;
}

} // namespace kw
