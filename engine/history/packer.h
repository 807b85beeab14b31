// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/git.h"

#include <filesystem>

namespace kw {

/// Packs loose objects once there are more than `loose`, and merges all packs once there are more than `mostPacks`. A file goes
/// only after the pack that holds its object was written and read back. True when packs were merged: the repository
/// should then be opened again.
inline constexpr std::size_t mostPacks = 24;
Result<bool> packObjects(git_repository* repository, const std::filesystem::path& folder, std::size_t loose);

} // namespace kw
