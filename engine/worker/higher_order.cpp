// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/program.h"

#include "worker/torch_types.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>

#include <stdexcept>

namespace kw {
namespace {

constexpr int maxIterations = 10'000'000;

const Argument& argumentAt(const HigherOrderCall& call, std::size_t index)
{
    if (index >= call.arguments.size())
        throw std::invalid_argument("an argument is missing");
    return call.arguments[index];
}

Executor::Program& subprogram(Executor::Program& program, const Argument& argument)
{
    const auto* ref = std::get_if<SubgraphRef>(&argument);
    if (!ref || ref->index < 0 || static_cast<std::size_t>(ref->index) >= program.subprograms.size())
        throw std::invalid_argument("a sub-graph is expected");
    return *program.subprograms[static_cast<std::size_t>(ref->index)];
}

bool flagAt(const HigherOrderCall& call, std::size_t index, bool otherwise)
{
    const Argument& argument = argumentAt(call, index);
    const auto* flag = std::get_if<bool>(&argument);
    return flag ? *flag : otherwise;
}

/// Appends the values of an operand: lists are laid out one by one.
void appendOperand(const Argument& argument, const Slots& slots, std::vector<c10::IValue>& operands)
{
    if (const auto* refs = std::get_if<std::vector<ValueRef>>(&argument)) {
        for (const ValueRef ref : *refs)
            operands.push_back(ref.id == noValue ? c10::IValue() : slots[static_cast<std::size_t>(ref.id)]);
    } else if (const auto* items = std::get_if<std::vector<IntItem>>(&argument)) {
        for (const auto& item : *items)
            operands.push_back(item.symbol == noValue ? c10::IValue(item.number) : slots[static_cast<std::size_t>(item.symbol)]);
    } else {
        operands.push_back(valueOf(argument, slots));
    }
}

std::vector<c10::IValue> operandsFrom(const HigherOrderCall& call, std::size_t first, const Slots& slots)
{
    std::vector<c10::IValue> operands;
    for (std::size_t index = first; index < call.arguments.size(); ++index)
        appendOperand(call.arguments[index], slots, operands);
    return operands;
}

bool holds(const c10::IValue& value)
{
    if (value.isTensor())
        return value.toTensor().item().toBool();
    return value.isBool() ? value.toBool() : value.toInt() != 0;
}

/// Switches autocast for the CPU and puts it back as it was.
class AutocastScope {
public:
    AutocastScope(bool enabled, std::optional<at::ScalarType> type, bool cache)
        : m_enabled(at::autocast::is_autocast_enabled(at::kCPU)), m_cache(at::autocast::is_autocast_cache_enabled()),
          m_type(at::autocast::get_autocast_dtype(at::kCPU))
    {
        at::autocast::set_autocast_enabled(at::kCPU, enabled);
        at::autocast::set_autocast_cache_enabled(cache);
        if (type)
            at::autocast::set_autocast_dtype(at::kCPU, *type);
        at::autocast::increment_nesting();
    }
    ~AutocastScope()
    {
        if (at::autocast::decrement_nesting() == 0)
            at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(at::kCPU, m_enabled);
        at::autocast::set_autocast_cache_enabled(m_cache);
        at::autocast::set_autocast_dtype(at::kCPU, m_type);
    }
    AutocastScope(const AutocastScope&) = delete;
    AutocastScope& operator=(const AutocastScope&) = delete;

private:
    bool m_enabled, m_cache;
    at::ScalarType m_type;
};

Result<std::vector<c10::IValue>> runAutocast(Executor::Program& program, const HigherOrderCall& call, const Slots& slots,
    const std::stop_token& stop)
{
    std::optional<at::ScalarType> type;
    if (const auto* dtype = std::get_if<DType>(&argumentAt(call, 1)))
        type = toTorch(*dtype);
    // The fp64 reference ignores casts to narrower types, and autocast is nothing else.
    const bool enabled = flagAt(call, 2, true) && !program.options.fp64;
    const AutocastScope scope(enabled, type, flagAt(call, 3, true));
    return runProgram(subprogram(program, argumentAt(call, 4)), operandsFrom(call, 5, slots), nullptr, stop);
}

Result<std::vector<c10::IValue>> runWhile(Executor::Program& program, const HigherOrderCall& call, const Slots& slots,
    const std::stop_token& stop)
{
    auto& condition = subprogram(program, argumentAt(call, 0));
    auto& body = subprogram(program, argumentAt(call, 1));
    std::vector<c10::IValue> carried;
    appendOperand(argumentAt(call, 2), slots, carried);
    const auto additional = operandsFrom(call, 3, slots);
    for (int iteration = 0; iteration < maxIterations; ++iteration) {
        std::vector<c10::IValue> inputs = carried;
        inputs.insert(inputs.end(), additional.begin(), additional.end());
        KW_TRY(const auto goOn, runProgram(condition, inputs, nullptr, stop));
        if (goOn.empty() || !holds(goOn.front()))
            return carried;
        KW_TRY(carried, runProgram(body, inputs, nullptr, stop));
    }
    throw std::runtime_error("the loop does not end");
}

} // namespace

Result<std::vector<c10::IValue>> runHigherOrder(Executor::Program& program, const HigherOrderCall& call, const Slots& slots,
    const std::stop_token& stop)
{
    switch (call.kind) {
    case HigherOrder::SetGradEnabled: {
        const at::AutoGradMode mode(flagAt(call, 0, false));
        return runProgram(subprogram(program, argumentAt(call, 1)), operandsFrom(call, 2, slots), nullptr, stop);
    }
    case HigherOrder::Autocast:
        return runAutocast(program, call, slots, stop);
    case HigherOrder::Cond: {
        const bool taken = holds(valueOf(argumentAt(call, 0), slots));
        return runProgram(subprogram(program, argumentAt(call, taken ? 1 : 2)), operandsFrom(call, 3, slots), nullptr, stop);
    }
    case HigherOrder::WhileLoop:
        return runWhile(program, call, slots, stop);
    }
    throw std::invalid_argument("unknown higher-order operator");
}

} // namespace kw
