// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/names.h"

#include "record/word_tables.h"

namespace kw {
namespace {

template <typename Enum, std::size_t count> std::string_view wordOf(Enum value, const std::array<std::string_view, count>& table)
{
    return table.at(static_cast<std::size_t>(value));
}

template <typename Enum, std::size_t count> constexpr bool covers(const std::array<std::string_view, count>&, Enum last)
{
    return count == static_cast<std::size_t>(last) + 1;
}

static_assert(covers(words::stage, Stage::Timing) && covers(words::tier, CaseTier::Acceptance)
    && covers(words::failure, FailureKind::Harness) && covers(words::cache, CacheState::Warm)
    && covers(words::subject, Subject::Kind::Candidate) && covers(words::comparison, Comparison::Unsure)
    && covers(words::decision, lastDecision) && covers(words::loopState, LoopState::Failed)
    && covers(words::supervision, Supervision::All) && covers(words::problemState, ProblemState::Refused)
    && covers(words::command, CommandKind::Shutdown) && covers(words::region, RegionKind::Epilogue)
    && covers(words::author, AuthorKind::Rule));

} // namespace

std::string_view nameOf(Stage value) { return wordOf(value, words::stage); }
std::string_view nameOf(CaseTier value) { return wordOf(value, words::tier); }
std::string_view nameOf(FailureKind value) { return wordOf(value, words::failure); }
std::string_view nameOf(CacheState value) { return wordOf(value, words::cache); }
std::string_view nameOf(Subject::Kind value) { return wordOf(value, words::subject); }
std::string_view nameOf(Comparison value) { return wordOf(value, words::comparison); }
std::string_view nameOf(Decision value) { return wordOf(value, words::decision); }
std::string_view nameOf(LoopState value) { return wordOf(value, words::loopState); }
std::string_view nameOf(Supervision value) { return wordOf(value, words::supervision); }
std::string_view nameOf(ProblemState value) { return wordOf(value, words::problemState); }
std::string_view nameOf(CommandKind value) { return wordOf(value, words::command); }
std::string_view nameOf(RegionKind value) { return wordOf(value, words::region); }
std::string_view nameOf(AuthorKind value) { return wordOf(value, words::author); }

} // namespace kw
