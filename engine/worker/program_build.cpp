// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/program.h"

#include "worker/torch_types.h"

#include <algorithm>
#include <numeric>

namespace kw {
namespace {

std::string_view nameBehind(std::string_view space, std::string_view target)
{
    return target.starts_with(space) ? target.substr(space.size()) : std::string_view();
}

Error unsupportedOperator(const std::string& target)
{
    return Error{Message("import.unsupported_operator").with("operator", target), {}};
}

PositionalArguments positional(const Node& node)
{
    PositionalArguments arguments;
    for (const auto& argument : node.arguments)
        arguments.push_back(argument.value);
    return arguments;
}

std::optional<HigherOrder> higherOrder(std::string_view name)
{
    if (name == "wrap_with_set_grad_enabled")
        return HigherOrder::SetGradEnabled;
    if (name == "wrap_with_autocast")
        return HigherOrder::Autocast;
    if (name == "cond")
        return HigherOrder::Cond;
    if (name == "while_loop")
        return HigherOrder::WhileLoop;
    return std::nullopt;
}

Result<Step> buildStep(const Graph& graph, std::size_t index, const ExecutorOptions& options)
{
    const Node& node = graph.nodes[index];
    Step step;
    step.node = static_cast<std::int32_t>(index);
    if (const auto name = nameBehind("python::", node.target); !name.empty()) {
        const PythonOperator function = findPythonOperator(std::string(name));
        if (!function || node.outputs.size() != 1)
            return unsupportedOperator(node.target);
        step.call = PythonCall{function, positional(node)};
    } else if (const auto order = nameBehind("higher_order::", node.target); !order.empty()) {
        const auto kind = higherOrder(order);
        if (!kind)
            return unsupportedOperator(node.target);
        step.call = HigherOrderCall{*kind, positional(node)};
    } else {
        KW_TRY(step.call, bindCall(node, graph, BindOptions{options.fp64}));
    }
    return step;
}

/// After which node each value is not needed any more.
void findDeaths(Executor::Program& program)
{
    std::vector<std::int32_t> lastUse(program.graph.values.size(), -1);
    for (std::size_t index = 0; index < program.graph.nodes.size(); ++index) {
        for (const ValueId id : readValues(program.graph.nodes[index]))
            lastUse[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(index);
        for (const ValueId id : writtenValues(program.graph.nodes[index]))
            lastUse[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(index);
    }
    for (const auto& output : program.graph.outputs)
        for (const ValueId id : readValues(output.value))
            lastUse[static_cast<std::size_t>(id)] = -1;
    for (std::size_t id = 0; id < lastUse.size(); ++id)
        if (lastUse[id] >= 0)
            program.steps[static_cast<std::size_t>(lastUse[id])].dying.push_back(static_cast<ValueId>(id));
}

/// Which graph inputs share memory with a value that some operator writes to.
void findMutations(Executor::Program& program)
{
    std::vector<ValueId> root(program.graph.values.size());
    std::iota(root.begin(), root.end(), 0);
    const auto rootOf = [&root](ValueId id) {
        while (root[static_cast<std::size_t>(id)] != id)
            id = root[static_cast<std::size_t>(id)];
        return id;
    };
    std::vector<ValueId> written;
    for (const auto& step : program.steps) {
        const auto* call = std::get_if<BoundCall>(&step.call);
        if (!call)
            continue;
        const AliasInfo info = aliasInfo(*call);
        written.insert(written.end(), info.written.begin(), info.written.end());
        const Node& node = program.graph.nodes[static_cast<std::size_t>(step.node)];
        for (const auto& [value, result] : info.aliases)
            if (result < node.outputs.size())
                for (const ValueId output : node.outputs[result].values)
                    root[static_cast<std::size_t>(rootOf(output))] = rootOf(value);
    }
    std::vector<bool> touched(root.size(), false);
    for (const ValueId id : written)
        touched[static_cast<std::size_t>(rootOf(id))] = true;
    for (const auto& input : program.graph.inputs)
        if (touched[static_cast<std::size_t>(rootOf(input.value))])
            program.mutated.push_back(input.value);
}

at::Tensor inPrecision(const at::Tensor& tensor, bool fp64)
{
    if (!fp64 || !tensor.defined())
        return tensor;
    if (tensor.is_floating_point())
        return tensor.detach().to(at::kDouble);
    return tensor.is_complex() ? tensor.detach().to(at::kComplexDouble) : tensor;
}

} // namespace

Result<std::unique_ptr<Executor::Program>> buildProgram(const Graph& graph, const WeightMap& weights, const ExecutorOptions& options)
{
    auto program = std::make_unique<Executor::Program>();
    program->graph = graph;
    program->options = options;
    for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
        KW_TRY(Step step, buildStep(graph, index, options));
        program->steps.push_back(std::move(step));
    }
    for (const auto& subgraph : graph.subgraphs) {
        KW_TRY(auto subprogram, buildProgram(subgraph, weights, ExecutorOptions{options.fp64, {}}));
        program->subprograms.push_back(std::move(subprogram));
    }
    for (const auto& input : graph.inputs) {
        if (input.kind == InputKind::User)
            ++program->userInputs;
        if (input.kind == InputKind::User || input.kind == InputKind::Scalar)
            continue;
        const auto found = weights.find(input.target);
        if (found == weights.end())
            return Error{Message("import.missing_weight").with("weight", input.target), {}};
        program->weights.emplace_back(input.value, inPrecision(found->second, options.fp64));
    }
    findDeaths(*program);
    findMutations(*program);
    return program;
}

} // namespace kw
