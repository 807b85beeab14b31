// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/plan.h"

namespace kw {

/// Values of a row that several passes need and that are worth a buffer.
struct KeepableRow {
    std::vector<std::int32_t> values;
    std::int64_t size = 0; ///< elements of the row
};
KeepableRow keepableRow(const ExprPool& pool, const PlanPart& part);

/// How the values below the windows of a part are prepared row by row.
struct WindowValues {
    std::vector<std::int32_t> windows;  ///< window sums that the outputs use
    std::vector<std::int32_t> rings;    ///< values stored for every row of the window
    std::vector<std::int32_t> delayed;  ///< further prepared values that the outputs need, when they are kept
};
WindowValues windowValues(const ExprPool& pool, const PlanPart& part);

} // namespace kw
