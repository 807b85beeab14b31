// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/verdict.h"

namespace kw {

/// What an agent may learn of a verdict: everything of the development cases; of the acceptance cases only stage and
/// class of a failure. Seed, names, number, order, errors and timings of acceptance cases are taken out, so that
/// failing on purpose teaches nothing about them.
Verdict agentView(const Verdict& verdict);

} // namespace kw
