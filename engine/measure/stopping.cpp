// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/stopping.h"

#include "measure/error_control.h"

#include <algorithm>
#include <cmath>

namespace kw {
namespace {

/// Pairs that count; disturbed ones are measured again, at most as many as the last look asks for in total.
int usable(const std::vector<PairBlock>& pairs)
{
    return static_cast<int>(std::count_if(pairs.begin(), pairs.end(), [](const PairBlock& pair) { return !pair.disturbed; }));
}

Comparison notFaster(const Measurement& result, double margin)
{
    if (result.outcome != Comparison::Unsure)
        return result.outcome;
    return result.ratio < 1 - margin ? Comparison::Slower : Comparison::Same;
}

} // namespace

StoppingRule StoppingRule::confirmation(double sessionAlpha, std::int64_t index, double margin)
{
    StoppingRule rule;
    rule.alpha = confirmationAlpha(sessionAlpha, index);
    rule.margin = margin;
    rule.looks = {10, 20, 30};
    rule.seed = static_cast<std::uint64_t>(index) + 1;
    return rule;
}

StoppingStep nextStep(const std::vector<PairBlock>& pairs, double usedSeconds, const StoppingRule& rule)
{
    StoppingStep step;
    step.confidence = 1 - rule.alpha / static_cast<double>(rule.looks.size());
    if (pairs.empty()) {
        step.morePairs = rule.looks.front();
        return step;
    }
    const int count = usable(pairs);
    const bool late = usedSeconds >= rule.wallSeconds || static_cast<int>(pairs.size()) >= 2 * rule.looks.back();
    const auto next = std::upper_bound(rule.looks.begin(), rule.looks.end(), count);
    const bool atLook = next != rule.looks.begin() && *(next - 1) == count;
    if (count >= 2 && (atLook || late || count >= rule.looks.back())) {
        const Measurement result = compare(pairs, {step.confidence, rule.margin, rule.seed});
        if (result.outcome == Comparison::Faster || result.high < 1 + rule.margin) {
            step.finished = true;
            step.outcome = result.outcome == Comparison::Faster ? Comparison::Faster : notFaster(result, rule.margin);
            return step;
        }
    }
    if (late || next == rule.looks.end()) {
        step.finished = true;
        return step;
    }
    step.morePairs = *next - count;
    return step;
}

Measurement conclude(std::vector<PairBlock> pairs, const StoppingStep& step, const StoppingRule& rule)
{
    Measurement result = compare(std::move(pairs), {step.confidence, rule.margin, rule.seed});
    result.outcome = step.outcome;
    return result;
}

} // namespace kw
