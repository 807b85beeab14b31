// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/measure/measurer.h"

#include "base/cpu_lock.h"
#include "base/defence.h"
#include "base/random.h"
#include "base/steady_clock.h"
#include "measure/disturbance.h"
#include "measure/floor.h"
#include "measure/statistics.h"
#include "worker/measure/machine.h"
#include "worker/measure/timed_side.h"
#include "worker/verify/candidate_process.h"

#include <algorithm>
#include <map>
#include <utility>

namespace kw {
namespace {

constexpr int fewestBlocks = 3;
constexpr double pairSeconds = 1.5;

std::string sideKey(const Problem& problem, const MeasureSide& side, const std::vector<std::int64_t>& dimensions, CacheState cache)
{
    std::string key = problem.id + (cache == CacheState::Cold ? " cold " : " warm ") + (side.candidate ? side.candidate->id : "library");
    for (const std::int64_t size : dimensions)
        key += " " + std::to_string(size);
    return key;
}

std::string contentKey(const Problem& problem, const std::vector<std::int64_t>& dimensions)
{
    std::string key = problem.id + " ";
    for (const std::int64_t size : dimensions)
        key += std::to_string(size) + " ";
    return key;
}

/// Disturbed samples too: a disturbance never makes a call shorter.
std::vector<double> allTimes(const std::vector<PairBlock>& pairs, std::vector<Sample> PairBlock::*side)
{
    std::vector<double> times;
    for (const PairBlock& pair : pairs)
        for (const Sample& sample : pair.*side)
            if (sample.seconds > 0)
                times.push_back(sample.seconds);
    return times;
}

} // namespace

MeasurerOptions MeasurerOptions::forThisMachine()
{
    MeasurerOptions options;
    const std::vector<int> cpus = usableCpus();
    options.judgeCpu = cpus.front();
    options.reference.cpus = cpus.size() > 1 ? std::vector<int>(cpus.begin() + 1, cpus.end()) : cpus;
    options.reference.threads = static_cast<int>(options.reference.cpus.size());
    return options;
}

struct Measurer::State {
    const Launcher& launcher;
    CaseStore store;
    MeasurerOptions options;
    Calibration calibration;
    std::uint64_t seed = secretSeed();
    std::uint64_t round = 0;                             ///< every draw of a measurement is another one
    std::map<std::string, RingContent> contents;         ///< by problem, sizes
    std::map<std::string, TimedSide> kept;               ///< screening: long-lived sides
    std::string timed;                                   ///< the two sides of the last fresh pairs

