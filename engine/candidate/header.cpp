// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate/header.h"

#include "candidate/header_lexer.h"
#include "candidate/size_expression.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace kw {

namespace {

constexpr std::size_t longestSource = std::size_t{1} << 20;
constexpr std::size_t mostEntries = 256;
constexpr std::int64_t largestAlignment = 4096;

/// Names that cannot be functions of a candidate: C++ keywords that a call could be mistaken for, and our own entry.
constexpr std::array<std::string_view, 22> refusedFunctions{"kw_launch", "alignof", "asm", "catch", "co_await",
    "co_return", "co_yield", "const_cast", "decltype", "delete", "dynamic_cast", "for", "if", "new", "reinterpret_cast",
    "return", "sizeof", "static_assert", "static_cast", "switch", "throw", "while"};

/// Builds a CandidateHeader line by line. Free of threads.
class HeaderParser {
public:
    explicit HeaderParser(const Problem& problem) : m_problem(problem) {}

    Result<void> line(std::string_view text, TextPosition position)
    {
        HeaderLexer lexer(text, position);
        lexer.skipSpace();
        const HeaderLexer start = lexer;
        const auto keyword = lexer.identifier();
        if (!keyword)
            return lexer.unexpected();
        if (m_header.domain.size() + m_header.workspaces.size() + m_header.launches.size() > mostEntries)
            return lexer.error("candidate.header.too_long");
        if (*keyword == "kernel") {
            KW_CHECK(kernel(lexer));
        } else if (*keyword == "domain") {
            KW_CHECK(domain(lexer));
        } else if (*keyword == "workspace") {
            KW_CHECK(workspace(lexer));
        } else if (*keyword == "launch") {
            KW_CHECK(launch(lexer));
        } else {
            return named(start, "candidate.header.unknown_line", *keyword);
        }
        if (!lexer.atEnd())
            return lexer.unexpected();
        return {};
    }

    Result<CandidateHeader> finish() const
    {
        const HeaderLexer top("", {1, 1});
        if (m_header.kernel.empty())
            return top.error("candidate.header.no_kernel");
        if (m_header.launches.empty())
            return top.error("candidate.header.no_launch");
        for (const TensorArgument& output : m_problem.outputs) {
            const bool passed = std::any_of(m_header.launches.begin(), m_header.launches.end(), [&](const Launch& launch) {
                return std::find(launch.arguments.begin(), launch.arguments.end(), output.name) != launch.arguments.end();
            });
            if (!passed)
                return named(top, "candidate.header.output_not_passed", output.name);
        }
        return m_header;
    }

private:
    static Error named(const HeaderLexer& at, std::string id, const std::string& name)
    {
        Error problem = at.error(std::move(id));
        problem.message.with("name", name);
        return problem;
    }

    bool isDimension(const std::string& name) const
    {
        return std::any_of(m_problem.dimensions.begin(), m_problem.dimensions.end(),
            [&](const Dimension& dimension) { return dimension.name == name; });
    }
    bool isTensor(const std::string& name) const
    {
        const auto same = [&](const TensorArgument& tensor) { return tensor.name == name; };
        return std::any_of(m_problem.inputs.begin(), m_problem.inputs.end(), same)
            || std::any_of(m_problem.outputs.begin(), m_problem.outputs.end(), same);
    }
    bool isWorkspace(const std::string& name) const
    {
        return std::any_of(m_header.workspaces.begin(), m_header.workspaces.end(),
            [&](const Workspace& workspace) { return workspace.name == name; });
    }

    Result<void> kernel(HeaderLexer& lexer)
    {
        lexer.skipSpace();
        if (!m_header.kernel.empty())
            return lexer.error("candidate.header.second_kernel");
        const auto name = lexer.identifier();
        if (!name)
            return lexer.unexpected();
        m_header.kernel = *name;
        return {};
    }

    Result<void> domain(HeaderLexer& lexer)
    {
        do {
            KW_TRY(DomainClause clause, domainClause(lexer));
            m_header.domain.push_back(std::move(clause));
            if (m_header.domain.size() > mostEntries)
                return lexer.error("candidate.header.too_long");
        } while (lexer.accept(","));
        return {};
    }

    Result<DomainClause> domainClause(HeaderLexer& lexer)
    {
        lexer.skipSpace();
        const HeaderLexer start = lexer;
        DomainClause clause;
        clause.position = lexer.position();
        const auto name = lexer.identifier();
        if (!name)
            return lexer.unexpected();
        if (lexer.accept("("))
            return layoutClause(lexer, std::move(clause), *name, start);
        if (!isDimension(*name))
            return named(start, "candidate.header.unknown_dimension", *name);
        clause.subject = *name;
        if (lexer.accept("==")) {
            clause.kind = DomainClause::Kind::FixedSize;
        } else if (lexer.accept(">=")) {
            clause.kind = DomainClause::Kind::AtLeast;
        } else if (lexer.accept("%")) {
            clause.kind = DomainClause::Kind::Divisible;
        } else {
            return lexer.unexpected();
        }
        const auto number = lexer.number();
        if (!number)
            return lexer.unexpected();
        clause.number = *number;
        if (clause.kind == DomainClause::Kind::Divisible) {
            if (*number < 1)
                return lexer.error("candidate.size.division_by_zero");
            if (!lexer.accept("==") || lexer.number() != 0)
                return lexer.unexpected();
        }
        return clause;
    }

