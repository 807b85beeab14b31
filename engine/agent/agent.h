// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/toolbox.h"

#include <string>

namespace kw {

/// Proposes candidates. What the toolbox shows decides what it answers, so a resumed session goes on where it stopped.
/// No threads, no files, no clock.
class Agent {
public:
    virtual ~Agent() = default;

    virtual Author author() const = 0;
    /// Submits the next candidate for the problem through the toolbox, with parent, moves, hypothesis and prediction filled, or
    /// nothing when it has no further idea. Never a source that history() or waiting() already holds.
    virtual void propose(Toolbox& toolbox, const std::string& problem) = 0;
    /// Why propose() submitted nothing: "agent.exhausted" (tried), "codegen.refused.*" ...; empty before that.
    virtual Message lastReason() const = 0;
};

} // namespace kw
