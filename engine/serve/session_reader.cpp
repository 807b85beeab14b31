// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/session_reader.h"

#include "history/diff.h"

namespace kw {

template <typename Ask> auto SessionReader::ask(Ask question) -> decltype(question(std::declval<Journal&>()))
{
    const std::lock_guard lock(m_mutex);
    if (!m_journal) {
        KW_TRY(m_journal, Journal::open(m_file, Journal::Mode::ReadOnly));
    }
    return question(*m_journal);
}

Result<Experiment> SessionReader::experiment(std::int64_t number)
{
    return ask([&](Journal& journal) { return journal.experiment(number); });
}

Result<Problem> SessionReader::problem(const std::string& id)
{
    return ask([&](Journal& journal) { return journal.problem(id); });
}

Result<Candidate> SessionReader::candidate(const std::string& id)
{
    return ask([&](Journal& journal) { return journal.candidate(id); });
}

Result<TextDiff> SessionReader::difference(const std::string& from, const std::string& to)
{
    std::string before;
    if (!from.empty()) {
        KW_TRY(const Candidate earlier, candidate(from));
        before = earlier.source;
    }
    KW_TRY(const Candidate later, candidate(to));
    return compareTexts(before, later.source);
}

} // namespace kw
