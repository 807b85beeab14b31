// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kw {

/// A size in the model file: a number, or a symbolic expression with the value it had at export.
struct FileSize {
    std::int64_t number = 0;             ///< the hint of an expression; 0 when it has none
    std::string expression;              ///< empty for a plain number
    friend bool operator==(const FileSize&, const FileSize&) = default;
};

/// A tensor as the model file describes it.
struct TensorDescription {
    DType dtype = DType::Undefined;
    std::vector<FileSize> sizes, strides;
    FileSize offset;                     ///< in elements
    Layout layout = Layout::Strided;
    bool requiresGrad = false;
    bool symbolic() const;
};

/// Where the bytes of a weight, buffer or constant lie in the archive.
struct PayloadEntry {
    std::string path;                    ///< below data/weights or data/constants
    bool isParameter = false;
    bool pickled = false;
    std::optional<TensorDescription> tensor; ///< absent for objects that are no tensors
};
using PayloadConfig = std::map<std::string, PayloadEntry>;

/// Smallest and largest value of a symbolic size; absent = unbounded.
struct SizeRange {
    std::optional<std::int64_t> least, most;
};

/// What models/NAME.json says. Still without captured types.
struct ImportedModel {
    Graph graph;
    std::map<std::string, TensorDescription> tensors; ///< of the top graph, by value name
    std::map<std::string, SizeRange> ranges;          ///< by symbol
    std::string inputSpec, outputSpec;                ///< pytree specifications, JSON text as in the file
    std::string torchVersion;
    std::int64_t schemaMajor = 0, schemaMinor = 0;
};

inline constexpr std::int64_t supportedSchemaMajor = 8;
inline constexpr std::size_t maxNodes = 50000;

/// The text of an untrusted model.json as a validated graph. Pure and free of LibTorch.
/// Errors: "import.malformed" (what), "import.newer_schema" and "import.older_schema" (theirs, ours),
/// "import.unsupported_argument" (kind, node), "import.unsupported_input" (kind), "import.too_many_nodes" (limit).
Result<ImportedModel> importModel(std::string_view text);

/// The text of a weights or constants config. Error: "import.malformed" (what).
Result<PayloadConfig> importPayloads(std::string_view text);

/// c10's element types have other numbers than the file's. Undefined for numbers without a meaning.
DType dtypeFromFile(std::int64_t number);

} // namespace kw
