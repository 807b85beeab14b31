// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/command.h"

#include <string_view>

namespace kw {

// The stable words by which the values of enumerations are stored, sent and looked up in the catalogue
// ("stage.smoke", "failure.wrong_value" ...). Never renamed: files of earlier versions hold them.
std::string_view nameOf(Stage value);
std::string_view nameOf(CaseTier value);
std::string_view nameOf(FailureKind value);
std::string_view nameOf(CacheState value);
std::string_view nameOf(Subject::Kind value);
std::string_view nameOf(Comparison value);
std::string_view nameOf(Decision value);
std::string_view nameOf(LoopState value);
std::string_view nameOf(Supervision value);
std::string_view nameOf(ProblemState value);
std::string_view nameOf(CommandKind value);
std::string_view nameOf(RegionKind value);
std::string_view nameOf(AuthorKind value);

} // namespace kw
