// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/disturbance.h"

#include <algorithm>
#include <cmath>

namespace kw {
namespace {

bool enough(const std::vector<Sample>& samples, double share)
{
    const auto left = std::count_if(samples.begin(), samples.end(), [](const Sample& sample) { return !sample.rejected; });
    return left >= 2 && static_cast<double>(left) >= share * static_cast<double>(samples.size());
}

} // namespace

void judgeSample(Sample& sample, int threads, const DisturbanceRule& rule)
{
    const double batch = sample.seconds * sample.calls;
    const double waited = (sample.seconds - sample.cpuSeconds) * sample.calls;
    const bool waiting = threads == 1 && waited > rule.waitSeconds && waited > rule.waitShare * batch;
    // With several threads waiting does not show in the CPU clock, but in forced switches. One a thread is the price of waking a
    // pool: the scheduler puts threads on one CPU and takes them apart again.
    const bool switched = threads > 1 && sample.contextSwitches > threads;
    const bool stolen = sample.stolenSeconds > rule.stealShare * batch * threads + rule.stealSeconds;
    const bool senseless = !(sample.seconds > 0) || !std::isfinite(sample.seconds) || sample.calls <= 0;
    sample.rejected = sample.rejected || waiting || switched || stolen || senseless;
}

void judgePair(PairBlock& pair, const DisturbanceRule& rule)
{
    pair.disturbed = !enough(pair.a, rule.fewest) || !enough(pair.b, rule.fewest);
}

} // namespace kw
