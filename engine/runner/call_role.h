// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kw {

/// The runner proper: confines itself, maps the arena, loads the candidate ("candidate.so" in the working folder),
/// tightens the filter, then calls it for every command of the judge. Single-threaded but for the candidate's OpenMP.
int runCall();

} // namespace kw
