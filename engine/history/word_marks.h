// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/diff.h"

#include <vector>

namespace kw {

/// Fills DiffRow::marks: each removed line of a run is compared word by word with the added line at the same place of the run
/// that follows it. Lines that share no word stay unmarked, since then everything has changed.
void markWords(std::vector<DiffRow>& rows);

} // namespace kw
