// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace kw {

/// Whether a loose object's file is one whole compressed stream. libgit2 1.5 never returns from reading a cut one, so this has to be
/// known before the library is asked.
bool wholeLooseObject(const std::filesystem::path& file);

} // namespace kw
