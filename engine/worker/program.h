// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/bound_call.h"
#include "worker/executor.h"
#include "worker/python_operators.h"

#include <optional>
#include <variant>
#include <vector>

namespace kw {

/// Argument of a higher-order or Python node: bound by position.
using PositionalArguments = std::vector<Argument>;

struct PythonCall {
    PythonOperator function = nullptr;
    PositionalArguments arguments;
};
enum class HigherOrder : std::uint8_t { SetGradEnabled, Autocast, Cond, WhileLoop };
struct HigherOrderCall {
    HigherOrder kind = HigherOrder::Cond;
    PositionalArguments arguments;
};

/// A node that is ready to run.
struct Step {
    std::int32_t node = 0;
    std::variant<PythonCall, HigherOrderCall, BoundCall> call;
    std::vector<ValueId> dying;          ///< values that nobody needs after it
};

/// A graph that is ready to run. Sub-graphs are programs of their own.
struct Executor::Program {
    Graph graph;
    ExecutorOptions options;
    std::vector<Step> steps;
    std::vector<std::pair<ValueId, at::Tensor>> weights;
    std::vector<ValueId> mutated;
    std::vector<std::unique_ptr<Program>> subprograms;
    std::size_t userInputs = 0;
};

/// Builds the program. Errors as Executor::prepare().
Result<std::unique_ptr<Executor::Program>> buildProgram(const Graph& graph, const WeightMap& weights, const ExecutorOptions& options);

/// Runs it; grad mode is the caller's.
Result<std::vector<c10::IValue>> runProgram(Executor::Program& program, std::span<const c10::IValue> inputs, RunObserver* observer,
    const std::stop_token& stop);

/// Runs a higher-order node of `program`. Throws on failure of an operator of ours; a sub-graph's own error comes back.
Result<std::vector<c10::IValue>> runHigherOrder(Executor::Program& program, const HigherOrderCall& call, const Slots& slots,
    const std::stop_token& stop);

/// A positional argument's value. Throws std::invalid_argument for what cannot be a value.
c10::IValue valueOf(const Argument& argument, const Slots& slots);

} // namespace kw
