// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/resolver.h"
#include "codegen/schedule.h"

#include <map>
#include <set>
#include <vector>

namespace kw {

/// One element of an output written at the current point of the loops.
struct StoreOp {
    std::int32_t output = 0;
    std::int32_t expr = 0;
    Affine offset;
};
/// The expressions that are stored, in order.
std::vector<std::int32_t> rootsOf(const std::vector<StoreOp>& stores);

/// Loops that write outputs: `vector` is the innermost loop and is not in `loops`. Without any loop the stores happen
/// once per point of the outer loops.
struct FinalLoops {
    std::vector<AxisId> loops;  ///< outermost first
    AxisId vector = noAxis;
    Ranges ranges;              ///< only those that are not whole
    std::vector<StoreOp> stores;
};

/// Loops that accumulate reductions.
struct PhaseLoops {
    std::vector<AxisId> loops;
    AxisId vector = noAxis;     ///< noAxis in the column form, where the strip is the vector
    Ranges ranges;
    std::vector<std::int32_t> reduces;
};

enum class PartForm : std::uint8_t {
    Pointwise, ///< no reduction: outer loops are parallel, the vector loop is cut into blocks
    Rows,      ///< the vector dimension is reduced: row by row
    Columns,   ///< the vector dimension is kept: strips of columns, reductions run down
    Window,    ///< bands of image rows with a ring of prepared rows
};

/// One nest of loops over one space, or a part of it.
struct PlanPart {
    PartForm form = PartForm::Pointwise;
    std::vector<AxisId> outer;  ///< parallel loops, outermost first; the vector of Pointwise and Columns not included
    AxisId vector = noAxis;     ///< Pointwise, Columns, Window
    AxisId rows = noAxis;       ///< Window
    Ranges ranges;              ///< of outer loops, only those that are not whole
    std::vector<PhaseLoops> phases;
    std::vector<FinalLoops> finals;
    std::map<AxisId, AxisId> merged; ///< leaf -> the leaf that it became one loop with
    std::map<AxisId, Poly> sizes;    ///< by loop, after merging

    AxisId loopOf(AxisId leaf) const;
    std::set<AxisId> loopsOf(const std::set<AxisId>& leaves) const;
};

/// A program under a schedule: which loops run, what they compute, before any text is written.
struct Plan {
    ExprPool pool;
    std::vector<PlanPart> parts;
    std::vector<bool> fixed;         ///< per dimension of the problem: the text holds its captured size
};

/// Throws CodegenRefused.
Plan makePlan(const ProgramData& data, const Schedule& schedule);

/// Leaves of a few elements that are selected from, concatenated or reduced somewhere, such as colour channels.
std::vector<AxisId> smallLeaves(const ProgramData& data);
/// Leaves that may be written out side by side (small, and selected from, concatenated or reduced somewhere).
std::vector<AxisId> unrollableLeaves(const ProgramData& data);
/// The choices of a program; ProgramData::choices holds them. Throws CodegenRefused.
std::vector<Choice> findChoices(const ProgramData& data);
/// Dimensions of the problem that may stay symbolic.
std::vector<bool> freeDimensions(const ProgramData& data);

} // namespace kw
