// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "present/language.h"
#include "record/snapshot.h"

#include <filesystem>
#include <string>
#include <vector>

namespace kw::cli {

/// What the program tells its caller; `--help` lists them.
enum ExitCode : int {
    Success = 0,
    Failure = 1,      ///< the request could not be carried out; a sentence on standard error says why
    Usage = 2,        ///< the command line is wrong
    NothingWon = 3,   ///< optimize: finished, and no kernel beat the library
    Interrupted = 130 ///< SIGINT or SIGTERM; the session is kept and can be resumed
};

/// Everything that the command line said. One value for all commands; each reads its own part.
struct Options {
    Language language = Language::English;
    bool json = false, unsafe = false, verbose = false;
    std::filesystem::path session, model, output, html, markdown, source;
    double seconds = 0;               ///< --budget, --seconds
    std::string supervision = "none";
    std::string problem, comment, approver, against;
    std::int64_t experiment = 0;
    std::uint64_t seed = 0;
    bool keepRunning = false, noApply = false, sourceText = false;
};

/// Prints the error's sentence on standard error (or as JSON) and returns Failure.
int fail(const Options& options, const Error& error);
/// A line of ours in the person's language.
std::string say(const Options& options, const Message& message);
inline std::string say(const Options& options, const char* id) { return say(options, Message(id)); }

/// Rows as aligned columns; numeric columns (by index) are right-aligned. Widths count characters, not bytes.
std::string table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
    const std::vector<std::size_t>& rightAligned);

} // namespace kw::cli
