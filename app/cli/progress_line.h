// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

#include <chrono>
#include <string>

namespace kw::cli {

/// Progress of a run on standard error: one line that is rewritten on a terminal, a plain line every few seconds (and for each
/// finished experiment) elsewhere. Shows state, best so far, rate and time left.
class ProgressLine {
public:
    explicit ProgressLine(const Options& options);
    ~ProgressLine();

    void show(const Snapshot& snapshot);
    /// Ends the rewritten line, so that other output starts on a fresh one.
    void finish();

private:
    std::string lineFor(const Snapshot& snapshot) const;
    void announce(const Snapshot& snapshot);

    const Options& m_options;
    bool m_terminal = false, m_open = false;
    std::size_t m_announced = 0;
    std::string m_last;
    std::chrono::steady_clock::time_point m_lastTime{};
};

} // namespace kw::cli
