// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/axes.h"
#include "codegen/program.h"
#include "codegen/schedule.h"

#include <string>
#include <vector>

namespace kw {

/// Values as functions of indices: what the reference graph means, before any loop is chosen.
enum class IrKind : std::uint8_t {
    Input,    ///< a tensor argument; integers = {input}
    Number,   ///< `number`, for all indices
    Size,     ///< the product of the axes in `sizes` as a number
    Position, ///< number + integers[0] * index of the only dimension (arange)
    Call,     ///< `function` of the arguments at the same (broadcast) index
    Reshape,  ///< row-major
    Permute,  ///< integers: dims
    Expand,   ///< broadcast
    Flip,     ///< integers: dims
    Slice,    ///< integers: {dim, start, step}
    Select,   ///< integers: {dim, index}
    Cat,      ///< integers: {dim, start of each argument ...}
    Pad,      ///< integers: begin per dimension; `pad`, `number` = fill
    Reduce,   ///< integers: dims; `function` = sum, amax, amin; `keep`
    Window,   ///< sum over a window of the last two dimensions; integers: {height, width, top, left}; `pad`
};
enum class PadMode : std::uint8_t { Constant, Reflect, Replicate };

struct IrNode {
    IrKind kind = IrKind::Number;
    std::string function;
    std::vector<std::int32_t> arguments;   ///< indices into ProgramData::nodes, smaller than the own one
    DType dtype = DType::Float;            ///< Float, Bool, Int64 or Int32
    std::vector<std::int64_t> shape;       ///< captured
    std::vector<AxisId> axes;              ///< one per dimension; noAxis where the size is 1
    std::vector<AxisId> sizes;
    std::vector<std::int64_t> integers;
    double number = 0;
    PadMode pad = PadMode::Constant;
    bool keep = false;
    std::string name;                      ///< a C identifier made of the graph's name
};

/// Everything that lowering found out; immutable afterwards.
struct ProgramData {
    Problem problem;
    AxisTable axes;
    std::vector<IrNode> nodes;
    std::vector<std::int32_t> outputs;           ///< node of each output
    std::vector<std::vector<Poly>> inputStrides, outputStrides;
    std::vector<std::int64_t> captured;          ///< sizes of the problem's dimensions
    std::vector<std::int32_t> pinned;            ///< dimensions that have to keep their captured size, ascending
    std::vector<Choice> choices;                 ///< what a schedule may decide
    bool hasWindow = false;
    std::int32_t reductions = 0;
};

} // namespace kw
