// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/condition.h"

#include "base/random.h"
#include "worker/verify/inputs.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace kw {
namespace {

constexpr int ulps = 4;
constexpr double deviations = 3;

double move(double before, double after)
{
    if (std::isfinite(before) && std::isfinite(after))
        return std::abs(after - before);
    const bool same = std::isnan(before) ? std::isnan(after) : before == after;
    return same ? 0 : HUGE_VAL;
}

} // namespace

Condition conditionOf(const Problem& problem, const std::vector<std::int64_t>& dimensions,
    const std::vector<HostTensor>& inputs, const Expected& expected, Reference& reference, std::uint64_t seed)
{
    std::int64_t largest = 0;
    for (const HostTensor& output : expected.precise)
        largest = std::max(largest, output.type.elements());
    const int draws = largest > mostStrictElements ? 4 : 8;
    Condition condition(expected.precise.size());
    for (std::size_t output = 0; output < condition.size(); ++output)
        condition[output].assign(static_cast<std::size_t>(expected.precise[output].type.elements()), 0);
    // Noise is told from the computation that it is in: were it another function than the reference, that difference is no rounding.
    const auto still = reference.runNoisy(problem, dimensions, inputs, 0);
    if (!still || still->size() != condition.size())
        return {};
    for (int draw = 0; draw < draws; ++draw) {
        const auto moved = nudged(problem, inputs, ulps, derivedSeed(seed, "nudge " + std::to_string(draw)));
        const auto result = reference.runNoisy(problem, dimensions, moved, derivedSeed(seed, "noise " + std::to_string(draw)));
        if (!result || result->size() != condition.size())
            return {};
        for (std::size_t output = 0; output < condition.size(); ++output) {
            const HostTensor& before = (*still)[output];
            const HostTensor& after = (*result)[output];
            for (std::size_t i = 0; i < condition[output].size(); ++i) {
                const auto place = static_cast<std::int64_t>(i);
                const double moves = move(elementAt(before.storage.data(), before.type.dtype, place),
                    elementAt(after.storage.data(), after.type.dtype, place));
                condition[output][i] += moves * moves;
            }
        }
    }
    for (std::vector<double>& output : condition)
        for (double& element : output)
            element = deviations * std::sqrt(element / draws);
    return condition;
}

} // namespace kw
