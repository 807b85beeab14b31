// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/program.h"

#include "worker/torch_types.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace kw {
namespace {

/// In the fp64 reference nothing may fall back to a narrower floating type, whatever an operator's default is.
c10::IValue widened(c10::IValue value)
{
    if (!value.isTensor() || !value.toTensor().defined())
        return value;
    const at::Tensor& tensor = value.toTensor();
    if (tensor.is_floating_point() && tensor.scalar_type() != at::kDouble)
        return tensor.to(at::kDouble);
    if (tensor.is_complex() && tensor.scalar_type() != at::kComplexDouble)
        return tensor.to(at::kComplexDouble);
    return value;
}

c10::IValue kept(const ExecutorOptions& options, std::int32_t node, c10::IValue result)
{
    if (options.fp64)
        result = widened(std::move(result));
    return options.onResult ? options.onResult(node, std::move(result)) : result;
}

void store(const NodeOutput& output, const ExecutorOptions& options, std::int32_t node, c10::IValue result, Slots& slots)
{
    if (!output.isList) {
        slots[static_cast<std::size_t>(output.values.front())] = kept(options, node, std::move(result));
        return;
    }
    const auto list = result.toListRef();
    if (list.size() != output.values.size())
        throw std::runtime_error("the list of results has another length than at export");
    for (std::size_t index = 0; index < list.size(); ++index)
        slots[static_cast<std::size_t>(output.values[index])] = kept(options, node, list[index]);
}

Result<std::vector<c10::IValue>> resultsOf(Executor::Program& program, const Step& step, const Slots& slots, const std::stop_token& stop)
{
    if (const auto* call = std::get_if<BoundCall>(&step.call))
        return invoke(*call, slots);
    if (const auto* call = std::get_if<HigherOrderCall>(&step.call))
        return runHigherOrder(program, *call, slots, stop);
    const auto& call = std::get<PythonCall>(step.call);
    std::vector<c10::IValue> arguments;
    for (const auto& argument : call.arguments)
        arguments.push_back(valueOf(argument, slots));
    return std::vector<c10::IValue>{call.function(arguments)};
}

Error failed(const Executor::Program& program, const Step& step, const std::exception& exception)
{
    const Node& node = program.graph.nodes[static_cast<std::size_t>(step.node)];
    const auto written = writtenValues(node);
    const std::string name = written.empty() ? std::string() : program.graph.values[static_cast<std::size_t>(written.front())].name;
    const std::string why = shortText(exception);
    const bool memory = dynamic_cast<const std::bad_alloc*>(&exception) || why.find("allocate memory") != why.npos
        || why.find("not enough memory") != why.npos;
    if (memory)
        return Error{Message("execute.out_of_memory").with("operator", node.target).with("node", name), why};
    return Error{Message("execute.operator_failed").with("operator", node.target).with("node", name).with("why", why), {}};
}

Result<void> runStep(Executor::Program& program, const Step& step, Slots& slots, const std::stop_token& stop)
{
    try {
        KW_TRY(std::vector<c10::IValue> results, resultsOf(program, step, slots, stop));
        const auto& outputs = program.graph.nodes[static_cast<std::size_t>(step.node)].outputs;
        if (results.size() < outputs.size())
            throw std::runtime_error("there are fewer results than the file binds");
        for (std::size_t index = 0; index < outputs.size(); ++index)
            store(outputs[index], program.options, step.node, std::move(results[index]), slots);
        return {};
    } catch (const std::exception& exception) {
        return failed(program, step, exception);
    }
}

/// Slots with inputs and weights in place; what the graph writes to is a copy.
Slots startingSlots(const Executor::Program& program, std::span<const c10::IValue> inputs)
{
    Slots slots(program.graph.values.size());
    std::size_t next = 0;
    for (const auto& input : program.graph.inputs)
        if (input.kind == InputKind::User) {
            const c10::IValue& given = inputs[next++];
            slots[static_cast<std::size_t>(input.value)] = program.options.fp64 ? widened(given) : given;
        } else if (input.kind == InputKind::Scalar) {
            slots[static_cast<std::size_t>(input.value)] = valueOf(input.constant, slots);
        }
    for (const auto& [id, tensor] : program.weights)
        slots[static_cast<std::size_t>(id)] = tensor;
    for (const ValueId id : program.mutated)
        if (auto& slot = slots[static_cast<std::size_t>(id)]; slot.isTensor())
            slot = slot.toTensor().clone();
    return slots;
}

} // namespace

