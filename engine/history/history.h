// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kw {

enum class HistoryBranch : std::uint8_t {
    Main,  ///< refs/heads/main: the kept kernels, one file per problem
    Attic, ///< refs/kernelwright/attic: a chain of everything else, one file per commit
};

/// What one commit says. Equal contents on an equal parent give an equal commit id on every machine.
struct CommitContent {
    std::string path;                   ///< e.g. "kernels/0123456789abcdef.cpp"
    std::optional<std::string> text;    ///< nothing: the file goes away (roll back to the library's operators)
    std::string message;
    std::int64_t time = 0;              ///< seconds since 1970
};

/// The session's own git repository (bare). One object per thread; the journal is the truth, and this can be rebuilt from it.
/// Errors of all calls: "history.failed" (what).
class History {
public:
    enum class Access : std::uint8_t { Write, ReadOnly };

    /// Creates the repository when it is missing and write access is given.
    static Result<History> open(const std::filesystem::path& folder, Access access);
    ~History();
    History(History&&) noexcept;
    History& operator=(History&&) noexcept;

    /// Empty while the branch has no commit.
    Result<std::string> head(HistoryBranch branch) const;
    /// Writes the objects of a commit on `parent` (empty = the first one) and moves nothing: the caller makes the id durable
    /// elsewhere first and then calls moveHead().
    Result<std::string> writeCommit(HistoryBranch branch, const std::string& parent, const CommitContent& content);
    /// An empty id removes the branch.
    Result<void> moveHead(HistoryBranch branch, const std::string& id);

    /// Whether commit, trees and every file of it can be read.
    bool intact(const std::string& commit) const;
    /// Error also when the commit has no such file.
    Result<std::string> file(const std::string& commit, const std::string& path) const;
    Result<std::string> message(const std::string& commit) const;
    /// Commit ids, newest first.
    Result<std::vector<std::string>> log(HistoryBranch branch, std::size_t limit) const;

    /// Moves loose objects into a pack when there are more than `loose`, and merges packs when there are many.
    Result<void> packWhenNeeded(std::size_t loose = 600);
    /// Files below objects/, for tests and reports.
    std::size_t objectFiles() const;

private:
    struct Private;
    explicit History(std::unique_ptr<Private> state);
    std::unique_ptr<Private> m_state;
};

} // namespace kw
