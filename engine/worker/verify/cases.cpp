// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/cases.h"

#include "base/defence.h"
#include "base/random.h"
#include "record/names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>

namespace kw {
namespace {

using Sizes = std::vector<std::int64_t>;

/// Which values a dimension may take under the candidate's claims.
struct SizeRule {
    bool free = false;
    std::int64_t least = 0, step = 1, captured = 0;

    std::int64_t fit(std::int64_t wanted) const
    {
        if (!free)
            return captured;
        const std::int64_t value = std::max(wanted, least);
        return (value + step - 1) / step * step;
    }
};

std::vector<SizeRule> rulesOf(const Problem& problem, const CandidateHeader& header)
{
    std::vector<SizeRule> rules;
    for (const Dimension& dimension : problem.dimensions) {
        SizeRule rule{dimension.free, 0, 1, dimension.captured};
        for (const DomainClause& clause : header.domain) {
            if (clause.subject != dimension.name)
                continue;
            if (clause.kind == DomainClause::Kind::FixedSize)
                rule.free = false;
            else if (clause.kind == DomainClause::Kind::Divisible)
                rule.step = std::max<std::int64_t>(1, clause.number);
            else if (clause.kind == DomainClause::Kind::AtLeast)
                rule.least = clause.number;
        }
        rules.push_back(rule);
    }
    return rules;
}

/// Halves the largest free size until the case is small enough; nothing when fixed sizes alone are too large.
std::optional<Sizes> shrunk(const Problem& problem, const std::vector<SizeRule>& rules, Sizes sizes, std::int64_t limit)
{
    while (totalElements(problem, sizes) > limit) {
        std::size_t largest = sizes.size();
        for (std::size_t i = 0; i < sizes.size(); ++i)
            if (rules[i].free && rules[i].fit(sizes[i] / 2) < sizes[i] && (largest == sizes.size() || sizes[i] > sizes[largest]))
                largest = i;
        if (largest == sizes.size())
            return std::nullopt;
        sizes[largest] = rules[largest].fit(sizes[largest] / 2);
    }
    return sizes;
}

template <typename Choose> Sizes filled(const std::vector<SizeRule>& rules, Choose choose)
{
    Sizes sizes;
    for (std::size_t i = 0; i < rules.size(); ++i)
        sizes.push_back(rules[i].fit(choose(i)));
    return sizes;
}

/// Collects the cases of one candidate. Lives for one planCases().
class Planner {
public:
    Planner(const Problem& problem, const CandidateHeader& header, const CaseSeeds& seeds, bool withAcceptance)
        : m_problem(problem), m_header(header), m_seeds(seeds), m_rules(rulesOf(problem, header)), m_acceptance(withAcceptance && standing(Defence::AcceptanceCases)),
          m_random(derivedSeed(seeds.acceptance, "plan"))
    {
    }

    std::vector<CaseSpec> plan()
    {
        const Sizes used = firstUsed();
        add(Stage::Smoke, CaseTier::Development, "case.smoke", used, Pattern::Fresh, Placement::Aligned);
        if (const auto sizes = acceptanceCase(used))
            accept(Stage::Smoke, "case.smoke", *sizes, Pattern::Fresh, Placement::Aligned);
        if (standing(Defence::ShapeCases))
            shapes(used);
        if (standing(Defence::StabilityCases))
            stability(smallCase(used));
        determinism(used);
        edges(smallCase(used));
        return std::move(m_cases);
    }

private:
    Sizes firstUsed() const
    {
        for (const UsedShape& shape : m_problem.shapes)
            if (claims(m_header, m_problem, shape.dimensions))
                return shape.dimensions;
        return capturedDimensions(m_problem);
    }

    /// Sizes for the stages about values: like the model's own where that is cheap.
    Sizes smallCase(const Sizes& used) const
    {
        return shrunk(m_problem, m_rules, used, caseElements).value_or(used);
    }

    /// Fresh expected outputs of a huge call cost seconds, at every experiment. Such calls are compared with fresh content while
    /// they are timed, and in one case of stability; here a smaller size has to do, where one is free.
    std::optional<Sizes> acceptanceCase(const Sizes& used) const
    {
        if (totalElements(m_problem, used) <= 16 * caseElements)
            return used;
        return shrunk(m_problem, m_rules, used, 4 * caseElements);
    }

