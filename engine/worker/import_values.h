// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/import_graph.h"

#include "base/json_io.h"

#include <stdexcept>

// Readers for the JSON values of a model file. They throw ImportFailure; importModel() turns it into an Error.
namespace kw {

/// Carries an Error out of nested readers.
struct ImportFailure : std::runtime_error {
    explicit ImportFailure(Error problem) : std::runtime_error(problem.message.id), error(std::move(problem)) {}
    Error error;
};
[[noreturn]] void failImport(std::string what);

const Json& member(const Json& json, const char* key);
/// The only key of a union object, and its value.
std::pair<std::string, const Json*> unionOf(const Json& json);
std::string textOf(const Json& json);
std::int64_t integerOf(const Json& json);
bool boolOf(const Json& json);
/// A number, or one of the texts "Infinity", "-Infinity", "NaN".
double numberOf(const Json& json);

TensorDescription tensorDescription(const Json& json);
MemoryFormat memoryFormatFromFile(std::int64_t number);
Layout layoutFromFile(std::int64_t number);

/// Where a node comes from: the innermost frame of its stack trace that is not torch's own code.
SourceLocation sourceFromTrace(std::string_view trace);
/// Path and class of the innermost module of an nn_module_stack text.
std::pair<std::string, std::string> moduleFromStack(std::string_view stack);
/// "torch.ops.aten.add.Tensor" -> "aten::add.Tensor", "_operator.mul" -> "python::mul".
std::string targetFromFile(std::string_view target);

} // namespace kw