c10::IValue valueOf(const Argument& argument, const Slots& slots)
{
    if (std::holds_alternative<std::monostate>(argument))
        return {};
    if (const auto* ref = std::get_if<ValueRef>(&argument))
        return slots[static_cast<std::size_t>(ref->id)];
    if (const auto* flag = std::get_if<bool>(&argument))
        return *flag;
    if (const auto* number = std::get_if<std::int64_t>(&argument))
        return *number;
    if (const auto* number = std::get_if<double>(&argument))
        return *number;
    if (const auto* text = std::get_if<std::string>(&argument))
        return *text;
    if (const auto* dtype = std::get_if<DType>(&argument))
        return static_cast<std::int64_t>(toTorch(*dtype));
    if (const auto* refs = std::get_if<std::vector<ValueRef>>(&argument)) {
        c10::List<at::Tensor> list;
        for (const ValueRef ref : *refs)
            list.push_back(ref.id == noValue ? at::Tensor() : slots[static_cast<std::size_t>(ref.id)].toTensor());
        return list;
    }
    if (const auto* items = std::get_if<std::vector<IntItem>>(&argument)) {
        c10::List<std::int64_t> list;
        for (const auto& item : *items)
            list.push_back(item.symbol == noValue ? item.number : slots[static_cast<std::size_t>(item.symbol)].toInt());
        return list;
    }
    throw std::invalid_argument("an argument is of a kind that has no value here");
}

Result<std::vector<c10::IValue>> runProgram(Executor::Program& program, std::span<const c10::IValue> inputs, RunObserver* observer,
    const std::stop_token& stop)
{
    if (inputs.size() != program.userInputs)
        return Error{Message("execute.input_count").with("expected", program.userInputs).with("actual", inputs.size()), {}};
    Slots slots = startingSlots(program, inputs);
    if (observer)
        observer->runStarts(slots);
    for (const auto& step : program.steps) {
        if (stop.stop_requested())
            return error("execute.stopped");
        if (observer)
            observer->nodeStarts(step.node);
        KW_CHECK(runStep(program, step, slots, stop));
        if (observer) {
            observer->nodeEnds(step.node);
            observer->nodeDone(step.node, slots);
        }
        for (const ValueId id : step.dying)
            slots[static_cast<std::size_t>(id)] = c10::IValue();
    }
    std::vector<c10::IValue> results;
    try {
        for (const auto& output : program.graph.outputs)
            results.push_back(valueOf(output.value, slots));
    } catch (const std::exception& exception) {
        return Error{Message("execute.operator_failed").with("operator", "output").with("node", "output").with("why", shortText(exception)), {}};
    }
    return results;
}

Executor::Executor(std::unique_ptr<Program> program) : m_program(std::move(program)) {}
Executor::Executor(Executor&&) noexcept = default;
Executor& Executor::operator=(Executor&&) noexcept = default;
Executor::~Executor() = default;

Result<Executor> Executor::prepare(const Graph& graph, const WeightMap& weights, const ExecutorOptions& options)
{
    KW_CHECK(validate(graph));
    const at::NoGradGuard noGrad;
    KW_TRY(auto program, buildProgram(graph, weights, options));
    return Executor(std::move(program));
}

Result<std::vector<c10::IValue>> Executor::run(std::span<const c10::IValue> inputs, RunObserver* observer, std::stop_token stop)
{
    const at::NoGradGuard noGrad;
    return runProgram(*m_program, inputs, observer, stop);
}

Result<std::vector<at::Tensor>> Executor::runTensors(std::span<const at::Tensor> inputs, std::stop_token stop)
{
    const std::vector<c10::IValue> values(inputs.begin(), inputs.end());
    KW_TRY(const auto results, run(values, nullptr, stop));
    std::vector<at::Tensor> tensors;
    for (const auto& result : results) {
        if (!result.isTensor())
            return Error{Message("execute.operator_failed").with("operator", "output").with("node", "output")
                             .with("why", "a result is no tensor"), {}};
        tensors.push_back(result.toTensor());
    }
    return tensors;
}

const Graph& Executor::graph() const { return m_program->graph; }
const std::vector<ValueId>& Executor::mutatedInputs() const { return m_program->mutated; }

} // namespace kw