    Result<DomainClause> layoutClause(HeaderLexer& lexer, DomainClause clause, const std::string& kind, const HeaderLexer& start)
    {
        using Kind = DomainClause::Kind;
        if (kind != "contiguous" && kind != "layout" && kind != "align")
            return named(start, "candidate.header.unknown_clause", kind);
        clause.kind = kind == "contiguous" ? Kind::Contiguous : kind == "layout" ? Kind::CapturedLayout : Kind::Aligned;
        lexer.skipSpace();
        const HeaderLexer subject = lexer;
        const auto name = lexer.identifier();
        if (!name)
            return lexer.unexpected();
        if (!isTensor(*name))
            return named(subject, "candidate.header.unknown_tensor", *name);
        clause.subject = *name;
        if (clause.kind == Kind::Aligned) {
            if (!lexer.accept(","))
                return lexer.unexpected();
            lexer.skipSpace();
            const HeaderLexer amount = lexer;
            const auto bytes = lexer.number();
            if (!bytes)
                return lexer.unexpected();
            if (*bytes < 1 || *bytes > largestAlignment || (*bytes & (*bytes - 1)) != 0)
                return amount.error("candidate.header.bad_alignment");
            clause.number = *bytes;
        }
        if (!lexer.accept(")"))
            return lexer.unexpected();
        return clause;
    }

    Result<void> workspace(HeaderLexer& lexer)
    {
        lexer.skipSpace();
        const HeaderLexer start = lexer;
        Workspace workspace;
        const auto name = lexer.identifier();
        if (!name)
            return lexer.unexpected();
        if (isTensor(*name) || isDimension(*name) || isWorkspace(*name))
            return named(start, "candidate.header.name_taken", *name);
        workspace.name = *name;
        if (!lexer.accept(":"))
            return lexer.unexpected();
        lexer.skipSpace();
        const HeaderLexer typeStart = lexer;
        const auto type = lexer.identifier();
        const auto dtype = type ? dtypeFromName(*type) : std::nullopt;
        if (!dtype || itemSize(*dtype) == 0)
            return type ? named(typeStart, "candidate.header.unknown_dtype", *type) : lexer.unexpected();
        workspace.dtype = *dtype;
        if (!lexer.accept("["))
            return lexer.unexpected();
        lexer.skipSpace();
        workspace.elements.position = lexer.position();
        const std::size_t begin = lexer.offset();
        KW_CHECK(checkSize(lexer, m_problem));
        workspace.elements.text = lexer.between(begin, lexer.offset());
        if (!lexer.accept("]"))
            return lexer.unexpected();
        workspace.zeroed = lexer.accept("zeroed");
        m_header.workspaces.push_back(std::move(workspace));
        return {};
    }

    Result<void> launch(HeaderLexer& lexer)
    {
        lexer.skipSpace();
        const HeaderLexer start = lexer;
        Launch launch;
        launch.position = lexer.position();
        const auto function = lexer.identifier();
        if (!function)
            return lexer.unexpected();
        if (function->front() == '_' || std::find(refusedFunctions.begin(), refusedFunctions.end(), *function) != refusedFunctions.end())
            return named(start, "candidate.header.refused_function", *function);
        launch.function = *function;
        if (!lexer.accept("("))
            return lexer.unexpected();
        if (!lexer.accept(")")) {
            do {
                KW_TRY(std::string argument, launchArgument(lexer));
                launch.arguments.push_back(std::move(argument));
                if (launch.arguments.size() > mostEntries)
                    return lexer.error("candidate.header.too_long");
            } while (lexer.accept(","));
            if (!lexer.accept(")"))
                return lexer.unexpected();
        }
        m_header.launches.push_back(std::move(launch));
        return {};
    }

    Result<std::string> launchArgument(HeaderLexer& lexer)
    {
        const bool negative = lexer.accept("-");
        if (const auto number = lexer.number())
            return std::to_string(negative ? -*number : *number);
        lexer.skipSpace();
        const HeaderLexer start = lexer;
        const auto name = lexer.identifier();
        if (!name || negative)
            return lexer.unexpected();
        if (!isTensor(*name) && !isDimension(*name) && !isWorkspace(*name))
            return named(start, "candidate.header.unknown_argument", *name);
        return *name;
    }

    const Problem& m_problem;
    CandidateHeader m_header;
};

} // namespace

Result<CandidateHeader> parseHeader(const std::string& source, const Problem& problem)
{
    if (source.size() > longestSource)
        return Error{Message("candidate.header.too_long").with("line", 1).with("column", 1), {}};
    HeaderParser parser(problem);
    const std::string_view text(source);
    std::int32_t number = 1;
    for (std::size_t begin = 0; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        const std::size_t first = line.find_first_not_of(" \t");
        if (first != std::string_view::npos && line.substr(first, 3) == "//!") {
            const std::size_t body = first + 3;
            KW_CHECK(parser.line(line.substr(body), {number, static_cast<std::int32_t>(body) + 1}));
        }
        begin = end + 1;
    }
    return parser.finish();
}

bool inDomain(const CandidateHeader& header, const Problem& problem, const std::vector<std::int64_t>& dimensions)
{
    using Kind = DomainClause::Kind;
    return std::all_of(header.domain.begin(), header.domain.end(), [&](const DomainClause& clause) {
        if (clause.kind != Kind::FixedSize && clause.kind != Kind::Divisible && clause.kind != Kind::AtLeast)
            return true;
        for (std::size_t i = 0; i < problem.dimensions.size() && i < dimensions.size(); ++i) {
            if (problem.dimensions[i].name != clause.subject)
                continue;
            switch (clause.kind) {
            case Kind::FixedSize: return dimensions[i] == clause.number;
            case Kind::Divisible: return dimensions[i] % clause.number == 0;
            default: return dimensions[i] >= clause.number;
            }
        }
        return false;
    });
}

} // namespace kw
