// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "journal/journal.h"
#include "record/diff.h"

#include <filesystem>
#include <mutex>
#include <optional>

namespace kw {

/// Answers questions about a session from its journal, beside the loop that writes it. Any thread.
class SessionReader {
public:
    explicit SessionReader(std::filesystem::path journal) : m_file(std::move(journal)) {}

    Result<Experiment> experiment(std::int64_t number);
    Result<Problem> problem(const std::string& id);
    Result<Candidate> candidate(const std::string& id);
    Result<TextDiff> difference(const std::string& from, const std::string& to);

private:
    template <typename Ask> auto ask(Ask question) -> decltype(question(std::declval<Journal&>()));

    std::filesystem::path m_file;
    std::mutex m_mutex;
    std::optional<Journal> m_journal;
};

} // namespace kw
