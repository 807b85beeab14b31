// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/subprocess.h"
#include "base/unique_fd.h"

#include <optional>

namespace kw {

/// Asks the machine's session manager (logind, through systemd-inhibit) not to suspend or count as idle while work goes on. Where
/// there is none, or it refuses, nothing happens and nothing is said: work goes on, only not guarded. One thread at a time.
class SleepGuard {
public:
    void hold();
    void release();
    /// Whether the machine granted it, as far as is known: the helper still runs.
    bool held();

private:
    UniqueFd m_line; ///< the helper ends when this closes, so that not even our sudden death leaves the guard behind
    std::optional<Subprocess> m_helper;
    bool m_asked = false;
};

} // namespace kw
