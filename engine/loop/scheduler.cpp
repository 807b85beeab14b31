// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/scheduler.h"

#include <algorithm>

namespace kw {

namespace {

/// Weight of the newest experiment in what is learned: about the last seven count.
constexpr double newest = 0.15;

bool contains(const std::vector<std::string>& list, const std::string& id)
{
    return std::find(list.begin(), list.end(), id) != list.end();
}

bool quieter(const Retry& retry, double disturbance, const LoopRules& rules)
{
    return retry.disturbance <= 0 || disturbance <= rules.quietShare || disturbance <= retry.disturbance / 2;
}

bool worthAnExperiment(ProblemState state)
{
    return state == ProblemState::Waiting || state == ProblemState::Pinned;
}

} // namespace

double headroom(const ProblemTrack& track)
{
    const double now = track.seconds / std::max(track.searchRatio, 1e-9);
    // A prediction may be pessimistic, the floor may be out of reach: the truth is somewhere between.
    const double reachable = std::max(track.floorSeconds, 0.9 * track.predictedSeconds);
    const double left = now - reachable;
    return std::max(left, track.floorSeconds < now ? 0.05 * (now - track.floorSeconds) : 0.0);
}

double searchValue(const ProblemTrack& track)
{
    return headroom(track) * track.gainPerExperiment / std::max(track.secondsPerExperiment, 1e-3);
}

void learn(ProblemTrack& track, double seconds, double newRatio, bool won)
{
    const double before = headroom(track);
    const double saved = won ? track.seconds / track.searchRatio - track.seconds / newRatio : 0;
    const double share = before > 0 ? std::clamp(saved / before, 0.0, 1.0) : 0;
    track.gainPerExperiment += newest * (share - track.gainPerExperiment);
    learnCost(track, seconds);
    track.sinceWin = won ? 0 : track.sinceWin + 1;
    if (won)
        track.searchRatio = newRatio;
}

bool fits(const ProblemTrack& track, double secondsLeft)
{
    return secondsLeft >= track.secondsPerExperiment / 4;
}

void learnCost(ProblemTrack& track, double seconds)
{
    track.secondsPerExperiment += newest * (seconds - track.secondsPerExperiment);
}

ProblemState stateOf(const ProblemTrack& track, double modelSeconds, const LoopRules& rules)
{
    if (track.skipped)
        return ProblemState::Skipped;
    if (track.refused)
        return ProblemState::Refused;
    if (track.exhausted)
        return ProblemState::Plateau;
    if (track.pinned)
        return ProblemState::Pinned;
    const double now = track.seconds / std::max(track.searchRatio, 1e-9);
    if (now <= rules.nearFloor * track.floorSeconds || headroom(track) < rules.smallestShare * modelSeconds)
        return ProblemState::NearFloor;
    if (track.sinceWin >= rules.plateauExperiments)
        return ProblemState::Plateau;
    return ProblemState::Waiting;
}

std::optional<std::size_t> chooseProblem(const std::vector<ProblemTrack>& tracks, const std::vector<std::string>& blocked,
    double modelSeconds, const LoopRules& rules)
{
    std::optional<std::size_t> chosen;
    for (std::size_t index = 0; index < tracks.size(); ++index) {
        const ProblemTrack& track = tracks[index];
        if (!worthAnExperiment(stateOf(track, modelSeconds, rules)) || contains(blocked, track.id))
            continue;
        if (!chosen || (track.pinned && !tracks[*chosen].pinned)
            || (track.pinned == tracks[*chosen].pinned && searchValue(track) > searchValue(tracks[*chosen])))
            chosen = index;
    }
    return chosen;
}

std::optional<std::size_t> chooseRetry(const std::vector<Retry>& retries, const std::vector<ProblemTrack>& tracks,
    const std::vector<std::string>& blocked, double disturbance, bool lastChance, const LoopRules& rules)
{
    for (std::size_t index = 0; index < retries.size(); ++index) {
        const Retry& retry = retries[index];
        const auto track = std::find_if(tracks.begin(), tracks.end(), [&](const ProblemTrack& each) { return each.id == retry.problem; });
        if (track == tracks.end() || track->skipped || contains(blocked, retry.problem))
            continue;
        if (lastChance || quieter(retry, disturbance, rules))
            return index;
    }
    return std::nullopt;
}

double modelSpeedup(const std::vector<ProblemTrack>& tracks, double modelSeconds)
{
    double saved = 0;
    for (const ProblemTrack& track : tracks)
        saved += track.seconds * (1 - 1 / std::max(track.ratio, 1e-9));
    return modelSeconds > 0 && saved < modelSeconds ? modelSeconds / (modelSeconds - saved) : 1;
}

} // namespace kw
