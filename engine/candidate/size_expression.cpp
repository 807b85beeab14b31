// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate/size_expression.h"

#include <algorithm>

namespace kw {

namespace {

constexpr int deepestNesting = 64;

/// Recursive descent over a size expression: computes while it parses, or only checks when no sizes are given.
class SizeParser {
public:
    SizeParser(HeaderLexer& lexer, const Problem& problem, const std::vector<std::int64_t>* dimensions)
        : m_lexer(lexer), m_problem(problem), m_dimensions(dimensions) {}

    Result<std::int64_t> sum()
    {
        if (++m_depth > deepestNesting)
            return m_lexer.error("candidate.size.too_deep");
        KW_TRY(std::int64_t left, product());
        while (true) {
            const bool plus = m_lexer.accept("+");
            if (!plus && !m_lexer.accept("-"))
                break;
            KW_TRY(const std::int64_t right, product());
            std::int64_t result = 0;
            const bool overflow = plus ? __builtin_add_overflow(left, right, &result)
                                       : __builtin_sub_overflow(left, right, &result);
            if (computing() && overflow)
                return m_lexer.error("candidate.size.overflow");
            left = computing() ? result : 1;
        }
        --m_depth;
        return left;
    }

private:
    bool computing() const { return m_dimensions != nullptr; }

    Result<std::int64_t> product()
    {
        KW_TRY(std::int64_t left, primary());
        while (true) {
            const char sign = m_lexer.accept("*") ? '*' : m_lexer.accept("/") ? '/' : m_lexer.accept("%") ? '%' : 0;
            if (sign == 0)
                return left;
            KW_TRY(const std::int64_t right, primary());
            KW_TRY(left, combine(sign, left, right));
        }
    }

    Result<std::int64_t> combine(char sign, std::int64_t left, std::int64_t right)
    {
        if (!computing())
            return std::int64_t{1};
        std::int64_t result = 0;
        if (sign == '*') {
            if (__builtin_mul_overflow(left, right, &result))
                return m_lexer.error("candidate.size.overflow");
            return result;
        }
        if (right == 0)
            return m_lexer.error("candidate.size.division_by_zero");
        if (right == -1) {
            if (sign == '%')
                return std::int64_t{0};
            if (__builtin_sub_overflow(std::int64_t{0}, left, &result))
                return m_lexer.error("candidate.size.overflow");
            return result;
        }
        return sign == '/' ? left / right : left % right;
    }

    Result<std::int64_t> primary()
    {
        if (m_lexer.accept("(")) {
            KW_TRY(const std::int64_t value, sum());
            if (!m_lexer.accept(")"))
                return m_lexer.unexpected();
            return value;
        }
        if (const auto number = m_lexer.number())
            return *number;
        m_lexer.skipSpace();
        const HeaderLexer start = m_lexer;
        const auto name = m_lexer.identifier();
        if (!name)
            return m_lexer.unexpected();
        if (*name == "ceil_div" || *name == "min" || *name == "max")
            return call(*name);
        for (std::size_t i = 0; i < m_problem.dimensions.size(); ++i) {
            if (m_problem.dimensions[i].name == *name)
                return computing() ? m_dimensions->at(i) : std::int64_t{1};
        }
        Error problem = start.error("candidate.header.unknown_dimension");
        problem.message.with("name", *name);
        return problem;
    }

    Result<std::int64_t> call(const std::string& function)
    {
        if (!m_lexer.accept("("))
            return m_lexer.unexpected();
        KW_TRY(const std::int64_t left, sum());
        if (!m_lexer.accept(","))
            return m_lexer.unexpected();
        KW_TRY(const std::int64_t right, sum());
        if (!m_lexer.accept(")"))
            return m_lexer.unexpected();
        if (!computing())
            return std::int64_t{1};
        if (function == "min")
            return std::min(left, right);
        if (function == "max")
            return std::max(left, right);
        if (right <= 0)
            return m_lexer.error("candidate.size.division_by_zero");
        return left > 0 ? (left - 1) / right + 1 : left / right;
    }

    HeaderLexer& m_lexer;
    const Problem& m_problem;
    const std::vector<std::int64_t>* m_dimensions;
    int m_depth = 0;
};

} // namespace

Result<void> checkSize(HeaderLexer& lexer, const Problem& problem)
{
    SizeParser parser(lexer, problem, nullptr);
    KW_CHECK(parser.sum());
    return {};
}

Result<std::int64_t> evaluate(const SizeExpression& expression, const Problem& problem,
    const std::vector<std::int64_t>& dimensions)
{
    HeaderLexer lexer(expression.text, expression.position);
    if (dimensions.size() != problem.dimensions.size())
        return lexer.error("candidate.size.wrong_count");
    SizeParser parser(lexer, problem, &dimensions);
    KW_TRY(const std::int64_t value, parser.sum());
    if (!lexer.atEnd())
        return lexer.unexpected();
    return value;
}

} // namespace kw
