// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/labels.h"

#include "present/catalogue.h"
#include "present/numbers.h"
#include "present/visible.h"
#include "record/names.h"

#include <array>

namespace kw {
namespace {

std::string label(std::string_view group, std::string_view word, Language language)
{
    return render(Message("label." + std::string(group) + "." + std::string(word)), language);
}

std::string_view wordOf(Tier tier)
{
    static constexpr std::array<std::string_view, 6> words{
        "block_sizes", "memory_access", "compute", "advanced", "architecture", "operator_specific"};
    return words.at(static_cast<std::size_t>(tier));
}

std::string choiceName(const std::string& choice, Language language)
{
    const std::string id = "choice." + choice;
    return hasMessage(id) ? render(Message(id), language) : visible(choice);
}

/// Values of choices are words of the generator where it names them, else numbers and identifiers.
std::string choiceValue(const Move& move, const std::string& value, Language language)
{
    const std::string id = "choice." + move.choice + "." + value;
    return hasMessage(id) ? render(Message(id), language) : visible(value);
}

} // namespace

std::string labelOf(Stage stage, Language language) { return label("stage", nameOf(stage), language); }
std::string labelOf(FailureKind failure, Language language) { return label("failure", nameOf(failure), language); }
std::string labelOf(CaseTier tier, Language language) { return label("case_tier", nameOf(tier), language); }
std::string labelOf(Decision decision, Language language) { return label("decision", nameOf(decision), language); }
std::string labelOf(Comparison outcome, Language language) { return label("comparison", nameOf(outcome), language); }
std::string labelOf(CacheState cache, Language language) { return label("cache", nameOf(cache), language); }
std::string labelOf(LoopState state, Language language) { return label("loop", nameOf(state), language); }
std::string labelOf(Supervision value, Language language) { return label("supervision", nameOf(value), language); }
std::string labelOf(ProblemState state, Language language) { return label("problem", nameOf(state), language); }
std::string labelOf(RegionKind kind, Language language) { return label("region", nameOf(kind), language); }
std::string labelOf(AuthorKind kind, Language language) { return label("author", nameOf(kind), language); }
std::string labelOf(Tier tier, Language language) { return label("tier", wordOf(tier), language); }

std::string authorText(const Author& author, Language language)
{
    const std::string kind = labelOf(author.kind, language);
    const bool named = !author.name.empty() && author.kind != AuthorKind::Search; // there is one built-in search
    return !named ? kind : visibleShort(author.name, 60) + " (" + kind + ")";
}

std::vector<std::string> movesText(const std::vector<Move>& moves, Language language)
{
    std::vector<std::string> lines;
    for (const Move& move : moves) {
        Message line(move.expectedGain > 0 && move.expectedGain != 1 ? "present.move.gain" : "present.move");
        line.with("choice", choiceName(move.choice, language));
        line.with("from", choiceValue(move, move.from, language));
        line.with("to", choiceValue(move, move.to, language));
        line.with("tier", labelOf(move.tier, language));
        line.with("gain", move.expectedGain);
        const std::string reason = render(move.reason, language);
        lines.push_back(render(line, language) + (reason.empty() ? "" : " " + reason));
    }
    return lines;
}

SampleCount usedSamples(const Measurement& measurement)
{
    SampleCount count;
    for (const PairBlock& pair : measurement.pairs) {
        if (pair.disturbed)
            continue;
        ++count.pairs;
        for (const auto* side : {&pair.a, &pair.b})
            for (const Sample& sample : *side)
                count.samples += sample.rejected ? 0 : 1;
    }
    return count;
}

std::string measurementText(const Measurement& measurement, Language language)
{
    Message line("present.measurement");
    line.with("outcome", labelOf(measurement.outcome, language));
    line.with("spread", spreadText(measurement.ratio, measurement.low, measurement.high, language));
    line.with("times", fromToTime(measurement.secondsA, measurement.secondsB, language));
    const SampleCount count = usedSamples(measurement);
    line.with("samples", count.samples);
    line.with("pairs", count.pairs);
    return render(line, language);
}

std::string verdictText(const Verdict& verdict, Language language)
{
    if (verdict.passed)
        return render(Message("present.verdict.passed"), language);
    Message line("present.verdict.failed");
    line.with("stage", labelOf(verdict.failedStage, language));
    line.with("failure", labelOf(verdict.failure, language));
    const std::string reason = render(verdict.reason, language);
    return render(line, language) + (reason.empty() ? "" : " " + reason);
}

std::string experimentText(const ExperimentRow& row, Language language)
{
    const std::string decision = labelOf(row.decision, language);
    if (row.decision == Decision::Rejected && row.failure != FailureKind::None)
        return decision + ": " + labelOf(row.failure, language);
    return row.ratio > 0 ? decision + ", " + spreadText(row.ratio, row.low, row.high, language) : decision;
}

} // namespace kw
