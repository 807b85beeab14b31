// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/search.h"

#include "base/random.h"
#include "codegen/emit.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace kw {

namespace {

constexpr std::size_t widestFrontier = 4;
constexpr std::size_t halvingPeriod = 6;      // experiments until the frontier is halved
constexpr int mostStartMoves = 8;
constexpr double leastGain = 0.98;            // moves that the model expects to lose more are tried last
constexpr std::size_t mostPairs = 48;         // two moves at once, when single moves are used up

/// A schedule that was measured, with its speed relative to the library.
struct Known {
    Schedule schedule;
    std::string candidate;
    double speed = 0, seconds = 0;
};

struct Proposal {
    Schedule schedule;
    std::vector<Move> moves;
    const Known* parent = nullptr;
    double score = 0; ///< expected speed relative to the library, or to the default schedule before anything is known
};

} // namespace

/// What one problem's experiments taught; the parts that depend on nothing but the problem are kept between calls.
struct SearchAgent::Knowledge {
    explicit Knowledge(Result<Program> lowered) : program(std::move(lowered)) {}

    Result<Program> program;
    std::map<std::string, double> counted;    ///< schedule text -> seconds before corrections
    std::map<std::string, std::string> ids;   ///< schedule text -> candidate id; empty when it cannot be written
    // Derived from the history at every call:
    CostModel model{Calibration{}};
    std::set<std::string> tried;              ///< candidate ids
    std::set<std::string> banned;             ///< "choice=value" that verification refused
    std::vector<Known> known;                 ///< fastest first

    double predicted(const Schedule& schedule)
    {
        const std::string text = scheduleText(schedule);
        auto found = counted.find(text);
        if (found == counted.end())
            found = counted.emplace(text, CostModel(model.calibration()).predict(*program, schedule).seconds).first;
        return found->second * model.correction(schedule);
    }
    const std::string& idOf(const Schedule& schedule)
    {
        const std::string text = scheduleText(schedule);
        auto found = ids.find(text);
        if (found == ids.end()) {
            const auto candidate = emit(*program, schedule);
            found = ids.emplace(text, candidate ? candidate->id : std::string()).first;
        }
        return found->second;
    }
    bool fresh(const Schedule& schedule)
    {
        for (const auto& [name, value] : schedule.values)
            if (banned.count(name + "=" + value) != 0)
                return false;
        const std::string& id = idOf(schedule);
        return !id.empty() && tried.count(id) == 0;
    }

    void read(const Calibration& calibration, std::span<const Experiment> experiments, const std::vector<std::string>& waiting);
    void learnRatio(const Schedule& reference, const Schedule& schedule, double measured); ///< time / time of the reference
    void learnFrom(const Experiment& experiment, const Schedule& schedule);
    std::optional<Proposal> start();
    std::optional<Proposal> step();
    std::optional<Proposal> pair(std::uint64_t seed);
};

void SearchAgent::Knowledge::read(
    const Calibration& calibration, std::span<const Experiment> experiments, const std::vector<std::string>& waiting)
{
    model = CostModel(calibration);
    tried = {waiting.begin(), waiting.end()};
    banned.clear();
    known.clear();
    for (const Experiment& experiment : experiments) {
        tried.insert(experiment.candidate.id);
        if (isOpen(experiment.decision))
            continue; // a disturbed time teaches the wrong thing
        auto schedule = parseSchedule(experiment.candidate.schedule);
        if (experiment.candidate.schedule.empty() || !schedule || !check(*program, *schedule).ok())
            continue; // somebody else's text: nothing to learn for schedules
        learnFrom(experiment, *schedule);
    }
    std::stable_sort(known.begin(), known.end(), [](const Known& a, const Known& b) { return a.speed > b.speed; });
}

void SearchAgent::Knowledge::learnRatio(const Schedule& reference, const Schedule& schedule, double measured)
{
    model.learnSurprise(reference, schedule, measured * predicted(reference) / predicted(schedule));
}

void SearchAgent::Knowledge::learnFrom(const Experiment& experiment, const Schedule& schedule)
{
    const auto parent = std::find_if(known.begin(), known.end(),
        [&](const Known& each) { return experiment.candidate.parent && each.candidate == *experiment.candidate.parent; });
    if (!experiment.verdict.passed) {
        // Only when one change made a correct kernel wrong it is clear which one it was.
        const bool numeric = experiment.verdict.failure == FailureKind::WrongValue || experiment.verdict.failure == FailureKind::NonFinite;
        if (numeric && parent != known.end() && experiment.candidate.moves.size() == 1)
            banned.insert(experiment.candidate.moves[0].choice + "=" + experiment.candidate.moves[0].to);
        return;
    }
    const Measurement* measured = experiment.measurement ? &*experiment.measurement : experiment.screening ? &*experiment.screening : nullptr;
    if (!measured || !(measured->ratio > 0) || !std::isfinite(measured->ratio))
        return;
    double base = 1;
    if (measured->a.kind == Subject::Kind::Candidate) {
        const auto other = std::find_if(known.begin(), known.end(), [&](const Known& each) { return each.candidate == measured->a.candidate; });
        if (other != known.end()) {
            base = other->speed;
            learnRatio(other->schedule, schedule, 1 / measured->ratio);
        }
    }
    if (parent != known.end() && (measured->a.kind != Subject::Kind::Candidate || measured->a.candidate != parent->candidate))
        learnRatio(parent->schedule, schedule, parent->speed / (base * measured->ratio));
    known.push_back({schedule, experiment.candidate.id, base * measured->ratio, measured->secondsB});
}