    std::uint64_t draw() { return derivedSeed(seed, std::to_string(++round)); }
    Result<const RingContent*> contentFor(const Problem& problem, const std::vector<std::int64_t>& dimensions);
    Result<TimedSide> start(const Problem& problem, const MeasureSide& side, const RingContent& content, RingPlan plan,
        std::stop_token stop);
    Result<PairBlock> blocks(TimedSide& a, TimedSide& b, const MeasureRequest& request, MeasureOutcome& outcome, std::stop_token stop);
    Result<void> pair(const Problem& problem, const MeasureSide& a, const MeasureSide& b, const MeasureRequest& request,
        const RingContent& content, RingPlan plan, MeasureOutcome& outcome, std::stop_token stop);
    void refuseImpossible(const Problem& problem, const MeasureSide& a, const MeasureSide& b,
        const std::vector<std::int64_t>& dimensions, RingPlan plan, MeasureOutcome& outcome) const;
};

Measurer::Measurer(const Launcher& launcher, Reference& reference, MeasurerOptions options)
    : m_state(new State{launcher, CaseStore(reference, 0), std::move(options), {}, secretSeed(), 0, {}, {}, {}})
{
    if (m_state->options.lastLevelCacheBytes <= 0)
        m_state->options.lastLevelCacheBytes = lastLevelCacheBytes();
}

Measurer::~Measurer() = default;

void Measurer::setCalibration(const Calibration& calibration)
{
    m_state->calibration = calibration;
}

void Measurer::forget(const std::string& problemId)
{
    release();
    std::erase_if(m_state->contents, [&](const auto& entry) { return entry.first.rfind(problemId + " ", 0) == 0; });
}

void Measurer::release()
{
    m_state->kept.clear();
}

Result<const RingContent*> Measurer::State::contentFor(const Problem& problem, const std::vector<std::int64_t>& dimensions)
{
    std::string key = contentKey(problem, dimensions);
    if (const auto found = contents.find(key); found != contents.end())
        return &found->second;
    auto made = makeRingContent(problem, dimensions, store, draw());
    if (!made)
        return Error{Message("measure.no_inputs").with("problem", problem.name).with("why", debugText(made.error().message)),
            made.error().detail};
    // A handful of problems is worked on at a time; large contents must not pile up.
    if (contents.size() >= 8) {
        kept.clear();
        contents.erase(contents.begin());
    }
    return &contents.emplace(std::move(key), std::move(*made)).first->second;
}

Result<TimedSide> Measurer::State::start(const Problem& problem, const MeasureSide& side, const RingContent& content,
    RingPlan plan, std::stop_token stop)
{
    TimedSideSpec spec;
    spec.reference = options.reference;
    spec.memoryBytes = options.memoryBytes;
    spec.unsafe = options.unsafe;
    spec.plan = plan;
    spec.seed = draw();
    return TimedSide::start(launcher, problem, side, content, spec, stop);
}

Result<PairBlock> Measurer::State::blocks(TimedSide& a, TimedSide& b, const MeasureRequest& request, MeasureOutcome& outcome,
    std::stop_token stop)
{
    PairBlock pair;
    const double begin = steadySeconds();
    for (int block = 0; block < request.blocks; ++block) {
        // Calls that take long need no repetition against the clock's noise, and more processes say more than more blocks.
        if (block >= fewestBlocks && steadySeconds() - begin > pairSeconds)
            break;
        const bool first = draw() % 2 == 0;
        for (TimedSide* side : {first ? &a : &b, first ? &b : &a}) {
            if (stop.stop_requested())
                return error("judge.stopped");
            const double stolen = stolenSeconds();
            std::optional<Sample> sample = side->batch(store, outcome.inspected, outcome.failure, stop);
            if (!sample)
                return stop.stop_requested() ? Result<PairBlock>(error("judge.stopped")) : Result<PairBlock>(std::move(pair));
            sample->stolenSeconds = stolenSeconds() - stolen;
            judgeSample(*sample, options.reference.threads);
            (side == &a ? pair.a : pair.b).push_back(*sample);
        }
    }
    if (a.checkIdle(outcome.failure) && b.checkIdle(outcome.failure))
        judgePair(pair);
    return pair;
}

Result<void> Measurer::State::pair(const Problem& problem, const MeasureSide& a, const MeasureSide& b,
    const MeasureRequest& request, const RingContent& content, RingPlan plan, MeasureOutcome& outcome, std::stop_token stop)
{
    if (stop.stop_requested())
        return error("judge.stopped");
    KW_TRY(const CpuLock lock, CpuLock::acquire(CpuLock::Mode::Alone, stop));
    const ThreadPin pin(options.judgeCpu);
    const std::string key = sideKey(problem, a, content.dimensions, plan.cache);
    std::optional<TimedSide> sideA, sideB;
    if (const auto found = kept.find(key); request.keepProcesses && found != kept.end()) {
        sideA = std::move(found->second);
        kept.erase(found);
    }
    const bool aFirst = draw() % 2 == 0;
    for (const bool turn : {aFirst, !aFirst}) {
        std::optional<TimedSide>& side = turn ? sideA : sideB;
        if (side)
            continue;
        const MeasureSide& subject = turn ? a : b;
        auto started = start(problem, subject, content, plan, stop);
        if (!started && subject.candidate && !subject.header->workspaces.empty() && isOutOfMemory(started.error())) {
            outcome.failure = TimingFailure{subject.candidate->id, FailureKind::OutOfMemory, started.error().message};
            return {};
        }
        if (!started)
            return started.error();
        side = *std::move(started);
    }
    for (TimedSide* side : {&*sideA, &*sideB})
        if (!outcome.failure && !side->warmUp(store, outcome.failure, stop))
            return stop.stop_requested() ? Result<void>(error("judge.stopped")) : Result<void>();
    KW_TRY(PairBlock result, blocks(*sideA, *sideB, request, outcome, stop));
    if (outcome.failure)
        return {};
    outcome.pairs.push_back(std::move(result));
    if (request.keepProcesses) {
        kept.clear(); // one idle process at most
        kept.emplace(key, std::move(*sideA));
    }
    return {};
}

void Measurer::State::refuseImpossible(const Problem& problem, const MeasureSide& a, const MeasureSide& b,
    const std::vector<std::int64_t>& dimensions, RingPlan plan, MeasureOutcome& outcome) const
{
    const double bytes = compulsoryBytes(problem, dimensions);
    const double working = plan.slotBytes * (plan.cache == CacheState::Warm ? 1 : plan.slots);
    const double least = leastSeconds(bytes, working, calibration);
    const auto check = [&](const MeasureSide& side, std::vector<Sample> PairBlock::*member) {
        const std::vector<double> times = allTimes(outcome.pairs, member);
        if (!side.candidate || times.empty() || median(times) >= least || outcome.failure || !standing(Defence::SpeedFloor))
            return;
        outcome.failure = TimingFailure{side.candidate->id, FailureKind::TooFast,
            Message("verify.too_fast").with("seconds", median(times)).with("least", least)};
    };
    check(a, &PairBlock::a);
    check(b, &PairBlock::b);
}

Result<MeasureOutcome> Measurer::measure(const Problem& problem, const MeasureSide& a, const MeasureSide& b,
    const MeasureRequest& request, std::stop_token stop)
{
    const auto dimensions = !request.dimensions.empty() ? request.dimensions
        : problem.shapes.empty() ? capturedDimensions(problem) : problem.shapes.front().dimensions;
    KW_TRY(const ArenaLayout layout, arenaLayout(problem, nullptr, dimensions, Placement::Aligned, 1));
    double slotBytes = 0;
    for (const ArenaBuffer& buffer : layout.buffers)
        slotBytes += static_cast<double>(buffer.bytes);
    const RingPlan plan = planRing(slotBytes, layout.buffers.size(), request.cache, m_state->options.lastLevelCacheBytes);
    if (!request.keepProcesses) {
        release();
        // What an agent has learnt of the values that were timed before must not help its next text. Answers to larger problems do
        // not fit into a candidate's text; further pairs of the same two sides go on with the same values.
        const std::string timed = sideKey(problem, a, dimensions, request.cache) + sideKey(problem, b, dimensions, request.cache);
        if (timed != std::exchange(m_state->timed, timed) && totalElements(problem, dimensions) <= caseElements)
            m_state->contents.erase(contentKey(problem, dimensions));
    }
    KW_TRY(const RingContent* const content, m_state->contentFor(problem, dimensions));
    MeasureOutcome outcome;
    outcome.cache = plan.cache;
    const double begin = steadySeconds();
    for (int pair = 0; pair < request.pairs && !outcome.failure; ++pair) {
        if (pair > 0 && steadySeconds() - begin > request.wallLimit)
            break;
        KW_CHECK(m_state->pair(problem, a, b, request, *content, plan, outcome, stop));
    }
    m_state->refuseImpossible(problem, a, b, dimensions, plan, outcome);
    return outcome;
}

} // namespace kw
