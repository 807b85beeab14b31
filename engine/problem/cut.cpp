// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/cut.h"

#include "graph/builder.h"
#include "graph/operators.h"
#include "problem/roofline.h"

#include <algorithm>
#include <map>

namespace kw {
namespace {

/// Share of the peak multiply-add rate that whole kernels reach by the costs of graph/operator_table.h, and how much of the
/// shorter of memory and arithmetic time does not hide behind the longer one. Measured on one thread of a Zen 3 machine:
/// GELU 1.57 M elements 2.3 ms, SiLU x product 0.36 M 0.26 ms, layer norm with residual 1,024 x 384 0.15-0.2 ms, tone
/// mapping of 2 M pixels 39 ms; 0.6 predicts these within a quarter.
constexpr double vectorEfficiency = 0.6;
constexpr double unhidden = 0.25;

Error cannotCut(std::string what) { return Error{Message("problem.cannot_cut").with("what", std::move(what)), {}}; }

/// Writes the reference graph: same values, renumbered; in-place calls become out-of-place ones.
Graph referenceOf(const ModelView& view, const Cut& cut)
{
    Graph reference;
    std::map<ValueId, ValueId> renumbered;
    const auto local = [&](ValueId id) {
        const auto [entry, fresh] = renumbered.emplace(id, static_cast<ValueId>(reference.values.size()));
        if (fresh)
            reference.values.push_back(view.graph().values[static_cast<std::size_t>(id)]);
        return entry->second;
    };
    for (const ValueId id : cut.inputs)
        reference.inputs.push_back({local(id), InputKind::User, {}, false, {}});
    for (const std::int32_t index : cut.nodes) {
        reference.nodes.push_back(view.functional(index));
        renumberValues(reference.nodes.back(), local);
    }
    for (const ValueId id : cut.outputs)
        reference.outputs.push_back({ValueRef{local(id)}, OutputKind::User, {}});
    return reference;
}

bool holdsEmpty(const Graph& graph)
{
    return std::any_of(graph.values.begin(), graph.values.end(), [](const Value& value) { return value.type && value.type->elements() == 0; });
}

} // namespace

double predictSeconds(const Calibration& calibration, double inputBytes, double outputBytes, double arithmetic, double launchSeconds,
    double workingSet)
{
    const double bytes = inputBytes + outputBytes;
    workingSet = std::max(workingSet, bytes);
    const double written = bytes > 0 ? std::min(outputBytes / bytes, 0.5) : 0;
    // A kernel that writes as much as it reads is a copy, one that writes nothing a read; in between, in proportion.
    const double rate = 2 * written * copyBandwidth(calibration, workingSet) + (1 - 2 * written) * readBandwidth(calibration, workingSet);
    const double memory = rate > 0 ? bytes / rate : 0;
    const double vectors = calibration.flops > 0 ? arithmetic / (calibration.flops / 2 * vectorEfficiency) : 0;
    return std::max(memory, vectors) + unhidden * std::min(memory, vectors) + launchSeconds;
}

Result<Cut> cutNodes(const ModelView& view, const std::set<std::int32_t>& nodes, const std::set<std::int32_t>& recomputed,
    const Calibration& calibration, const RegionOptions& options)
{
    Cut cut;
    cut.nodes = view.closed(nodes);
    cut.recomputed = recomputed;
    if (cut.nodes.empty())
        return cannotCut("a path leaves the region and comes back");
    if (std::ssize(cut.nodes) > options.maximumNodes)
        return cannotCut("too many operators");
    cut.inputs = view.inputs(cut.nodes);
    cut.outputs = view.outputs(cut.nodes, recomputed);
    if (cut.outputs.empty() || cut.inputs.empty())
        return cannotCut("nothing goes in or comes out");
    if (std::ssize(cut.inputs) > options.maximumInputs || std::ssize(cut.outputs) > options.maximumOutputs)
        return cannotCut("too many tensors");
    cut.reference = referenceOf(view, cut);
    Graph needed = cut.reference;
    const Pruned pruned = pruneUnused(needed);
    if (pruned.nodes.size() != cut.reference.nodes.size())
        return cannotCut("an operator is not needed");
    if (holdsEmpty(cut.reference))
        return cannotCut("a tensor is empty");
    KW_TRY(const Decomposition primitives, decompose(cut.reference));
    KW_TRY(cut.access, analyseAccess(primitives));
    for (const GraphInput& input : cut.reference.inputs)
        cut.inputBytes += readBytes(cut.reference, input.value);
    cut.outputBytes = compulsoryBytes(cut.reference) - cut.inputBytes;
    cut.predictedSeconds = predictSeconds(calibration, cut.inputBytes, cut.outputBytes, cut.access.arithmetic, options.launchSeconds);
    return cut;
}

} // namespace kw