/// Before anything was measured: the model's favourite, found by walking downhill from the plain schedule, and that one.
std::optional<Proposal> SearchAgent::Knowledge::start()
{
    const Schedule plain = defaultSchedule(*program);
    Schedule best = plain;
    std::vector<Move> path;
    for (int i = 0; i < mostStartMoves; ++i) {
        const double now = predicted(best);
        const Move* favourite = nullptr;
        double least = now * 0.995;
        const auto options = moves(*program, best);
        for (const Move& move : options) {
            const double then = predicted(applied(best, move));
            if (then < least && banned.count(move.choice + "=" + move.to) == 0 && !idOf(applied(best, move)).empty()) {
                least = then;
                favourite = &move;
            }
        }
        if (!favourite)
            break;
        path.push_back(*favourite);
        path.back().expectedGain = now / least;
        best = applied(best, *favourite);
    }
    if (fresh(best))
        return Proposal{best, path, nullptr, 1};
    if (fresh(plain))
        return Proposal{plain, {}, nullptr, 1};
    return std::nullopt;
}

/// One move from the frontier: the one that promises the fastest kernel.
std::optional<Proposal> SearchAgent::Knowledge::step()
{
    const std::size_t halvings = known.size() / halvingPeriod;
    const std::size_t frontier = std::max<std::size_t>(1, widestFrontier >> std::min<std::size_t>(halvings, 8));
    std::vector<Proposal> options;
    for (std::size_t i = 0; i < std::min(frontier, known.size()); ++i) {
        const double now = predicted(known[i].schedule);
        for (Move& move : moves(*program, known[i].schedule)) {
            const Schedule next = applied(known[i].schedule, move);
            const double then = predicted(next);
            move.expectedGain = std::isfinite(then) && then > 0 ? now / then : 0;
            if (move.expectedGain > 0)
                options.push_back({next, {move}, &known[i], known[i].speed * move.expectedGain});
        }
    }
    const double leading = known.empty() ? 0 : known.front().speed;
    std::stable_sort(options.begin(), options.end(), [](const Proposal& a, const Proposal& b) { return a.score > b.score; });
    for (const bool promising : {true, false})
        for (const Proposal& option : options)
            if ((option.score >= leastGain * leading) == promising && fresh(option.schedule))
                return option;
    return std::nullopt;
}

/// Two moves at once from the best, for choices that only help together.
std::optional<Proposal> SearchAgent::Knowledge::pair(std::uint64_t seed)
{
    if (known.empty())
        return std::nullopt;
    std::mt19937_64 random(seed);
    const Known& best = known.front();
    const auto first = moves(*program, best.schedule);
    if (first.empty())
        return std::nullopt;
    std::optional<Proposal> found;
    for (std::size_t i = 0; i < mostPairs; ++i) {
        const Move& a = first[random() % first.size()];
        const Move& b = first[random() % first.size()];
        if (a.choice == b.choice)
            continue;
        const Schedule next = applied(applied(best.schedule, a), b);
        const double then = predicted(next);
        const double score = best.speed * predicted(best.schedule) / then;
        if (std::isfinite(score) && (!found || score > found->score) && fresh(next))
            found = Proposal{next, {a, b}, &best, score};
    }
    return found;
}

SearchAgent::SearchAgent() = default;
SearchAgent::~SearchAgent() = default;

Author SearchAgent::author() const { return {AuthorKind::Search, "search"}; }

Result<SearchAgent::Knowledge*> SearchAgent::knowledge(Toolbox& toolbox, const std::string& problem)
{
    auto& entry = m_problems[problem];
    if (!entry) {
        KW_TRY(const Problem* const found, toolbox.problem(problem));
        entry = std::make_unique<Knowledge>(lower(*found));
    }
    if (!entry->program.ok())
        return entry->program.error();
    KW_TRY(const std::span<const Experiment> experiments, toolbox.history(problem));
    entry->read(toolbox.calibration(), experiments, toolbox.waiting(problem));
    return entry.get();
}

void SearchAgent::propose(Toolbox& toolbox, const std::string& problem)
{
    m_lastReason = {};
    auto candidate = next(toolbox, problem);
    const auto submitted = candidate ? toolbox.submit(*std::move(candidate)) : Result<void>(candidate.error());
    if (!submitted)
        m_lastReason = submitted.error().message;
}

Result<Candidate> SearchAgent::next(Toolbox& toolbox, const std::string& problem)
{
    KW_TRY(Knowledge* const found, knowledge(toolbox, problem));
    Knowledge& known = *found;
    std::optional<Proposal> proposal = known.start();
    if (!proposal)
        proposal = known.step();
    if (!proposal)
        proposal = known.pair(derivedSeed(toolbox.seed(), problem + std::to_string(known.tried.size())));
    if (!proposal) {
        const auto plain = emit(*known.program, defaultSchedule(*known.program));
        return plain ? Error{Message("agent.exhausted").with("tried", known.tried.size()), {}} : plain.error();
    }
    KW_TRY(Candidate candidate, emit(*known.program, proposal->schedule));
    candidate.author = author();
    candidate.moves = proposal->moves;
    candidate.predictedSeconds = known.predicted(proposal->schedule);
    if (proposal->parent) {
        candidate.parent = proposal->parent->candidate;
        if (proposal->parent->seconds > 0)
            candidate.predictedSeconds = proposal->parent->seconds * proposal->parent->speed / proposal->score;
    }
    if (proposal->moves.size() == 1 && proposal->parent)
        candidate.hypothesis = proposal->moves.front().reason;
    else
        candidate.hypothesis = Message(proposal->parent ? "agent.hypothesis.together" : "agent.hypothesis.start")
                                   .with("seconds", candidate.predictedSeconds).with("moves", proposal->moves.size());
    return candidate;
}

} // namespace kw
