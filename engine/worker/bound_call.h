// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <variant>
#include <vector>

namespace kw {

/// Values of a running graph, by ValueId.
using Slots = std::vector<c10::IValue>;

/// An argument that is made from slots at every call. Constants are IValues made once.
struct SlotArgument {
    ValueId id = noValue;
    c10::TypePtr type;                   ///< what the operator wants, without its outer Optional
};
struct TensorListArgument {
    std::vector<ValueId> ids;            ///< noValue = None
    bool optionalElements = false;
};
struct IntListArgument {
    std::vector<IntItem> items;
};
using BoundArgument = std::variant<c10::IValue, SlotArgument, TensorListArgument, IntListArgument>;

/// One node bound to the dispatcher: arguments in schema order, defaults filled in.
struct BoundCall {
    c10::OperatorHandle handle;
    std::vector<BoundArgument> arguments;
};

struct BindOptions {
    bool fp64 = false;                   ///< floating element types in arguments become double
};

/// Errors: "import.unknown_operator" (operator), "import.forbidden_operator" (operator), "import.operator_library"
/// (operator, library), "import.bad_call" (operator, what).
Result<BoundCall> bindCall(const Node& node, const Graph& graph, const BindOptions& options);

/// The value of a bound argument for this run. Throws c10::Error on a value of a wrong kind.
c10::IValue materialise(const BoundArgument& argument, const Slots& slots);

/// Runs the operator; the results stand on the stack. Throws whatever the operator throws.
std::vector<c10::IValue> invoke(const BoundCall& call, const Slots& slots);

/// Input values (ids) whose memory the operator writes to, by its schema; and pairs (input, output) that share memory.
struct AliasInfo {
    std::vector<ValueId> written;
    std::vector<std::pair<ValueId, std::size_t>> aliases; ///< value, index of the return
};
AliasInfo aliasInfo(const BoundCall& call);

} // namespace kw