    CaseSpec& add(Stage stage, CaseTier tier, const char* name, const Sizes& sizes, Pattern pattern, Placement placement)
    {
        CaseSpec spec;
        spec.stage = stage;
        spec.tier = tier;
        spec.dimensions = sizes;
        spec.pattern = pattern;
        spec.placement = placement;
        spec.name = Message(name);
        if (stage == Stage::Stability)
            spec.name.with("pattern", std::string(nameOf(pattern)));
        spec.name.with("sizes", sizesText(sizes));
        const std::string purpose = std::to_string(static_cast<int>(stage)) + "/" + std::to_string(m_cases.size());
        spec.seed = tier == CaseTier::Development
            ? derivedSeed(m_seeds.development, std::to_string(static_cast<int>(stage)) + sizesText(sizes) + std::string(nameOf(pattern)))
            : derivedSeed(m_seeds.acceptance, purpose);
        // One element says little about an error's scale, so small outputs are drawn several times.
        spec.draws = totalElements(m_problem, sizes) < 1024 ? 4 : 1;
        m_cases.push_back(std::move(spec));
        return m_cases.back();
    }

    void accept(Stage stage, const char* name, const Sizes& sizes, Pattern pattern, Placement placement)
    {
        if (m_acceptance)
            add(stage, CaseTier::Acceptance, name, sizes, pattern, placement);
    }

    std::string sizesText(const Sizes& sizes) const
    {
        std::string text;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            text += (i ? " " : "") + m_problem.dimensions[i].name + "=" + std::to_string(sizes[i]);
        return text;
    }

    void shapes(const Sizes& used)
    {
        std::size_t count = 0;
        for (const UsedShape& shape : m_problem.shapes)
            if (shape.dimensions != used && claims(m_header, m_problem, shape.dimensions) && count++ < 8)
                add(Stage::Shapes, CaseTier::Development, "case.used_shape", shape.dimensions, Pattern::Fresh, Placement::Aligned);
        constexpr std::array placements{Placement::Tight, Placement::Shifted};
        count = 0;
        for (const Sizes& sizes : cornerSizes(m_problem, m_header))
            add(Stage::Shapes, CaseTier::Development, "case.corner_shape", sizes, Pattern::Fresh, placements[count++ % 2]);
        if (count == 0 && totalElements(m_problem, used) <= 16 * caseElements) {
            // Nothing is free: the one shape still has to work at other addresses.
            add(Stage::Shapes, CaseTier::Development, "case.used_shape", used, Pattern::Fresh, Placement::Tight);
            add(Stage::Shapes, CaseTier::Development, "case.used_shape", used, Pattern::Fresh, Placement::Shifted);
        }
        for (int i = 0; m_acceptance && count > 0 && i < 4; ++i)
            if (const auto sizes = shrunk(m_problem, m_rules, randomSizes(), caseElements / 4))
                accept(Stage::Shapes, "case.corner_shape", *sizes, Pattern::Fresh, placements[m_random() % 2]);
    }

    Sizes randomSizes()
    {
        return filled(m_rules, [this](std::size_t) {
            const double exponent = std::uniform_real_distribution<double>(0, 11)(m_random);
            return static_cast<std::int64_t>(std::exp2(exponent));
        });
    }

    void stability(const Sizes& sizes)
    {
        if (totalElements(m_problem, sizes) > 4 * caseElements) {
            // Fixed large sizes: one case whose rows draw their patterns.
            add(Stage::Stability, CaseTier::Development, "case.stability", sizes, Pattern::Patchwork, Placement::Aligned);
            accept(Stage::Stability, "case.stability", sizes, Pattern::Patchwork, Placement::Aligned);
            return;
        }
        for (int index = static_cast<int>(Pattern::Negated); index <= static_cast<int>(Pattern::Patchwork); ++index) {
            const auto pattern = static_cast<Pattern>(index);
            if (applies(pattern, m_problem))
                add(Stage::Stability, CaseTier::Development, "case.stability", sizes, pattern, Placement::Aligned);
        }
        for (const Pattern pattern : {Pattern::Patchwork, Pattern::MixedScale, Pattern::NotANumber, Pattern::Infinite})
            if (applies(pattern, m_problem))
                accept(Stage::Stability, "case.stability", sizes, pattern, Placement::Aligned);
    }

    void determinism(const Sizes& used)
    {
        CaseSpec& repeated = add(Stage::Determinism, CaseTier::Development, "case.repeated", used, Pattern::Fresh, Placement::Aligned);
        repeated.repeats = 3;
        // The smoke case's content again, so its expected outputs need not be computed twice.
        repeated.seed = m_cases.front().seed;
    }

