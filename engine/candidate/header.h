// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "candidate/candidate.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kw {

/// A position in a candidate's text, both counted from 1.
struct TextPosition {
    std::int32_t line = 0, column = 0;
    friend bool operator==(const TextPosition&, const TextPosition&) = default;
};

/// An integer expression over the problem's dimensions: + - * / % ceil_div() min() max() and parentheses,
/// kept as text and checked; evaluate() computes it. Overflow and division by zero are errors.
struct SizeExpression {
    std::string text;
    TextPosition position;
    friend bool operator==(const SizeExpression&, const SizeExpression&) = default;
};
Result<std::int64_t> evaluate(const SizeExpression& expression, const Problem& problem,
    const std::vector<std::int64_t>& dimensions);

/// One condition of the domain that a candidate claims.
struct DomainClause {
    enum class Kind : std::uint8_t {
        FixedSize,     ///< d1 == 768
        Divisible,     ///< d1 % 8 == 0
        AtLeast,       ///< d0 >= 1
        Contiguous,    ///< contiguous(x): row-major
        CapturedLayout,///< layout(x): the captured order of dimensions (strides scale with the sizes)
        Aligned,       ///< align(x, 64): bytes
    };
    Kind kind = Kind::FixedSize;
    std::string subject;               ///< a dimension or a tensor
    std::int64_t number = 0;
    TextPosition position;
    friend bool operator==(const DomainClause&, const DomainClause&) = default;
};

struct Workspace {
    std::string name;
    DType dtype = DType::Float;
    SizeExpression elements;
    bool zeroed = false;               ///< cleared before every call, inside the timed window
    friend bool operator==(const Workspace&, const Workspace&) = default;
};

/// One call of a function of the candidate. For backend "cpp" there are no launch dimensions.
struct Launch {
    std::string function;
    std::vector<std::string> arguments; ///< tensors, dimensions, workspaces; numbers are written out
    TextPosition position;
    friend bool operator==(const Launch&, const Launch&) = default;
};

/// The structured comment lines of a candidate's text ("//! kernel", "//! domain", "//! workspace", "//! launch").
///
///     //! kernel    rms_norm
///     //! domain    d1 % 8 == 0, contiguous(x), align(x, 64)
///     //! workspace partial: float32[ceil_div(d0, 4)]
///     //! launch    rms_norm(x, weight, y, d0, d1, partial)
///
/// C++ parameter types of a launch argument: input tensor `const T*`, output tensor `T*`, workspace `T*`,
/// dimension `std::int64_t`, with T = float, double, std::int64_t, std::int32_t, std::uint8_t (bool) ...
struct CandidateHeader {
    std::string kernel;
    std::vector<DomainClause> domain;  ///< empty: everything the problem's free dimensions allow, captured layouts
    std::vector<Workspace> workspaces;
    std::vector<Launch> launches;      ///< in order; at least one
    friend bool operator==(const CandidateHeader&, const CandidateHeader&) = default;
};

/// Parses and type-checks against the problem: names exist, functions are identifiers, every output is passed
/// somewhere. Integer literals are legal launch arguments. Errors "candidate.header.*" and "candidate.size.*", each with
/// (line, column) and where it helps (name) or (found). Never throws; any bytes are fine as input.
Result<CandidateHeader> parseHeader(const std::string& source, const Problem& problem);

/// Whether the sizes satisfy the claimed size clauses (FixedSize, Divisible, AtLeast).
bool inDomain(const CandidateHeader& header, const Problem& problem, const std::vector<std::int64_t>& dimensions);

} // namespace kw
