// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "problem/problem.h"

#include <memory>
#include <string>

namespace kw {

struct ProgramData;

/// A problem lowered to a row/tile program: values as functions of loop indices, reductions as phases of a row.
/// Immutable and cheap to copy; may be shared between threads.
class Program {
public:
    explicit Program(std::shared_ptr<const ProgramData> data) : m_data(std::move(data)) {}
    const ProgramData& data() const { return *m_data; }
    const Problem& problem() const;

private:
    std::shared_ptr<const ProgramData> m_data;
};

/// Lowers the problem's reference graph (ATen overloads). Everything that the generator cannot write is refused with a
/// reason a person understands: "codegen.refused.*" (node, target ...). Never throws.
Result<Program> lower(const Problem& problem);

} // namespace kw