    void edges(const Sizes& sizes)
    {
        if (totalElements(m_problem, sizes) > 16 * caseElements) {
            // The smoke case's content at other addresses. Other content at the same addresses was seen in the stages before.
            CaseSpec& tight = add(Stage::Edges, CaseTier::Development, "case.same_address", sizes, Pattern::Fresh, Placement::Tight);
            tight.seed = m_cases.front().seed;
            return;
        }
        CaseSpec& same = add(Stage::Edges, CaseTier::Development, "case.same_address", sizes, Pattern::Fresh, Placement::Tight);
        same.draws = std::max(same.draws, 2);
        if (applies(Pattern::Extremes, m_problem))
            add(Stage::Edges, CaseTier::Development, "case.extremes", sizes, Pattern::Extremes, Placement::Shifted);
        if (!m_acceptance || totalElements(m_problem, sizes) > 4 * caseElements)
            return;
        CaseSpec& hidden = add(Stage::Edges, CaseTier::Acceptance, "case.same_address", sizes, Pattern::Fresh, Placement::Shifted);
        hidden.draws = std::max(hidden.draws, 2);
    }

    const Problem& m_problem;
    const CandidateHeader& m_header;
    CaseSeeds m_seeds;
    std::vector<SizeRule> m_rules;
    bool m_acceptance;
    std::mt19937_64 m_random;
    std::vector<CaseSpec> m_cases;
};

} // namespace

std::int64_t totalElements(const Problem& problem, const Sizes& dimensions)
{
    std::int64_t total = 0;
    for (const auto* list : {&problem.inputs, &problem.outputs})
        for (const TensorArgument& argument : *list) {
            std::int64_t elements = 1;
            for (const std::int64_t size : concreteShape(argument.shape, dimensions))
                if (__builtin_mul_overflow(elements, size, &elements))
                    return std::numeric_limits<std::int64_t>::max();
            total = std::max(total, total + elements);
        }
    return total;
}

std::int64_t claimedAlignment(const CandidateHeader& header, const TensorArgument& argument)
{
    std::int64_t alignment = itemSize(argument.dtype);
    for (const DomainClause& clause : header.domain)
        if (clause.kind == DomainClause::Kind::Aligned && clause.subject == argument.name)
            alignment = std::max(alignment, clause.number);
    return alignment;
}

bool claims(const CandidateHeader& header, const Problem& problem, const Sizes& dimensions)
{
    if (!inDomain(header, problem, dimensions))
        return false;
    for (const DomainClause& clause : header.domain) {
        if (clause.kind == DomainClause::Kind::Aligned && clause.number > 64)
            return false; // the library's allocator promises 64 bytes
        if (clause.kind != DomainClause::Kind::Contiguous)
            continue;
        for (const auto* list : {&problem.inputs, &problem.outputs})
            for (const TensorArgument& argument : *list)
                if (argument.name == clause.subject && !concreteType(problem, argument, dimensions).contiguous())
                    return false;
    }
    return true;
}

std::vector<Sizes> cornerSizes(const Problem& problem, const CandidateHeader& header)
{
    const auto rules = rulesOf(problem, header);
    if (std::none_of(rules.begin(), rules.end(), [](const SizeRule& rule) { return rule.free; }))
        return {};
    std::vector<Sizes> wanted;
    wanted.push_back(filled(rules, [](std::size_t) { return 1; }));
    constexpr std::array<std::int64_t, 6> primes{17, 31, 13, 7, 5, 3};
    wanted.push_back(filled(rules, [&](std::size_t i) { return primes[i % primes.size()]; }));
    wanted.push_back(filled(rules, [](std::size_t) { return 33; }));
    wanted.push_back(filled(rules, [](std::size_t) { return 63; }));
    for (std::size_t axis = 0; axis < rules.size(); ++axis) {
        if (!rules[axis].free)
            continue;
        for (const std::int64_t size : {std::int64_t{1}, std::int64_t{0}, std::int64_t{1031}, std::int64_t{4096}})
            if (size > 0 || rules[axis].least <= 0)
                wanted.push_back(filled(rules, [&](std::size_t i) { return i == axis ? size : 5; }));
    }
    std::vector<Sizes> corners;
    for (Sizes& sizes : wanted) {
        const auto small = shrunk(problem, rules, std::move(sizes), caseElements);
        if (small && claims(header, problem, *small) && std::find(corners.begin(), corners.end(), *small) == corners.end())
            corners.push_back(*small);
    }
    return corners;
}

std::vector<CaseSpec> planCases(const Problem& problem, const CandidateHeader& header, const CaseSeeds& seeds, bool withAcceptance)
{
    return Planner(problem, header, seeds, withAcceptance).plan();
}

} // namespace kw
