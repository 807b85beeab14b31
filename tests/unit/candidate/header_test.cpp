// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate/header.h"

#include "candidate/candidate.h"
#include "base/json_io.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace kw {
namespace {

Problem sample()
{
    Problem problem;
    problem.id = "0123456789abcdef";
    problem.dimensions = {{"d0", 32, true}, {"d1", 768, true}};
    TensorArgument x;
    x.name = "x";
    x.shape = {{0, 0}, {0, 1}};
    x.strides = {768, 1};
    TensorArgument y = x;
    y.name = "y";
    problem.inputs = {x};
    problem.outputs = {y};
    return problem;
}

const std::string good = "//! kernel    rms_norm\n"
                         "//! domain    d1 % 8 == 0, contiguous(x), align(x, 64), layout(y), d0 >= 1\n"
                         "//! domain    d1 == 768\n"
                         "//! workspace partial: float32[ceil_div(d0, 4) * 2] zeroed\n"
                         "//! launch    first(x, partial, d0, d1)\n"
                         "  //! launch  second(partial, y, d0, -4)\n"
                         "#include <cstdint>\n";

std::int64_t argument(const Error& error, const std::string& name)
{
    for (const auto& [key, value] : error.message.arguments) {
        if (key == name && std::holds_alternative<std::int64_t>(value))
            return std::get<std::int64_t>(value);
    }
    return -1;
}

void expectError(const std::string& source, const std::string& id, std::int64_t line, std::int64_t column)
{
    const auto header = parseHeader(source, sample());
    ASSERT_FALSE(header.ok()) << source;
    EXPECT_EQ(header.error().message.id, id) << source;
    EXPECT_EQ(argument(header.error(), "line"), line) << source;
    EXPECT_EQ(argument(header.error(), "column"), column) << source;
}

TEST(Header, ReadsEveryKindOfLine)
{
    const auto header = parseHeader(good, sample());
    ASSERT_TRUE(header.ok()) << debugText(header.error().message);
    EXPECT_EQ(header->kernel, "rms_norm");
    ASSERT_EQ(header->domain.size(), 6u);
    EXPECT_EQ(header->domain[0].kind, DomainClause::Kind::Divisible);
    EXPECT_EQ(header->domain[0].subject, "d1");
    EXPECT_EQ(header->domain[0].number, 8);
    EXPECT_EQ(header->domain[0].position, (TextPosition{2, 15}));
    EXPECT_EQ(header->domain[1].kind, DomainClause::Kind::Contiguous);
    EXPECT_EQ(header->domain[2].kind, DomainClause::Kind::Aligned);
    EXPECT_EQ(header->domain[2].number, 64);
    EXPECT_EQ(header->domain[3].kind, DomainClause::Kind::CapturedLayout);
    EXPECT_EQ(header->domain[4].kind, DomainClause::Kind::AtLeast);
    EXPECT_EQ(header->domain[5].kind, DomainClause::Kind::FixedSize);
    ASSERT_EQ(header->workspaces.size(), 1u);
    EXPECT_EQ(header->workspaces[0].dtype, DType::Float);
    EXPECT_TRUE(header->workspaces[0].zeroed);
    EXPECT_EQ(header->workspaces[0].elements.text, "ceil_div(d0, 4) * 2");
    EXPECT_EQ(evaluate(header->workspaces[0].elements, sample(), {33, 768}).value(), 18);
    ASSERT_EQ(header->launches.size(), 2u);
    EXPECT_EQ(header->launches[1].arguments, (std::vector<std::string>{"partial", "y", "d0", "-4"}));
}

TEST(Header, DomainIsDecidedBySizes)
{
    const auto header = parseHeader(good, sample());
    ASSERT_TRUE(header.ok());
    EXPECT_TRUE(inDomain(*header, sample(), {1, 768}));
    EXPECT_FALSE(inDomain(*header, sample(), {0, 768}));
    EXPECT_FALSE(inDomain(*header, sample(), {1, 776}));
    EXPECT_FALSE(inDomain(*header, sample(), {1, 767}));
}

TEST(Header, ErrorsNameLineAndColumn)
{
    expectError("", "candidate.header.no_kernel", 1, 1);
    expectError("//! kernel k\n", "candidate.header.no_launch", 1, 1);
    expectError("//! kernel k\n//! launch f(x)\n", "candidate.header.output_not_passed", 1, 1);
    expectError("//! kernel k\n//! kernel j\n", "candidate.header.second_kernel", 2, 12);
    expectError("//! kernl k\n", "candidate.header.unknown_line", 1, 5);
    expectError("//! kernel 9k\n", "candidate.header.unexpected", 1, 12);
    expectError("//! kernel k extra\n", "candidate.header.unexpected", 1, 14);
    expectError("//! domain d9 == 1\n", "candidate.header.unknown_dimension", 1, 12);
    expectError("//! domain contiguous(q)\n", "candidate.header.unknown_tensor", 1, 23);
    expectError("//! domain dense(x)\n", "candidate.header.unknown_clause", 1, 12);
    expectError("//! domain d1 % 0 == 0\n", "candidate.size.division_by_zero", 1, 18);
    expectError("//! domain d1 % 8 == 1\n", "candidate.header.ends_early", 1, 23);
    expectError("//! domain align(x, 48)\n", "candidate.header.bad_alignment", 1, 21);
    expectError("//! domain d1 == 99999999999999999999\n", "candidate.header.unexpected", 1, 18);
    expectError("//! workspace x: float32[1]\n", "candidate.header.name_taken", 1, 15);
    expectError("//! workspace w: float33[1]\n", "candidate.header.unknown_dtype", 1, 18);
    expectError("//! workspace w: float32[d7]\n", "candidate.header.unknown_dimension", 1, 26);
    expectError("//! workspace w: float32[d0\n", "candidate.header.ends_early", 1, 28);
    expectError("//! launch while(x, y)\n", "candidate.header.refused_function", 1, 12);
    expectError("//! launch __builtin_trap(x, y)\n", "candidate.header.refused_function", 1, 12);
    expectError("//! launch f(x, z)\n", "candidate.header.unknown_argument", 1, 17);
    expectError("//! launch f(x, y", "candidate.header.ends_early", 1, 18);
}

TEST(Header, SizeExpressions)
{
    const auto at = [](const std::string& text, std::int64_t d0, std::int64_t d1) {
        return evaluate(SizeExpression{text, {1, 1}}, sample(), {d0, d1});
    };
    EXPECT_EQ(at("d0 + d1 * 2 - 1", 3, 4).value(), 10);
    EXPECT_EQ(at("(d0 + d1) * 2", 3, 4).value(), 14);
    EXPECT_EQ(at("ceil_div(d0, 4) + min(d0, d1) % 5 + max(2, 1)", 9, 7).value(), 3 + 2 + 2);
    EXPECT_EQ(at("ceil_div(0, 4)", 0, 0).value(), 0);
    EXPECT_EQ(at("d0 / 2", 9, 0).value(), 4);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(at("d0 * 2", most, 0).error().message.id, "candidate.size.overflow");
    EXPECT_EQ(at("d0 + 1", most, 0).error().message.id, "candidate.size.overflow");
    EXPECT_EQ(at("1 / d0", 0, 0).error().message.id, "candidate.size.division_by_zero");
    EXPECT_EQ(at("1 % d0", 0, 0).error().message.id, "candidate.size.division_by_zero");
    EXPECT_EQ(at("ceil_div(1, d0)", 0, 0).error().message.id, "candidate.size.division_by_zero");
    EXPECT_EQ(at("d0 d1", 1, 1).error().message.id, "candidate.header.unexpected");
    EXPECT_EQ(at(std::string(100000, '('), 1, 1).error().message.id, "candidate.size.too_deep");
    EXPECT_EQ(evaluate(SizeExpression{"d0", {1, 1}}, sample(), {1}).error().message.id, "candidate.size.wrong_count");
}

TEST(Header, HostileBytesNeverCrash)
{
    std::mt19937 random(20240501);
    const std::string alphabet = "//! kerneldomainlaunchworkspace xyd01(),:[]%=>-+*\n\r\t\0\xff\xfe;\"";
    for (int round = 0; round < 20000; ++round) {
        std::string text = round % 2 ? good : std::string("//! ");
        const int edits = 1 + static_cast<int>(random() % 12);
        for (int i = 0; i < edits; ++i) {
            const std::size_t at = random() % (text.size() + 1);
            const char letter = alphabet[random() % alphabet.size()];
            if (random() % 3 == 0 && at < text.size())
                text.erase(at, 1 + random() % 8);
            else
                text.insert(at, 1, letter);
        }
        const auto header = parseHeader(text, sample());
        if (!header.ok()) {
            EXPECT_EQ(header.error().message.id.substr(0, 10), "candidate.") << text;
            EXPECT_GE(argument(header.error(), "line"), 1);
        }
    }
    expectError(std::string((std::size_t{1} << 20) + 1, 'a'), "candidate.header.too_long", 1, 1);
    std::string many;
    for (int i = 0; i < 1000; ++i)
        many += "//! domain d0 >= 1\n";
    EXPECT_EQ(parseHeader(many, sample()).error().message.id, "candidate.header.too_long");
}

TEST(CandidateJson, SurvivesTheRoundTrip)
{
    Candidate candidate;
    candidate.problem = "p";
    candidate.source = good;
    candidate.parent = "parent";
    candidate.author = {AuthorKind::LanguageModel, "model"};
    candidate.hypothesis = Message("hypothesis.test").with("gain", 1.5);
    candidate.schedule = "{}";
    candidate.moves = {{"grain", "1", "4", Tier::MemoryAccess, 1.2, Message("move.test")}};
    candidate.predictedSeconds = 1e-5;
    candidate.id = candidateId(candidate);
    const auto back = parseAs<Candidate>(dump(Json(candidate)));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, candidate);
    EXPECT_FALSE(parseAs<Candidate>("{\"id\": 3}").ok());
    EXPECT_FALSE(parseAs<Author>("{\"kind\": \"nobody\", \"name\": \"\"}").ok());
}

TEST(CandidateId, BindsWhatIsBuilt)
{
    Candidate a;
    a.problem = "p";
    a.source = "x";
    Candidate b = a;
    b.author.name = "somebody else";
    b.predictedSeconds = 3;
    EXPECT_EQ(candidateId(a), candidateId(b));
    b = a;
    b.flags = "-O2";
    EXPECT_NE(candidateId(a), candidateId(b));
    b = a;
    b.problem = "px";
    b.source = "";
    EXPECT_NE(candidateId(a), candidateId(b));
}

} // namespace
} // namespace kw
