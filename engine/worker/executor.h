// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <ATen/core/ivalue.h>

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace kw {

/// Tensors by the names that GraphInput::target uses.
using WeightMap = std::map<std::string, at::Tensor>;

struct ExecutorOptions {
    /// The reference for errors: every floating value and every internal cast to a floating type becomes double.
    bool fp64 = false;
    /// Replaces results of nodes of the top graph (index, result); a result that stays is returned as it came. May throw.
    std::function<c10::IValue(std::int32_t node, c10::IValue result)> onResult;
};

/// Watches a run of the top graph, node by node, on the calling thread. Sub-graphs count as part of their node.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    virtual void runStarts(const std::vector<c10::IValue>& slots) { static_cast<void>(slots); } ///< inputs are filled in
    virtual void nodeStarts(std::int32_t node) { static_cast<void>(node); }
    virtual void nodeEnds(std::int32_t node) { static_cast<void>(node); }
    /// Results and arguments of the node are still alive: slots by ValueId.
    virtual void nodeDone(std::int32_t node, const std::vector<c10::IValue>& slots) { static_cast<void>(node), static_cast<void>(slots); }
};

/// Runs a Graph node by node through the dispatcher's boxed calls, under no_grad, freeing values after their last use.
/// Every run starts from the same state: buffers and inputs that the graph writes to are copied first.
/// The number of threads is the process' (at::set_num_threads). Not thread-safe; movable.
class Executor {
public:
    /// Errors: those of bindCall(), "import.missing_weight" (weight), "import.unsupported_operator" (operator).
    static Result<Executor> prepare(const Graph& graph, const WeightMap& weights = {}, const ExecutorOptions& options = {});
    Executor(Executor&&) noexcept;
    Executor& operator=(Executor&&) noexcept;
    ~Executor();

    /// One value per input of kind User, in order; one result per graph output (mutations included).
    /// Errors: "execute.operator_failed" (operator, node, why), "execute.out_of_memory" (operator, node),
    /// "execute.input_count" (expected, actual), "execute.stopped".
    Result<std::vector<c10::IValue>> run(std::span<const c10::IValue> inputs, RunObserver* observer = nullptr,
        std::stop_token stop = {});
    /// The same for tensors only.
    Result<std::vector<at::Tensor>> runTensors(std::span<const at::Tensor> inputs, std::stop_token stop = {});

    const Graph& graph() const;
    /// Inputs (values) that a run would overwrite without the copies.
    const std::vector<ValueId>& mutatedInputs() const;

    struct Program;

private:
    explicit Executor(std::unique_ptr<Program> program);
    std::unique_ptr<Program> m_program;
};

} // namespace kw
