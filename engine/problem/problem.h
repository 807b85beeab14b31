// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kw {

/// A size: a constant, or one of the problem's dimensions.
struct Size {
    std::int64_t constant = 0; ///< used when dimension < 0
    std::int32_t dimension = -1;
    friend bool operator==(const Size&, const Size&) = default;
};

/// A named size of the problem. Free dimensions may take any value >= 0 without changing what the graph means;
/// the others are fixed by a view, a slice, a window or a constant inside the graph.
struct Dimension {
    std::string name;               ///< "d0", "d1" ... ; an identifier
    std::int64_t captured = 0;      ///< its size in the model
    bool free = false;
    friend bool operator==(const Dimension&, const Dimension&) = default;
};

enum class DomainKind : std::uint8_t {
    Normal,      ///< floating values: mean + deviation x standard normal
    Uniform,     ///< floating values in [low, high]
    Integers,    ///< integers in [low, high]
    Boolean,     ///< true with probability `mean`
    Mask,        ///< floating additive mask: 0 or a large negative number
};

/// Which values an argument may take. Captured from the model's own run, editable by a person.
struct InputDomain {
    DomainKind kind = DomainKind::Normal;
    double low = 0, high = 1;        ///< hard bounds that every test input respects (Normal: clamp when low < high)
    double mean = 0, deviation = 1;
    bool bounded = false;            ///< low and high are hard bounds (a probability, a positive number, an index)
    friend bool operator==(const InputDomain&, const InputDomain&) = default;
};

/// One tensor of a problem's signature.
struct TensorArgument {
    std::string name;                       ///< a C identifier, unique within the problem
    DType dtype = DType::Float;
    std::vector<Size> shape;
    std::vector<std::int64_t> strides;      ///< captured, in elements, at the captured sizes
    ValueId value = noValue;                ///< the value of Problem::reference that it is
    InputDomain domain;                     ///< inputs only
    bool sharedAcrossCalls = false;         ///< a weight or constant of the model: same content at every call of a site
    friend bool operator==(const TensorArgument&, const TensorArgument&) = default;
};

/// One place in the model where the problem is called.
struct CallSite {
    std::vector<std::int32_t> nodes;        ///< indices into the model graph, ascending
    std::vector<ValueId> inputs, outputs;   ///< model-graph values in the order of the problem's inputs and outputs
    std::string modulePath;
    SourceLocation source;
    double seconds = 0;                     ///< measured in the model's profile
    friend bool operator==(const CallSite&, const CallSite&) = default;
};

/// The sizes of one real call and how often it happens per run of the model.
struct UsedShape {
    std::vector<std::int64_t> dimensions;   ///< one per Problem::dimensions
    std::int64_t calls = 1;
    friend bool operator==(const UsedShape&, const UsedShape&) = default;
};

/// Allowed error against the fp64 reference: factor x the library's own error, but at least floorUlps of the output.
/// See docs of engine/measure for the derivation; both numbers stand on every verdict.
struct ErrorBudget {
    double factor = 4;
    double floorUlps = 16;
    friend bool operator==(const ErrorBudget&, const ErrorBudget&) = default;
};

enum class RegionKind : std::uint8_t { Pointwise, RowReduction, ColumnReduction, Window, Epilogue };

/// A region cut out of a model (or brought by a person) as a self-contained task. A versioned file; a value type.
struct Problem {
    static constexpr int version = 1;

    std::string id;                         ///< 16 hexadecimal digits of the structural hash
    std::string name;                       ///< e.g. "pow_mean_rsqrt_mul"; untrusted only through the model's node names
    RegionKind kind = RegionKind::Pointwise;
    Graph reference;                        ///< inputs and outputs in signature order, types captured
    std::vector<Dimension> dimensions;
    std::vector<TensorArgument> inputs, outputs;
    std::vector<UsedShape> shapes;          ///< at least one; shapes[0] is the most frequent
    std::vector<CallSite> sites;
    ErrorBudget budget;

    double compulsoryBytes = 0;             ///< each input read once, each output written once, at shapes[0], per call
    double flops = 0;                       ///< per call at shapes[0]
    double seconds = 0;                     ///< measured per call in the model
    double allocationSeconds = 0;           ///< part of `seconds` that goes into page faults and allocation
    double floorSeconds = 0;                ///< max(bytes / calibrated bandwidth, FLOPs / calibrated rate), per call
    double predictedSeconds = 0;            ///< what a good kernel is expected to take, per call

    std::int64_t calls() const { return static_cast<std::int64_t>(sites.size()); }
    /// Model-seconds that the prediction promises to save per run of the model.
    double predictedSaving() const { return static_cast<double>(calls()) * (seconds - predictedSeconds); }
    friend bool operator==(const Problem&, const Problem&) = default;
};

/// The concrete shape of an argument for the given sizes of the dimensions.
std::vector<std::int64_t> concreteShape(const std::vector<Size>& shape, const std::vector<std::int64_t>& dimensions);
/// Strides at other sizes: the captured order of the dimensions is kept, gaps and broadcasts (stride 0) as captured.
std::vector<std::int64_t> concreteStrides(const TensorArgument& argument, const std::vector<std::int64_t>& dimensions,
    const std::vector<std::int64_t>& captured);
/// The sizes captured in the model, one per dimension.
std::vector<std::int64_t> capturedDimensions(const Problem& problem);
/// The reference graph for other sizes of the free dimensions: shapes of all values and baked-in sizes of views,
/// expands and constants replaced. Error "problem.cannot_resize" (node) when a node pins a size that would change.
Result<Graph> referenceAt(const Problem& problem, const std::vector<std::int64_t>& dimensions);

void to_json(Json& json, const Problem& problem);
void from_json(const Json& json, Problem& problem);

} // namespace kw
