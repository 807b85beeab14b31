// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "candidate/header_lexer.h"

namespace kw {

/// Checks the size expression at the cursor and moves behind it. Values are not computed, only names and grammar.
Result<void> checkSize(HeaderLexer& lexer, const Problem& problem);

} // namespace kw
